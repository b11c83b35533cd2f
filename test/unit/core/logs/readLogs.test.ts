import assert from 'node:assert/strict';
import { readLogs } from '../../../../src/core/logs/asking/readLogs.ts';
import { createDoubts } from '../../../../src/core/logs/guards/doubts.ts';
import { createRowPrints } from '../../../../src/core/logs/guards/rowPrints.ts';
import { reasonText } from '../../../../src/core/logs/query/verdict.ts';
import { rowAt } from '../../../support/scriptedServer.ts';

describe('reading of an answer to eth_getLogs', () => {
  const broken: readonly [string, object, string][] = [
    ['a log index of 2^32', { logIndex: '0x100000000' }, 'logIndex'],
    ['a log index of 2^53', { logIndex: '0x20000000000000' }, 'logIndex'],
    ['a transaction index of 2^32', { transactionIndex: 2 ** 32 }, 'transactionIndex'],
    ['a block number of 2^53', { blockNumber: '0x20000000000000' }, 'blockNumber'],
    ['a topic of 31 bytes', { topics: [`0x${'0'.repeat(62)}`] }, 'topics'],
    ['data of half a byte', { data: '0x0' }, 'data'],
  ];
  for (const [what, change, field] of broken) {
    it(`refuses ${what}, and names it`, () => {
      assert.throws(() => readLogs([rowAt(1, 0), rowAt(1, 1, change)]), {
        kind: 'badLogs',
        message: `An entry of the answer to eth_getLogs is not a log (${field}).`,
        details: { field },
      });
    });
  }

  it('takes the highest places that are kept', () => {
    const [log] = readLogs([rowAt(1, 0xffff_ffff, { transactionIndex: '0xffffffff' })]).logs;
    assert.deepEqual([log?.logIndex, log?.transactionIndex], [0xffff_ffff, 0xffff_ffff]);
  });

  it('refuses what is no list', () => {
    for (const answer of [{}, 'no', 1]) assert.throws(() => readLogs(answer), { kind: 'badLogs' });
  });
});

describe('doubts of a query', () => {
  it('are named up to a number, counted beyond, and none twice', () => {
    const doubts = createDoubts();
    for (let block = 0n; block < 5000n; block++) doubts.add([{ code: 'forkRows', block }]);
    doubts.add([{ code: 'forkRows', block: 7n }, { code: 'headWentBack' }, { code: 'headWentBack' }]);
    const list = doubts.list();
    assert.equal(list.length, 101);
    assert.deepEqual(list[0], { code: 'forkRows', block: 0n, more: 4900 });
    assert.deepEqual(list.at(-1), { code: 'headWentBack' });
    assert.match(list.map(reasonText)[0] ?? '', /at height 0; and so for 4900 blocks/);
  });
});

describe('prints of rows', () => {
  it('give back the place of each, in order', () => {
    const rows = [
      { blockHash: '0xa', blockNumber: 1n, logIndex: 0 },
      { blockHash: '0xa', blockNumber: 1n, logIndex: 9 },
      { blockHash: '0xb', blockNumber: 1n, logIndex: 9 },
      { blockHash: '0xc', blockNumber: 2n, logIndex: 3 },
    ] as const;
    const prints = createRowPrints();
    for (const row of rows) prints.add(row);
    assert.deepEqual([...prints.all()], rows);
  });
});
