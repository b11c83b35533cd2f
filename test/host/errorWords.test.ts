import assert from 'node:assert/strict';
import { AppError } from '../../src/core/index.ts';
import { describeError } from '../../src/host/words/describeError.ts';

const network = {
  ...{ id: 'far', name: 'Far', chainId: 5, symbol: 'ETH', decimals: 18 },
  rpcUrl: 'https://chain.example.test/key/in/path',
};
const words = (error: AppError) => describeError(error, { service: 'endpoint', network });

describe('words for an answer that is of no use', () => {
  const shown: readonly (readonly [AppError, string])[] = [
    [new AppError('badResponse', 'no'), 'did not answer in JSON-RPC'],
    [new AppError('badLogs', 'no'), 'its answer to eth_getLogs is not a list of logs'],
    [
      new AppError('badLogs', 'no', { field: 'topics' }),
      'an entry of its answer to eth_getLogs is not a log (topics)',
    ],
  ];
  for (const [error, reason] of shown) {
    it(`say of ${error.kind} ${error.details.field ?? ''} what is wrong in it, and lead to the endpoint`, () => {
      const described = words(error);
      assert.equal(described.message, `https://chain.example.test: ${reason}`);
      assert.equal(described.reason, reason);
      assert.deepEqual(
        described.remedies.map(({ title, arguments: [setting] = [] }) => [title, setting]),
        [
          ['Open Settings', 'chainside.networks'],
          ['Show Output', undefined],
        ],
      );
    });
  }
});
