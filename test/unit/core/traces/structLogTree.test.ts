import assert from 'node:assert/strict';
import { formatMessage } from '../../../../src/core/base/text.ts';
import { isAppError, systemClock } from '../../../../src/core/index.ts';
import { createTraceReader } from '../../../../src/core/traces/fetchTrace.ts';
import { parseStructLogTree } from '../../../../src/core/traces/structLogTree.ts';
import { slicing } from '../../../support/clocks.ts';
import { addressOf, hashOf, transactionOf } from '../../../support/transactions.ts';

const hex = (value: number | bigint) => value.toString(16);
const MIB = 1024 * 1024;
const FAR = 'f'.repeat(60);

/** `LOG0` of a range of memory. */
const log = (offset: string, size: number | string, more: object = {}) => ({
  ...{ op: 'LOG0', depth: 1, stack: [typeof size === 'string' ? size : hex(size), offset] },
  ...more,
});
const stop = { op: 'STOP', depth: 1 };

async function parse(structLogs: readonly object[]) {
  const parsed = await parseStructLogTree({ structLogs }, transactionOf(), slicing);
  return parsed ?? assert.fail('It has another shape.');
}

const listData = async (structLogs: readonly object[]) =>
  (await parse([...structLogs, stop])).root.logs.map(({ data }) => data);

describe('memory in struct logs', () => {
  const words = ['0102'.padEnd(64, '0'), `${'0'.repeat(60)}0304`];

  it('is read as words or as one text, with and without 0x, and is zero behind its end', async () => {
    for (const memory of [
      words,
      words.map((word) => `0x${word}`),
      ['0x0102'.padEnd(66, '0'), '304'],
      words.join(''),
      `0x${words.join('').toUpperCase()}`,
    ]) {
      assert.deepEqual(
        await listData([
          log('0', 2, { memory }),
          log(hex(62), 4, { memory }),
          log(hex(31), 2, { memory }),
          log(hex(64), 1, { memory }),
          log(FAR, 2, { memory }),
          log(hex(2n ** 53n + 1n), 1, { memory }),
        ]),
        ['0x0102', '0x03040000', '0x0000', '0x00', '0x0000', '0x00'],
      );
    }
    assert.deepEqual(await listData([log('1', 2), log('1', 2, { memory: 7 }), log('0', 0)]), [
      ...['0x0000', '0x0000', '0x'],
    ]);
  });

  it('is refused where it is no hex', async () => {
    for (const memory of [['zz'.repeat(32)], [7], [''], ['0'.repeat(65)], 'zz', '0xzz'])
      await assert.rejects(listData([log('0', 32, { memory })]), (error) => isAppError(error, 'badResponse'));
  });

  it('is paid from 16 MiB for all calls and logs of a trace', async () => {
    const { root, isCut, isDataCut } = await parse([
      ...Array.from({ length: 5_000 }, () => log('0', 4 * MIB)),
      log('0', 1),
      stop,
    ]);
    const sizes = root.logs.map(({ data }) => data.length / 2 - 1);
    assert.deepEqual([sizes.length, sizes.slice(0, 5)], [5_001, [...Array(4).fill(4 * MIB), 0]]);
    assert.equal(
      sizes.reduce((sum, size) => sum + size),
      16 * MIB,
    );
    assert.deepEqual([isCut, isDataCut], [false, true]);
  });

  it('of calls that never began, failed or halted is not said to be left out', async () => {
    const call = (size: string) => ({ op: 'CALL', depth: 1, stack: ['0', '0', size, '0', '0', '2', '0'] });
    assert.equal((await parse([call(FAR), stop])).isDataCut, true);
    assert.equal((await parse([call(FAR)])).isDataCut, undefined);
    assert.equal(
      (await parse([{ ...log('0', FAR), op: 'RETURN', error: 'out of gas' }])).isDataCut,
      undefined,
    );
    assert.equal((await parse([log('0', FAR), { ...log('0', 0), op: 'REVERT' }])).isDataCut, undefined);
    assert.equal((await parse([{ ...log('0', FAR), op: 'REVERT' }])).isDataCut, true);
  });

  it('that is left out is a reason of the trace', async () => {
    const send = async (_method: string, params: readonly unknown[]) => {
      const { tracer } = (params[1] ?? {}) as { tracer?: string };
      return tracer === undefined ? { structLogs: [log('0', FAR), stop], failed: false } : {};
    };
    const trace = await createTraceReader(send as never, { clock: systemClock }).fetchTrace(
      transactionOf({ hash: hashOf(3) }),
    );
    assert.ok(trace.state === 'told');
    assert.match((trace.reasons ?? []).map(formatMessage).join(), /more than 16 MiB of memory/);
  });
});

describe('ends of contracts in struct logs', () => {
  const end = { op: 'SELFDESTRUCT', depth: 1, stack: [addressOf(4)] };

  it('count as calls, of which 100,000 are read', async () => {
    const { root, isCut } = await parse(Array.from({ length: 150_000 }, () => end));
    assert.deepEqual([root.calls.length, isCut], [99_999, true]);
    const { isCut: isOneCut } = await parse(Array.from({ length: 99_999 }, () => end));
    assert.equal(isOneCut, false);
  });
});
