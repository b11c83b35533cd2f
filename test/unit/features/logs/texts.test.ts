import assert from 'node:assert/strict';
import {
  createLogStore,
  type Log,
  type Network,
  type Verdict,
  type VerdictReason,
} from '../../../../src/core/index.ts';
import { explorerLink } from '../../../../src/features/logs/explorerLink.ts';
import { panelTitle } from '../../../../src/features/logs/panelTitle.ts';
import { emptyForm } from '../../../../src/features/logs/queryForm.ts';
import { statusTexts } from '../../../../src/features/logs/statusText.ts';
import type { Localizer } from '../../../../src/features/logs/strings.ts';
import { cellText, logJson, wireLog, wireRows } from '../../../../src/features/logs/wireRows.ts';

/** English as it is written in the program. */
const l10n: Localizer = {
  t: (message, ...args) => message.replace(/\{(\d)\}/g, (_, index) => String(args[Number(index)])),
};

const TOKEN = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const log: Log = {
  address: TOKEN,
  blockHash: `0x${'11'.repeat(32)}`,
  blockNumber: 2n ** 53n - 1n,
  data: `0x${'22'.repeat(1000)}`,
  logIndex: 7,
  topics: [`0x${'33'.repeat(32)}`, `0x${'44'.repeat(32)}`],
  transactionHash: `0x${'55'.repeat(32)}`,
  transactionIndex: 3,
};
const network = { name: 'Palm' } as Network;
const complete: Verdict = {
  state: 'complete',
  reasons: [],
  fromBlock: 0n,
  toBlock: 12_345n,
  head: 12_345n,
  readThrough: 12_345n,
  rows: 1,
  requests: 2,
};

function storeOf(count: number) {
  const store = createLogStore();
  store.append(Array.from({ length: count }, () => log));
  return store;
}

function texts(over: Partial<Parameters<typeof statusTexts>[0]>) {
  const results = {
    loading: undefined,
    verdict: undefined,
    rows: createLogStore(),
    notice: undefined,
    error: undefined,
    loadedAt: undefined,
    network,
    ...over,
  };
  return statusTexts(results, 'Local', l10n, 'en');
}

describe('status line', () => {
  it('says whether that is all, of which network and blocks', () => {
    const { status, tone } = texts({ verdict: complete, rows: storeOf(1) });
    assert.equal(status, 'Complete. 1 log on Palm in blocks 0 to 12,345. 2 requests, latest block 12,345.');
    assert.equal(tone, 'complete');
  });

  it('says how far an answer with more pages is read', () => {
    const { status } = texts({ verdict: { ...complete, state: 'more', readThrough: 99n }, rows: storeOf(2) });
    assert.match(status, /^More pages\. 2 logs on Palm, read through block 99 of 0 to 12,345\./);
  });

  it('never calls a cancelled or failed answer complete or uncertain', () => {
    const more: Verdict = { ...complete, state: 'more' };
    assert.match(texts({ verdict: more, notice: 'cancelled' }).status, /^Cancelled\. 0 logs/);
    assert.match(texts({ verdict: more, error: new Error('no') }).status, /^0 logs on Palm/);
    assert.equal(texts({ verdict: more, error: new Error('no') }).tone, 'plain');
  });

  it('gives every reason for doubt in words', () => {
    const codes = ['blockNotWhole', 'cancelled', 'forkRows', 'headWentBack', 'reorg', 'shortPages'] as const;
    const reasons: VerdictReason[] = codes.map((code) => ({ code, block: 1234n }));
    const { status, reasons: words } = texts({ verdict: { ...complete, state: 'uncertain', reasons } });
    assert.match(status, /^Not certain to be complete\./);
    assert.equal(new Set(words).size, codes.length);
    assert.match(words[0] ?? '', /Block 1,234 /);
  });

  it('names the active network while there is no answer', () => {
    assert.equal(texts({ network: undefined }).status, 'Run the query to ask Local.');
    assert.match(
      texts({ network: undefined, notice: 'networkChanged' }).status,
      /now Local\. .* run the query again/,
    );
    assert.equal(texts({ loading: 'first' }).status, 'Asking Palm…');
  });
});

describe('rows for the view', () => {
  it('keep integers whole and shorten long data', () => {
    const [row] = wireRows(storeOf(1), { start: 0, count: 10 });
    assert.equal(row?.block, '9007199254740991');
    assert.equal(row?.address, '0x5FbDB2315678afecb367f032d93F642f64180aa3');
    assert.equal(row?.dataBytes, 1000);
    assert.ok((row?.data.length ?? 0) < 600);
    assert.equal(wireLog(log).data, log.data);
  });

  it('give the clipboard the whole of a cell, and a log as JSON-RPC writes it', () => {
    assert.equal(cellText(log, 'data'), log.data);
    assert.equal(cellText(log, 'topics'), log.topics.join(' '));
    const json = JSON.parse(logJson(log));
    assert.deepEqual(
      [json.blockNumber, json.logIndex, json.transactionIndex, json.address],
      ['0x1fffffffffffff', '0x7', '0x3', TOKEN],
    );
  });
});

describe('explorer link', () => {
  it('appends to the path of the explorer', () => {
    assert.equal(
      explorerLink('https://host/chain/', 'transaction', log),
      `https://host/chain/tx/${log.transactionHash}`,
    );
    assert.equal(explorerLink('https://host', 'block', log), 'https://host/block/9007199254740991');
  });

  it('is none without an explorer, or for another scheme', () => {
    assert.equal(explorerLink(undefined, 'address', log), undefined);
    assert.equal(explorerLink('command:evil', 'address', log), undefined);
  });
});

describe('panel title', () => {
  it('tells panels apart by event and address', () => {
    const title = (address: string, event: string) => panelTitle({ ...emptyForm, address, event }, l10n);
    assert.equal(title('', ''), 'Logs');
    assert.equal(title(TOKEN, 'event Transfer(address)'), 'Logs: Transfer · 0x5fbd…0aa3');
    assert.equal(title(`${TOKEN} ${TOKEN}`, ''), 'Logs: 0x5fbd…0aa3 +1');
    assert.equal(title('0x12', '<script>'), 'Logs');
  });
});
