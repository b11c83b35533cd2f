import { request } from 'undici';
import * as z from 'zod/mini';

/** One call to a node. `params` go out as they are; a JSON-RPC error is thrown as NodeRpcError. */
export type NodeRpc = {
  call(method: string, params: readonly unknown[]): Promise<unknown>;
  /** Answers in the order of the calls; throws on the first that failed. */
  batch(
    calls: readonly (readonly [method: string, params: readonly unknown[]])[],
  ): Promise<readonly unknown[]>;
};

const errorSchema = z.object({ code: z.number(), message: z.string(), data: z.optional(z.unknown()) });
const responseSchema = z.object({
  id: z.number(),
  result: z.optional(z.unknown()),
  error: z.optional(errorSchema),
});

export type RpcErrorObject = z.infer<typeof errorSchema>;

export class NodeRpcError extends Error {
  readonly error: RpcErrorObject;

  constructor(method: string, error: RpcErrorObject) {
    super(`${method}: ${error.message}`);
    this.error = error;
  }
}

export function createNodeRpc(url: string): NodeRpc {
  let lastId = 0;
  const envelope = (method: string, params: readonly unknown[]) => {
    lastId += 1;
    return { jsonrpc: '2.0', id: lastId, method, params };
  };
  return {
    async call(method, params) {
      const response = responseSchema.parse(await post(url, envelope(method, params)));
      if (response.error) throw new NodeRpcError(method, response.error);
      return response.result;
    },
    async batch(calls) {
      if (calls.length === 0) return [];
      const requests = calls.map(([method, params]) => envelope(method, params));
      const responses = z.array(responseSchema).parse(await post(url, requests));
      const byId = new Map(responses.map((response) => [response.id, response]));
      return requests.map((request) => {
        const response = byId.get(request.id);
        if (!response) throw new Error(`${request.method}: no answer in the batch`);
        if (response.error) throw new NodeRpcError(request.method, response.error);
        return response.result;
      });
    },
  };
}

async function post(url: string, body: unknown): Promise<unknown> {
  const response = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.body.json();
}
