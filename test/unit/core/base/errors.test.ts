import assert from 'node:assert/strict';
import { AppError, asAppError } from '../../../../src/core/base/errors.ts';
import { createChainClient, systemClock } from '../../../../src/core/index.ts';

describe('an error of our own', () => {
  it('is internal, with its cause', () => {
    const cause = new TypeError('x is undefined');
    const { kind, details } = asAppError(cause);
    assert.deepEqual([kind, details.cause], ['internal', cause]);
    const timeout = new AppError('timeout', 'Too late.');
    assert.equal(asAppError(timeout), timeout);
  });

  it('is not reported as a bad response of the server', async () => {
    const now = () => {
      throw new TypeError('x is undefined');
    };
    const client = createChainClient({
      url: 'http://127.0.0.1:8545',
      clock: { ...systemClock, now },
      fetch: async () => new Response('{"jsonrpc":"2.0","id":1,"result":"0x1"}'),
    });
    await assert.rejects(client.getBlockNumber(), { kind: 'internal' });
  });
});
