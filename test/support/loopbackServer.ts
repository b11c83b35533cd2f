import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface LoopbackServer {
  readonly url: string;
  close(): Promise<void>;
}

/** An HTTP server on a free loopback port that answers as `listener` does. */
export async function startLoopbackServer(listener: RequestListener): Promise<LoopbackServer> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export interface RpcRequest {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A JSON-RPC server whose `answer` gives the response body for a request: an object, or text sent as it is. */
export function startRpcServer(answer: (request: RpcRequest, response: ServerResponse) => unknown) {
  return startLoopbackServer(async (incoming: IncomingMessage, response) => {
    const body = answer((await json(incoming)) as RpcRequest, response);
    if (response.writableEnded || body === undefined) return;
    response.setHeader('content-type', 'application/json');
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}

/** Answers a batch by the answers to its calls; as a whole where one of these is a text, or none. */
export function answerEach(answer: (request: RpcRequest) => unknown) {
  return (request: RpcRequest | readonly RpcRequest[]): unknown => {
    if (!('length' in request)) return answer(request);
    const answers = request.map(answer);
    return answers.includes(undefined)
      ? undefined
      : (answers.find((one) => typeof one === 'string') ?? answers);
  };
}
