import { text } from 'node:stream/consumers';
import { type LoopbackServer, startLoopbackServer } from '../loopbackServer.ts';

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
  const requests: string[] = [];
  const server = await startLoopbackServer(async (incoming, response) => {
    const body = await text(incoming);
    const url = incoming.url ?? '';
    requests.push([url, JSON.stringify(incoming.headers), body].join('\n'));
    const { authorization } = incoming.headers;
    const answer = recorded.answer({ url, body, authorization });
    const headers = { 'content-type': 'application/json', ...answer.headers };
    response.writeHead(answer.status ?? 200, headers);
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
  });
  const recorded: RecordedServer = { ...server, requests, answer: () => ({ status: 500, body: '' }) };
  return recorded;
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
