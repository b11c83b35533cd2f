import assert from 'node:assert/strict';
import {
  listPublicEndpoints,
  type RowDifference,
  type SecondOpinion,
} from '../../../../../src/core/index.ts';
import { addOpinion, formatDifferences } from '../../../../../src/features/logs/opinion/formatOpinion.ts';
import { listOtherEndpoints } from '../../../../../src/features/logs/opinion/otherEndpoints.ts';
import { anyNetwork, bareLog, english } from '../../../../support/stubs.ts';

const told = {
  ...{ status: 'Complete · 3 logs', rest: 'to block 500', tone: 'complete' as const, age: 7 },
  ...{ reasons: [], notes: ['Every log is loaded.'], facts: [{ name: 'Logs', value: '3' }] },
};
const agreed: SecondOpinion = {
  ...{ state: 'agree', onlyHere: 0, onlyThere: 0, different: 0, reasons: [], rows: [] },
  ...{ fromBlock: 0n, toBlock: 12_345n, sample: false, blocks: 12_346n, alike: 1003 },
};
const tell = (over: Partial<SecondOpinion>, name = 'Other Node') =>
  addOpinion(told, { name, opinion: { ...agreed, ...over } }, english);

const address = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
const log = bareLog({ address, blockNumber: 77n, data: '0xab', logIndex: 4 });

describe('words of a second opinion', () => {
  it('leave an answer as it is that nobody was asked about', () => {
    assert.equal(addOpinion(told, undefined, english), told);
    // What is loading, or was never asked, has no facts yet.
    const none = { ...told, facts: [] };
    assert.equal(addOpinion(none, { name: 'X', opinion: agreed }, english), none);
  });

  it('say beside the verdict that two sources agree, and of which blocks', () => {
    const { status, rest, tone, notes, reasons, facts } = tell({});
    assert.deepEqual([status, tone, reasons], [told.status, 'complete', []]);
    assert.equal(rest, 'to block 500 · agrees with Other Node');
    assert.equal(notes.at(-1), 'Other Node returned the same 1,003 logs for blocks 0 to 12,345.');
    assert.deepEqual(facts.at(-1), { name: 'Second opinion', value: 'agrees with Other Node' });
    const single = tell({ alike: 1 }).notes.at(-1);
    assert.equal(single, 'Other Node returned the same log for blocks 0 to 12,345.');
    const part = tell({ sample: true, blocks: 800n, reasons: [{ code: 'notSettled' }] });
    assert.match(part.rest, /a sample agrees with Other Node$/);
    assert.match(
      part.notes.at(-1) ?? '',
      /800 blocks sampled from blocks 0 to 12,345\. Newer blocks were not/,
    );
  });

  it('count how two sources differ', () => {
    const { rest, notes } = tell({ state: 'differ', onlyHere: 2, onlyThere: 1, different: 1200 });
    assert.match(rest, /differs from Other Node$/);
    assert.equal(
      notes.at(-1),
      'Other Node returned different logs for blocks 0 to 12,345: 2 only in this result, 1 only on Other Node, 1,200 different.',
    );
  });

  it('claim nothing where nothing is known, and say why', () => {
    const { rest, tone, notes } = tell({
      state: 'unknown',
      reasons: [{ code: 'failedThere', message: 'HTTP 503' }, { code: 'notWholeHere' }],
    });
    assert.equal(tone, 'complete');
    assert.match(rest, /no second opinion from Other Node$/);
    assert.match(
      notes.at(-1) ?? '',
      /is inconclusive\. Other Node failed: HTTP 503 The result shown here may/,
    );
    const chains = tell({
      state: 'unknown',
      reasons: [{ code: 'otherChain', chainIds: { here: 1, there: 5 } }],
    });
    assert.match(chains.notes.at(-1) ?? '', /another chain: 5 instead of 1/);
    const twins = tell({ state: 'unknown', reasons: [{ code: 'sameChainId', block: 0n }] });
    assert.match(twins.rest, /Other Node is a different chain$/);
    assert.equal(
      twins.notes.at(-1),
      'Nothing was compared with Other Node. Other Node serves a different chain with the same chain ID: its block 0 has another hash.',
    );
  });
});

