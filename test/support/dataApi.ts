import { createDataApiClient, type DataApiClient, type FetchLike } from '../../src/core/index.ts';
import type { DataApiClientOptions } from '../../src/core/providers/covalent/client.ts';
import { createTestClock } from './clocks.ts';

/** An answer as a data API sends it: a body that is no string goes out as JSON. */
export interface DataApiResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export const TEST_KEY = 'ckey_0123456789abcdef0123456789a';
export const HOLDER = '0x7e57000000000000000000000000000000000001';

type Request = Parameters<FetchLike>[1] & { readonly url: string };

export interface DataApiTest {
  readonly client: DataApiClient;
  /** Each with path and query as its URL. */
  readonly requests: readonly Request[];
  /** Milliseconds of every wait that the client took. */
  readonly waits: readonly number[];
}

/** A client of a data API that answers as `answer` does, without a connection; null leaves a request hanging. */
export function openDataApi(
  answer: (request: Request, count: number) => DataApiResponse | null,
  options: Partial<DataApiClientOptions> = {},
): DataApiTest {
  const requests: Request[] = [];
  const clock = createTestClock();
  const fetch: FetchLike = async (target, init) => {
    const { pathname, search } = new URL(target);
    const request = { ...init, url: pathname + search };
    requests.push(request);
    const sent = answer(request, requests.length);
    if (!sent) return new Promise(() => undefined);
    const { status = 200, headers = { 'content-type': 'application/json' }, body } = sent;
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });
  };
  const client = createDataApiClient({
    ...{ baseUrl: 'https://data.example', chainId: 11297108109, key: TEST_KEY, keyIn: 'query' },
    ...{ fetch, clock },
    ...options,
  });
  return { client, requests, waits: clock.waits };
}

/** Runs `task` with such a client. */
export const withDataApi = <T>(
  answer: Parameters<typeof openDataApi>[0],
  task: (test: DataApiTest) => Promise<T>,
  options?: Partial<DataApiClientOptions>,
): Promise<T> => task(openDataApi(answer, options));

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
