import assert from 'node:assert/strict';
import { parseLogs } from '../../../../src/core/logs/engine/parseLogs.ts';
import { createRowKeys } from '../../../../src/core/logs/engine/rowChecks.ts';
import { createReasonList, formatVerdictReason } from '../../../../src/core/logs/query/verdict.ts';
import { createRow } from '../../../support/scriptedServer.ts';

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
      assert.throws(() => parseLogs([createRow(1, 0), createRow(1, 1, change)]), {
        kind: 'badLogs',
        message: `An entry of the answer to eth_getLogs is not a log (${field}).`,
        details: { field },
      });
    });
  }

  it('takes the highest places that are kept', () => {
    const [log] = parseLogs([createRow(1, 0xffff_ffff, { transactionIndex: '0xffffffff' })]).logs;
    assert.deepEqual([log?.logIndex, log?.transactionIndex], [0xffff_ffff, 0xffff_ffff]);
  });

  it('takes the time of a block that comes with a row, in milliseconds', () => {
    const given = { blockTimestamp: '0x65937f45' };
    const { logs } = parseLogs([createRow(1, 0, given), createRow(1, 1, given), createRow(2, 0)]);
    assert.deepEqual(
      logs.map(({ time }) => time),
      [0x65937f45 * 1000, 0x65937f45 * 1000, undefined],
    );
  });

  it('believes no times that go back with the blocks, or are two of one block', () => {
    const timesOf = (...rows: readonly (readonly [block: number, time: string | undefined])[]) =>
      parseLogs(
        rows.map(([block, blockTimestamp], place) => createRow(block, place, { blockTimestamp })),
      ).logs.map(({ time }) => time);
    assert.deepEqual(timesOf([1, '0x5'], [2, undefined], [3, '0x4']), [undefined, undefined, undefined]);
    assert.deepEqual(timesOf([1, '0x5'], [1, '0x6']), [undefined, undefined]);
    // Several blocks a second, and rows out of order, are as they should be.
    assert.deepEqual(timesOf([2, '0x5'], [3, '0x5'], [1, '0x4']), [4000, 5000, 5000]);
  });

  it('passes over what is no time, and keeps the row', () => {
    for (const blockTimestamp of [
      '-0x1',
      '0x0',
      0,
      '0xffffffffffffffff',
      'soon',
      '',
      {},
      [],
      true,
      -1,
      1.5,
      null,
    ]) {
      const [log] = parseLogs([createRow(1, 0, { blockTimestamp })]).logs;
      assert.equal(log && 'time' in log, false, String(blockTimestamp));
    }
    // Each row is looked at by itself where those of one block differ.
    const { logs } = parseLogs([
      createRow(1, 0, { blockTimestamp: '0x2' }),
      createRow(1, 1, { blockTimestamp: '0xzz' }),
    ]);
    assert.deepEqual(
      logs.map(({ time }) => time),
      [2000, undefined],
    );
  });

  it('refuses what is no list', () => {
    for (const answer of [{}, 'no', 1]) assert.throws(() => parseLogs(answer), { kind: 'badLogs' });
  });
});

describe('doubts of a query', () => {
  it('are named up to a number, counted beyond, and none twice', () => {
    const doubts = createReasonList();
    for (let block = 0n; block < 5000n; block++) doubts.add([{ code: 'forkRows', block }]);
    doubts.add([{ code: 'forkRows', block: 7n }, { code: 'headWentBack' }, { code: 'headWentBack' }]);
    const list = doubts.list();
    assert.equal(list.length, 101);
    assert.deepEqual(list[0], { code: 'forkRows', block: 0n, more: 4900 });
    assert.deepEqual(list.at(-1), { code: 'headWentBack' });
    assert.match(list.map(formatVerdictReason)[0] ?? '', /at height 0; and so for 4900 blocks/);
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
    const prints = createRowKeys();
    for (const row of rows) prints.add(row);
    assert.deepEqual([...prints.all()], rows);
  });
});