describe('rows that two sources do not give alike', () => {
  const textOf = (rows: readonly RowDifference[], over: Partial<SecondOpinion>) => {
    const opinion = { ...agreed, state: 'differ' as const, rows, ...over };
    return formatDifferences({ name: 'There', opinion }, 'Here', english)
      .map(({ level, text }) => `${'  '.repeat(level)}${text}`)
      .join('\n');
  };

  it('are shown by kind, with all that they hold, and what is kept of no row is counted', () => {
    const text = textOf([{ kind: 'onlyHere', here: log, there: undefined }], { onlyHere: 12 });
    assert.match(
      text,
      /^Here and There, blocks 0 to 12,345\n12 only in this result\n\nOnly on Here: 12\n {2}Block 77, log index 4\n/,
    );
    assert.match(text, /address: 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed/);
    assert.match(text, /\n {2}and 11 more$/);
  });

  it('show of a row that differs the fields only that do', () => {
    const there = { ...log, data: '0xcd' as const };
    const text = textOf([{ kind: 'different', here: log, there }], { different: 1 });
    assert.match(
      text,
      /Different: 1\n {2}Block 77, log index 4\n {4}data:\n {6}Here: 0xab\n {6}There: 0xcd$/,
    );
  });

  it('show no more of long data than can be read', () => {
    const data = `0x${'0'.repeat(2_000_000)}` as const;
    const text = textOf([{ kind: 'onlyThere', here: undefined, there: { ...log, data } }], { onlyThere: 1 });
    assert.ok(text.length < 4000);
  });
});

describe('endpoints that can be asked the same', () => {
  const network = (id: string, chainId: number, rpcUrl: string) =>
    anyNetwork(chainId, { id, name: id, rpcUrl });
  const keyless = { hasEtherscanKey: false };
  const asked = network('here', 8453, 'http://127.0.0.1:1');

  it('are those of the chain: of the settings first, then the well-known ones, none twice', () => {
    const same = network('same', 8453, asked.rpcUrl);
    const mine = network('mine', 8453, 'https://base.blockscout.com/api/eth-rpc');
    const other = network('other', 1, 'http://127.0.0.1:2');
    const found = listOtherEndpoints({ ...asked, rpcAuth: 'bearer' }, [asked, same, mine, other], keyless);
    const nodes = listPublicEndpoints(8453).flatMap(({ kind, url }) => (kind === 'node' ? [url] : []));
    assert.ok(nodes.length > 0);
    assert.deepEqual(
      found.map(({ network: { name }, from }) => [name, from]),
      [
        ['mine', 'settings'],
        ...nodes.map((url) => [`Base (${new URL(url).host})`, 'public']),
        ['Base (SQD Portal)', 'public'],
      ],
    );
    assert.ok(found.every(({ network: { rpcAuth } }) => rpcAuth === undefined));
  });

  it('end with Etherscan if the user has a key, unless it is one of them already', () => {
    const keyed = { hasEtherscanKey: true };
    const last = listOtherEndpoints(asked, [asked], keyed).at(-1);
    assert.deepEqual([last?.from, last?.network.name], ['keyed', 'Base (Etherscan)']);
    const { rpcUrl = '' } = last?.network ?? {};
    assert.equal(rpcUrl, `https://api.etherscan.io/v2/api?chainid=8453&apikey=$\{key}`);
    const mine = network('mine', 8453, rpcUrl);
    for (const [here, networks] of [
      [asked, [mine]],
      [mine, []],
    ] as const) {
      const found = listOtherEndpoints(here, networks, keyed);
      assert.ok(found.every(({ from }) => from !== 'keyed'));
    }
  });

  it('are none of a chain that is not known', () => {
    const mine = network('mine', 31337, 'http://127.0.0.1:8545');
    assert.deepEqual(listOtherEndpoints(mine, [mine], keyless), []);
  });
});
