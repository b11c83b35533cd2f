import assert from 'node:assert/strict';
import {
  createLogStore,
  type Log,
  type Network,
  type Verdict,
  type VerdictReason,
} from '../../../../src/core/index.ts';
import { logLink } from '../../../../src/features/logs/panel/explorerLink.ts';
import { emptyForm } from '../../../../src/features/logs/protocol/queryForm.ts';
import { asLoaded } from '../../../../src/features/logs/results/asLoaded.ts';
import { panelTitle } from '../../../../src/features/logs/words/panelTitle.ts';
import { loadingProgress } from '../../../../src/features/logs/words/progressText.ts';
import { rowsText } from '../../../../src/features/logs/words/rowsText.ts';
import { statusTexts } from '../../../../src/features/logs/words/statusText.ts';
import { verdictReasons } from '../../../../src/features/logs/words/verdictReasons.ts';
import type { Language, Localizer } from '../../../../src/host/words/localizer.ts';

/** English as it is written in the program. */
const l10n: Localizer = {
  t: (message, ...args) => message.replace(/\{(\d)\}/g, (_, index) => String(args[Number(index)])),
};
const english: Language = { l10n, locale: 'en' };

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
    waiting: undefined,
    progress: undefined,
    verdict: undefined,
    rows: createLogStore(),
    notice: undefined,
    error: undefined,
    loadedAt: undefined,
    network,
    ...over,
  };
  return { ...statusTexts(results, 'Local', english), reasons: verdictReasons(results, english) };
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
    assert.equal(texts({ verdict: more, notice: 'cancelled' }).tone, 'cancelled');
    assert.match(
      texts({ verdict: more, error: new Error('no') }).status,
      /^Stopped by an error\. 0 logs on Palm/,
    );
    assert.equal(texts({ verdict: more, error: new Error('no') }).tone, 'failed');
  });

  it('says until when it waits and for what, also before anything came', () => {
    const endsAt = new Date(2026, 10, 21, 14, 3, 9).getTime();
    const waiting = { endsAt, byServer: true };
    assert.match(
      texts({ loading: 'all', waiting, progress: { blocksDone: 3n, blocks: 10n, msLeft: undefined } }).status,
      /^Loading all logs from Palm: 30 % of the blocks are read\. Waiting until 2:03:09\sPM: the server asks for it\.$/,
    );
    assert.match(
      texts({ loading: 'first', waiting: { endsAt, byServer: false } }).status,
      /^Asking Palm… Waiting until 2:03:09\sPM: the server failed and is asked again then\.$/,
    );
    assert.match(
      texts({ loading: 'next', waiting, verdict: complete }).status,
      /page… Waiting until .*: the server asks for it\. 0 logs/,
    );
  });

  it('gives every reason for doubt in words', () => {
    const codes = [
      'blockNotWhole',
      'cancelled',
      'endlessBlock',
      'forkRows',
      'headWentBack',
      'otherRows',
      'questionIgnored',
      'reorg',
      'serverChanged',
      'serversDiffer',
      'shortPages',
    ] as const;
    const reasons: VerdictReason[] = codes.map((code) => ({ code, block: 1234n }));
    const { status, reasons: words } = texts({ verdict: { ...complete, state: 'uncertain', reasons } });
    assert.match(status, /^Not certain to be complete\./);
    assert.equal(new Set(words).size, codes.length + 1);
    assert.match(words[0] ?? '', /^In block 1,234 .*missing\. Ask /);
  });

  it('tells once what is true of many blocks', () => {
    const reasons = Array.from({ length: 15 }, (_, block): VerdictReason => {
      return { code: 'shortPages', block: BigInt(block) };
    });
    const { reasons: words } = texts({ verdict: { ...complete, state: 'uncertain', reasons } });
    assert.equal(words.length, 2);
    assert.match(words[0] ?? '', /in block 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 3 more: this version/);
    const counted = [{ ...reasons[0], code: 'shortPages', more: 400 } as const, ...reasons.slice(1)];
    const { reasons: longer } = texts({ verdict: { ...complete, state: 'uncertain', reasons: counted } });
    assert.match(longer[0] ?? '', /10, 11 and 403 more: this version/);
  });

  it('says while all is loaded how far that is, anew at each tenth only', () => {
    const at = (blocksDone: bigint) =>
      texts({
        loading: 'all',
        verdict: complete,
        progress: { blocksDone, blocks: 1000n, msLeft: undefined },
      });
    assert.equal(at(470n).status, 'Loading all logs from Palm: 40 % of the blocks are read.');
    assert.equal(at(499n).status, at(400n).status);
    assert.deepEqual([at(470n).tone, at(470n).reasons], ['plain', []]);
    assert.equal(texts({ loading: 'all', verdict: complete }).status, 'Loading all logs from Palm…');
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

describe('reasons of the verdict', () => {
  const reasonsOf = (over: Parameters<typeof texts>[0]) => texts(over).reasons;
  const more: Verdict = { ...complete, state: 'more', readThrough: 99n };

  it('end with the count of requests', () => {
    assert.match(reasonsOf({ verdict: complete }).at(-1) ?? '', /^2 requests were made.*block was 12,345 /);
    assert.match(reasonsOf({ verdict: { ...complete, requests: 1 } }).at(-1) ?? '', /^1 request was made/);
  });

  it('say of every way to stop where it stands and how it goes on', () => {
    assert.match(
      reasonsOf({ verdict: more })[0] ?? '',
      /through block 99 .* up to 12,345 .*Load all the rest/,
    );
    assert.match(
      reasonsOf({ verdict: more, notice: 'cancelled' })[0] ?? '',
      /^You cancelled it\. Every log through block 99 /,
    );
    assert.match(
      reasonsOf({ verdict: more, error: new Error('no') })[0] ?? '',
      /^A request failed.*block 99\. Try again/,
    );
    assert.match(
      reasonsOf({ verdict: complete })[0] ?? '',
      /0 to 12,345 is loaded\. 12,345 was the latest block/,
    );
    assert.match(
      reasonsOf({ verdict: { ...complete, toBlock: 10n } })[0] ?? '',
      /blocks 0 to 10 is loaded\.$/,
    );
  });

  it('are none while it loads or before an answer', () => {
    assert.deepEqual(reasonsOf({ verdict: more, loading: 'next' }), []);
    assert.deepEqual(reasonsOf({}), []);
  });
});

describe('progress of loading all', () => {
  const words = (msLeft: number | undefined) =>
    loadingProgress({ progress: { blocksDone: 1500n, blocks: 6000n, msLeft }, rows: storeOf(2) }, english);

  it('counts blocks and logs, and says how long it still takes where that is known', () => {
    assert.deepEqual(words(undefined), { share: 0.25, words: '1,500 of 6,000 blocks, 2 logs' });
    assert.match(words(1)?.words ?? '', /, about 1 second left$/);
    assert.match(words(31_000)?.words ?? '', /, about 35 seconds left$/);
    assert.match(words(61_000)?.words ?? '', /, about 2 minutes left$/);
    assert.match(words(3_700_000)?.words ?? '', /, about 2 hours left$/);
  });

  it('is none while nothing of it is known', () => {
    assert.equal(loadingProgress({ progress: undefined, rows: storeOf(0) }, english), undefined);
  });
});

describe('count of rows', () => {
  const count = (over: Partial<Parameters<typeof rowsText>[0]>) => {
    const rows = { wanted: asLoaded, shown: asLoaded, working: false, length: 1234, ...over };
    return rowsText(rows, 56_789, english);
  };
  const filtered = { filter: 'ab' };

  it('is told of a filter, and what is being done', () => {
    assert.equal(count({}), '');
    assert.equal(count({ wanted: filtered, working: true }), 'Filtering…');
    assert.equal(count({ wanted: filtered, shown: filtered }), '1,234 of 56,789 loaded');
    assert.equal(count({ wanted: filtered, shown: filtered, working: true }), '1,234 found so far…');
    const sorted = { filter: '', sort: { column: 'data', descending: false } } as const;
    assert.equal(count({ wanted: sorted, working: true }), 'Sorting…');
    assert.equal(count({ wanted: sorted, shown: sorted }), '');
  });
});

describe('explorer link', () => {
  it('appends to the path of the explorer', () => {
    assert.equal(
      logLink('https://host/chain/', 'transaction', log),
      `https://host/chain/tx/${log.transactionHash}`,
    );
    assert.equal(logLink('https://host', 'block', log), 'https://host/block/9007199254740991');
  });

  it('is none without an explorer, or for another scheme', () => {
    assert.equal(logLink(undefined, 'address', log), undefined);
    assert.equal(logLink('command:evil', 'address', log), undefined);
  });
});

describe('panel title', () => {
  it('tells panels apart by event and address', () => {
    const title = (address: string, event: string) => panelTitle({ ...emptyForm, address, event }, l10n);
    const named = { ...emptyForm, address: `0x${'ab'.repeat(20)}, 0x${'cd'.repeat(20)}` };
    assert.equal(
      panelTitle(named, l10n, (address) => (address.startsWith('0xab') ? 'Treasury' : undefined)),
      'Logs: Treasury +1',
    );
    assert.equal(title('', ''), 'Logs');
    assert.equal(title(TOKEN, 'event Transfer(address)'), 'Logs: Transfer · 0x5fbd…0aa3');
    assert.equal(title(`${TOKEN} ${TOKEN}`, ''), 'Logs: 0x5fbd…0aa3 +1');
    assert.equal(title('0x12', '<script>'), 'Logs');
  });
});
