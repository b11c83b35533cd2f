import assert from 'node:assert/strict';
import { logToJson } from '../../../../src/core/index.ts';
import { createLog } from '../../../support/anyLogs.ts';

describe('log as JSON', () => {
  it('writes every quantity as JSON-RPC does, exactly', () => {
    const log = createLog(2n ** 53n - 1n, { logIndex: 7, topics: [`0x${'33'.repeat(32)}`] });
    const json = { ...log, blockNumber: '0x1fffffffffffff', logIndex: '0x7', transactionIndex: '0x0' };
    assert.deepEqual(logToJson(log), json);
    assert.deepEqual(logToJson({ ...log, time: 1000 }), json, 'with the same keys where the row has a time');
  });
});
