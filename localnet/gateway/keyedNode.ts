import type { RecordedRequest } from '../http/faults.ts';
import { type RecordingServer, type Reply, startRecordingServer } from '../http/recordingServer.ts';

/** Where a provider of nodes looks for the key. */
export type KeyWanted =
  | { readonly in: 'path' }
  | { readonly in: 'query'; readonly name: string }
  | { readonly in: 'header'; readonly name: string };

export type KeyedNode = RecordingServer & {
  /** Its JSON-RPC, with `${key}` where the key goes, if that is in the URL. */
  readonly rpcUrl: string;
};

export type KeyedNodeOptions = {
  /** The node behind it. */
  readonly url: string;
  readonly key: string;
  readonly wants: KeyWanted;
  /** What it says to a wrong key or none; `echo` repeats what it was sent, as some do. */
  readonly refusal?: 'plain' | 'echo';
};

/** A provider of nodes that answers for a key, and hands what it is asked on to the node itself. */
export async function startKeyedNode({
  url,
  key,
  wants,
  refusal = 'plain',
}: KeyedNodeOptions): Promise<KeyedNode> {
  const server = await startRecordingServer({
    port: 0,
    async handle(request) {
      if (keyIn(request, wants) === key) return forward(url, request);
      const words = refusal === 'plain' ? 'invalid api key' : `invalid api key in ${told(request)}`;
      const error = { code: -32001, message: words };
      return json(401, JSON.stringify({ jsonrpc: '2.0', id: null, error }));
    },
  });
  return Object.assign(server, { rpcUrl: `${server.origin}${pathFor(wants)}` });
}

function pathFor(wants: KeyWanted): string {
  if (wants.in === 'path') return `/v3/\${key}`;
  return wants.in === 'query' ? `/rpc?${wants.name}=\${key}` : '/rpc';
}

function keyIn({ url, headers }: RecordedRequest, wants: KeyWanted): string | undefined {
  const { pathname, searchParams } = new URL(url, 'http://node');
  if (wants.in === 'path') return decodeURIComponent(/^\/v3\/([^/]+)$/.exec(pathname)?.[1] ?? '');
  if (wants.in === 'query') return searchParams.get(wants.name) ?? undefined;
  const header = headers[wants.name];
  return typeof header === 'string' ? header.replace(/^Bearer /, '') : undefined;
}

function told({ url, headers }: RecordedRequest): string {
  return JSON.stringify({ url, headers });
}

async function forward(url: string, { body }: RecordedRequest): Promise<Reply> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body });
  return json(answer.status, await answer.text());
}

function json(status: number, body: string): Reply {
  return { status, headers: { 'content-type': 'application/json' }, body };
}
