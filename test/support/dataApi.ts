import type { IncomingMessage } from 'node:http';
import { fetch as undiciFetch } from 'undici';
import { createDataApiClient, type DataApiClient, type FetchLike } from '../../src/core/index.ts';
import type { DataApiClientOptions } from '../../src/core/providers/covalent/client.ts';
import { createTestClock } from './clocks.ts';
import { startLoopbackServer } from './loopbackServer.ts';

/** An answer as a data API sends it: a body that is no string goes out as JSON. */
export interface DataApiResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export const TEST_KEY = 'ckey_0123456789abcdef0123456789a';
export const HOLDER = '0x7e57000000000000000000000000000000000001';

export interface DataApiTest {
  readonly client: DataApiClient;
  readonly requests: readonly IncomingMessage[];
  /** Milliseconds of every wait that the client took. */
  readonly waits: readonly number[];
}

/** Runs `task` with a client of a loopback data API that answers as `answer` does; null leaves a request hanging. */
export async function withDataApi<T>(
  answer: (request: IncomingMessage, count: number) => DataApiResponse | null,
  task: (test: DataApiTest) => Promise<T>,
  options: Partial<DataApiClientOptions> = {},
): Promise<T> {
  const requests: IncomingMessage[] = [];
  const clock = createTestClock();
  const server = await startLoopbackServer((request, response) => {
    requests.push(request);
    const sent = answer(request, requests.length);
    if (!sent) return;
    const { status = 200, headers = { 'content-type': 'application/json' }, body } = sent;
    response.writeHead(status, { ...headers }).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const client = createDataApiClient({
    baseUrl: server.url,
    chainId: 11297108109,
    key: TEST_KEY,
    keyIn: 'query',
    fetch: undiciFetch as unknown as FetchLike,
    clock,
    ...options,
  });
  try {
    return await task({ client, requests, waits: clock.waits });
  } finally {
    await server.close();
  }
}

/** A successful answer about {@link HOLDER} with these items. */
export function responseWithItems(items: unknown, data: Record<string, unknown> = {}): DataApiResponse {
  return {
    body: {
      data: { address: HOLDER, updated_at: '2026-05-01T12:00:00.123456789Z', items, ...data },
      error: false,
      error_message: null,
      error_code: null,
    },
  };
}

export function errorResponse(
  status: number,
  message: string,
  headers: Record<string, string> = {},
): DataApiResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: { data: null, error: true, error_message: message, error_code: status },
  };
}
