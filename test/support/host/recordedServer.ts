import { text } from 'node:stream/consumers';
import {
  answerEach,
  type LoopbackServer,
  type RpcRequest,
  startLoopbackServer,
  startRpcServer,
} from '../loopbackServer.ts';

export interface StubResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text as it is sent; anything else goes out as JSON. */
  readonly body: unknown;
}

export interface RecordedServer extends LoopbackServer {
  /** Every request in one piece: path with query, headers and body. */
  readonly requests: string[];
  answer: (request: {
    readonly url: string;
    readonly body: string;
    readonly authorization?: string | undefined;
  }) => StubResponse;
}

/** A server on a free loopback port that answers as it is told at the moment and keeps what it was sent. */
export async function startRecordedServer(): Promise<RecordedServer> {
  const recorded = createRecord();
  return Object.assign(recorded, await listen(recorded));
}

/** As {@link startRecordedServer}, for the tests of a suite. */
export function useRecordedServer(answer?: RecordedServer['answer']): RecordedServer {
  const recorded = createRecord(answer);
  return useServer(() => listen(recorded), recorded);
}

function createRecord(answer: RecordedServer['answer'] = () => ({ status: 500, body: '' })): RecordedServer {
  const requests: string[] = [];
  const close = async () => undefined;
  return { requests, answer, url: '', close, [Symbol.asyncDispose]: close };
}

function listen(recorded: RecordedServer): Promise<LoopbackServer> {
  return startLoopbackServer(async (incoming, response) => {
    const body = await text(incoming);
    const url = incoming.url ?? '';
    recorded.requests.push([url, JSON.stringify(incoming.headers), body].join('\n'));
    const { authorization } = incoming.headers;
    const answer = recorded.answer({ url, body, authorization });
    const headers = { 'content-type': 'application/json', ...answer.headers };
    response.writeHead(answer.status ?? 200, headers);
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
  });
}

/** A server for the tests of a suite, which has its URL once they begin. */
export function useServer<T extends LoopbackServer>(
  start: () => Promise<LoopbackServer>,
  server = {} as T,
): T {
  before(async () => void Object.assign(server, await start()));
  after(() => server.close());
  return server;
}

/** In the place of a result: the error that a node answers by. */
export class NodeError {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    this.code = code;
    this.message = message;
    this.data = data;
  }
}

/** A stub that returns no header of a block does not offer the method. */
const withoutHeaders = ({ method }: RpcRequest, result: unknown): unknown =>
  method === 'eth_getBlockByNumber' && typeof result === 'string'
    ? new NodeError(-32601, 'the method does not exist')
    : result;

const answerBy = (resultOf: (request: RpcRequest) => unknown) =>
  answerEach((request) => {
    const result = withoutHeaders(request, resultOf(request));
    const answer = result instanceof NodeError ? { error: result } : { result };
    return { jsonrpc: '2.0', id: request.id, ...answer };
  });

/** A node for the tests of a suite, which answers each call by its result. */
export function useNode(resultOf: (request: RpcRequest) => unknown): LoopbackServer {
  return useServer(() => startRpcServer(answerBy(resultOf)));
}

/** Has a server answer as a node that answers each call by its result. */
export function answerCalls(resultOf: (request: RpcRequest) => unknown): RecordedServer['answer'] {
  const answer = answerBy(resultOf);
  return ({ body }) => ({ body: answer(JSON.parse(body)) });
}

/** A good answer of `balances_v2` with these items. */
export function balancesOf(address: string, items: readonly object[]): StubResponse {
  const data = { address, updated_at: '2026-05-01T12:00:00Z', quote_currency: 'USD', items };
  return { body: { data, error: false, error_message: null, error_code: null } };
}

/** `count` entries of it, the first of them the most valuable. */
export function itemsOf(count: number): readonly object[] {
  return Array.from({ length: count }, (_, index) => ({
    contract_address: `0x${(index + 1).toString(16).padStart(40, '0')}`,
    ...{ contract_name: `Token ${index}`, contract_ticker_symbol: `T${index}`, contract_decimals: 18 },
    ...{ supports_erc: ['erc20'], type: 'cryptocurrency', balance: '1000000000000000000' },
    ...{ quote_rate: count - index, quote: count - index, nft_data: null },
  }));
}

export function errorResponseOf(
  status: number,
  headers: Readonly<Record<string, string>> = {},
): StubResponse {
  const body = { data: null, error: true, error_message: 'No.', error_code: status };
  return { status, headers, body };
}
