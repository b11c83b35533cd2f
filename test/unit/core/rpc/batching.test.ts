import assert from 'node:assert/strict';
import { AppError } from '../../../../src/core/base/errors.ts';
import { createBatchKnowledge, createDialectMemory } from '../../../../src/core/logs/engine/dialectMemory.ts';
import { createCallBatching } from '../../../../src/core/rpc/batching.ts';
import type { RpcCall, RpcClient, RpcOutcome } from '../../../../src/core/rpc/rpcClient.ts';

/** What a server does with batches of more than three calls. */
const REFUSALS: Readonly<Record<string, (calls: readonly RpcCall[]) => readonly RpcOutcome[]>> = {
  'the same error for each call': (calls) =>
    calls.map(() => ({ error: new AppError('rpc', 'Refused.', { code: -32600 }) })),
  'HTTP 500': () => {
    throw new AppError('server', 'Failed.', { status: 500 });
  },
  'an empty list': () => {
    throw new AppError('badResponse', 'Not a response.');
  },
  'HTTP 429': () => {
    throw new AppError('rateLimited', 'Too many requests.', { status: 429 });
  },
};

describe('Batches after a small one was taken', () => {
  for (const [name, refuse] of Object.entries(REFUSALS)) {
    it(`shrink to what the server takes where it answers larger ones with ${name}`, async () => {
      const sizes: number[] = [];
      const rpc: RpcClient = {
        url: 'https://node.example',
        call: async (_method, [value]) => {
          sizes.push(1);
          return value;
        },
        callBatch: async (calls) => {
          sizes.push(calls.length);
          return calls.length > 3 ? refuse(calls) : calls.map(({ params }) => ({ result: params[0] }));
        },
      };
      const begin = createCallBatching(rpc, createBatchKnowledge(createDialectMemory()));
      async function send(values: readonly number[]): Promise<readonly unknown[]> {
        const batch = begin();
        const results = values.map((value) => batch.call('eth_call', [value]));
        await batch.send();
        return Promise.all(results);
      }
      assert.deepEqual(await send([1, 2]), [1, 2]);
      const values = Array.from({ length: 24 }, (_, at) => at);
      assert.deepEqual(await send(values), values);
      assert.deepEqual(sizes.slice(0, 5), [2, 24, 12, 6, 3]);
      assert.ok(sizes.slice(4).every((size) => size === 3));
    });
  }
});
