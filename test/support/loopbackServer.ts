import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { json } from 'node:stream/consumers';
import type { FetchLike } from '../../src/core/index.ts';

export interface LoopbackServer extends AsyncDisposable {
  readonly url: string;
  close(): Promise<void>;
}

/** An HTTP server on a free loopback port that answers as `listener` does. */
export async function startLoopbackServer(listener: RequestListener): Promise<LoopbackServer> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { url: `http://127.0.0.1:${port}`, close, [Symbol.asyncDispose]: close };
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

/** A `fetch` that reaches such a server without a connection. */
export function createRpcFetch(answer: (request: RpcRequest) => unknown): FetchLike {
  return async (_url, { body = '' }) => {
    const sent = answer(JSON.parse(body));
    return new Response(typeof sent === 'string' ? sent : JSON.stringify(sent));
  };
}

/** A JSON-RPC server that has these results by method, and no other method. */
export function startMethodServer(results: Readonly<Record<string, unknown>>) {
  return startRpcServer(({ id, method }) => ({
    ...{ jsonrpc: '2.0', id },
    ...(method in results ? { result: results[method] } : { error: { code: -32601, message: 'no' } }),
  }));
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

/** Sockets that are relayed to each other in pairs, as long as they are open. */
export function createRelayedSockets() {
  const sockets = new Set<Socket>();
  return {
    /** What breaks one of the two ends the other. */
    add(client: Socket, upstream: Socket): void {
      for (const [socket, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        sockets.add(socket);
        socket.on('error', () => other.destroy());
        socket.on('close', () => sockets.delete(socket));
      }
    },
    destroyAll(): void {
      for (const socket of sockets) socket.destroy();
    },
  };
}

export interface TunnelProxy extends AsyncDisposable {
  readonly url: string;
  /** Host and port of every tunnel asked for. */
  readonly asked: readonly string[];
}

/**
 * An HTTP proxy that opens a tunnel (`CONNECT`) for hosts that exist nowhere else: `hosts` says at which loopback URL
 * each is served. The editor's `fetch` asks for a tunnel for plain http, too.
 */
export async function startTunnelProxy(
  hosts: Readonly<Record<string, string>>,
  {
    credentials,
  }: { /** `USER:PASSWORD` that it asks for; else it asks for none. */ readonly credentials?: string } = {},
): Promise<TunnelProxy> {
  const wanted = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
  const asked: string[] = [];
  const sockets = createRelayedSockets();
  const server = createServer((_request, response) => response.writeHead(501).end());
  server.on('connect', (request, client: Socket) => {
    const host = request.url ?? '';
    asked.push(host);
    if (wanted !== undefined && request.headers['proxy-authorization'] !== wanted) {
      client.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="test"\r\n\r\n',
      );
      return;
    }
    const target = hosts[host];
    if (target === undefined) {
      client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      return;
    }
    const upstream = connect(Number(new URL(target).port), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    sockets.add(client, upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      sockets.destroyAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
