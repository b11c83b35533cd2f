import assert from 'node:assert/strict';
import { type Log, logToJson } from '../../../../src/core/index.ts';

describe('log as JSON', () => {
  it('writes every quantity as JSON-RPC does, exactly', () => {
    const log: Log = {
      address: `0x${'ab'.repeat(20)}`,
      blockHash: `0x${'11'.repeat(32)}`,
      blockNumber: 2n ** 53n - 1n,
      data: '0x',
      logIndex: 7,
      topics: [`0x${'33'.repeat(32)}`],
      transactionHash: `0x${'55'.repeat(32)}`,
      transactionIndex: 0,
    };
    const json = {
      ...log,
      blockNumber: '0x1fffffffffffff',
      logIndex: '0x7',
      transactionIndex: '0x0',
    };
    assert.deepEqual(logToJson(log), json);
    assert.deepEqual(logToJson({ ...log, time: 1000 }), json, 'with the same keys where the row has a time');
  });
});
