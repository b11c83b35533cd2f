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

describe('words for a refusal of a source', () => {
  const label = { name: 'elsewhere', origin: 'https://facts.example.test' };
  const refused = (takesKey: boolean) =>
    describeError(new AppError('forbidden', 'no', { status: 403, source: { ...label, takesKey } }), {
      ...{ service: 'source', network },
    });

  it('name the server that was asked, and speak of a key where it takes one', () => {
    assert.equal(refused(true).message, `${label.origin}: the key is not entitled to this data`);
    assert.match(refused(true).advice ?? '', /^The plan of the key/);
    assert.equal(refused(true).remedies[0]?.command, 'chainside.setApiKey');
    assert.equal(refused(false).message, `${label.origin}: forbids this request (HTTP 403)`);
    assert.equal(refused(false).advice, undefined);
    assert.notEqual(refused(false).remedies[0]?.command, 'chainside.setApiKey');
  });
});
