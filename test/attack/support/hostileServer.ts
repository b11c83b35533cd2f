import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type LoopbackServer, startLoopbackServer } from '../../support/loopbackServer.ts';

export interface HostileRequest {
  /** Method of a JSON-RPC call; empty for any other request. */
  readonly method: string;
  readonly params: readonly unknown[];
  /** Path with its query. */
  readonly url: string;
  readonly id: unknown;
  /** Counted from 1, since the start. */
  readonly number: number;
}

/** An answer as it goes out. `result` and `error` are put into the envelope of JSON-RPC. */
export interface HostileResponse {
  readonly result?: unknown;
  readonly error?: unknown;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of JSON-RPC. A function writes as it likes. */
  readonly body?: string | Uint8Array | ((response: ServerResponse) => void);
}

/** What a hostile server says; undefined where it answers as an honest node does. */
export type Behaviour = (question: HostileRequest) => HostileResponse | undefined;

export interface HostileServer extends LoopbackServer {
  behaviour: Behaviour;
  readonly requests: number;
}

/** A chain of 5,000 blocks without a log, asked of a node. */
const honest: Readonly<Record<string, unknown>> = {
  eth_blockNumber: '0x1388',
  eth_chainId: '0x7a69',
  eth_getBalance: '0x0',
  eth_getLogs: [],
  eth_call: '0x',
};

/** For a suite: a server that means harm. */
export function useHostileServer(): () => HostileServer {
  let server: HostileServer;
  before(async () => {
    server = await startHostileServer();
  });
  after(() => server.close());
  return () => server;
}

export async function startHostileServer(): Promise<HostileServer> {
  let requests = 0;
  const server = await startLoopbackServer(async (incoming, response) => {
    response.on('error', () => undefined);
    const body = await text(incoming);
    const url = incoming.url ?? '';
    const calls = body === '' ? {} : JSON.parse(body);
    requests++;
    const questions = [calls].flat().map((call) => questionOf(call, { number: requests, url }));
    const answers = questions.map((question) => hostile.behaviour(question) ?? honestAnswer(question));
    send(response, questions, answers, Array.isArray(calls));
  });
  const hostile: HostileServer = {
    ...server,
    behaviour: () => undefined,
    get requests() {
      return requests;
    },
  };
  return hostile;
}

function questionOf(
  call: Partial<HostileRequest>,
  place: Pick<HostileRequest, 'number' | 'url'>,
): HostileRequest {
  const { id, method = '', params = [] } = call;
  return { id, method, params, ...place };
}

function honestAnswer({ method }: HostileRequest): HostileResponse {
  if (method in honest) return { result: honest[method] };
  return method === '' ? { status: 404, body: '' } : { error: { code: -32601, message: 'no such method' } };
}

/** Of a batch, an answer with a body or a status of its own is the answer to all of it. */
function send(
  response: ServerResponse,
  questions: readonly HostileRequest[],
  answers: readonly HostileResponse[],
  isBatch: boolean,
): void {
  const bodies = answers.map(({ result, error }, place) => {
    return { jsonrpc: '2.0', id: questions[place]?.id, result, error };
  });
  const { status = 200, body } = answers.find((answer) => answer.status ?? answer.body) ?? {};
  const headers = Object.assign({}, ...answers.map((answer) => answer.headers));
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  if (typeof body === 'function') body(response);
  else response.end(body ?? JSON.stringify(isBatch ? bodies : bodies[0]));
}

const hex = (value: number, digits = 0) => `0x${value.toString(16).padStart(digits, '0')}`;

/** An address of a contract that logs. */
export const CONTRACT = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';

/** Logs of {@link CONTRACT} in one block, one after the other from an index on. */
export function logsOf(
  block: number,
  fromIndex: number,
  count: number,
  change: object = {},
): readonly object[] {
  return Array.from({ length: count }, (_, offset) => ({
    address: CONTRACT,
    blockHash: hex(block + 1, 64),
    blockNumber: hex(block),
    data: hex(fromIndex + offset, 64),
    logIndex: hex(fromIndex + offset),
    removed: false,
    topics: [hex(7, 64)],
    transactionHash: hex(block + 2, 64),
    transactionIndex: '0x0',
    ...change,
  }));
}

/** The block range and the cursor that a call of `eth_getLogs` asks for. */
export function rangeOf({ params }: HostileRequest) {
  const filter = params[0] as {
    readonly fromBlock: string;
    readonly toBlock: string;
    readonly paging_options?: { readonly blockNumber: string; readonly logIndex: string };
  };
  const cursor = filter.paging_options;
  return {
    fromBlock: Number(filter.fromBlock),
    toBlock: Number(filter.toBlock),
    cursor: cursor && {
      block: Number.parseInt(cursor.blockNumber, 16),
      index: Number.parseInt(cursor.logIndex, 16),
    },
  };
}
