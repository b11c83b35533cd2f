import assert from 'node:assert/strict';
import { parseEtherscanResult } from '../../../../src/core/etherscan/etherscanResult.ts';

describe('list in a response of Etherscan', () => {
  it('is a result where it is found, or where the message says that there is nothing', () => {
    assert.deepEqual(parseEtherscanResult({ status: '1', message: 'OK', result: [1] }), [1]);
    for (const message of ['No records found', 'No transactions found', 'OK']) {
      assert.deepEqual(parseEtherscanResult({ status: '0', message, result: [] }), [], message);
    }
  });

  it('is none beside an error', () => {
    for (const [message, kind] of [
      ['NOTOK', 'rpc'],
      ['Query Timeout occured', 'tooLarge'],
      ['Max calls per sec rate limit reached', 'rateLimited'],
    ] as const) {
      for (const result of [[], [{ blockNumber: '0x1' }]]) {
        assert.throws(() => parseEtherscanResult({ status: '0', message, result }), { kind }, message);
      }
    }
  });
});
