import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** What a server has been asked since it was last told to forget. */
export interface Recorded {
  /** Bodies of the JSON-RPC requests, in the order of arrival. */
  readonly bodies: readonly string[];
  /** Requests of every kind. */
  readonly requests: number;
  /** Most requests that were under way together. */
  readonly mostAtOnce: number;
}

export interface CountedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface CountedReply {
  readonly status: number;
  readonly type: string | undefined;
  /** Parts of the body, sent as they are. */
  readonly body: readonly (Uint8Array | string)[];
}

export interface CountingServerOptions {
  /** Waited before every answer. */
  readonly latencyMs: number;
  readonly answer: (request: CountedRequest) => CountedReply | Promise<CountedReply>;
}

export const recordedPath = '/recorded';

/** Serves on a free port of the loopback address. `GET /recorded` tells what was asked, and forgets it. */
export async function startCountingServer({ latencyMs, answer }: CountingServerOptions): Promise<string> {
  let bodies: string[] = [];
  let requests = 0;
  let underWay = 0;
  let mostAtOnce = 0;

  function tellRecorded(): CountedReply {
    const recorded: Recorded = { bodies, requests, mostAtOnce };
    bodies = [];
    requests = 0;
    mostAtOnce = 0;
    return { status: 200, type: 'application/json', body: [JSON.stringify(recorded)] };
  }

  async function count(request: CountedRequest): Promise<CountedReply> {
    requests++;
    if (request.body !== '') bodies.push(request.body);
    mostAtOnce = Math.max(mostAtOnce, ++underWay);
    try {
      if (latencyMs > 0) await delay(latencyMs);
      return await answer(request);
    } finally {
      underWay--;
    }
  }

  const server = createServer((incoming, response) => {
    readRequest(incoming)
      .then((request) => (request.url === recordedPath ? tellRecorded() : count(request)))
      .then((reply) => send(response, reply))
      .catch((error) => response.destroy(error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function readRequest(incoming: IncomingMessage): Promise<CountedRequest> {
  const { method = '', url = '', headers } = incoming;
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return { method, url, headers, body: Buffer.concat(chunks).toString() };
}

function send(response: ServerResponse, { status, type, body }: CountedReply): void {
  const bytes = body.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  response.writeHead(status, { ...(type && { 'content-type': type }), 'content-length': bytes });
  for (const part of body) response.write(part);
  response.end();
}
