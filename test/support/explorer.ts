import { fetch as undiciFetch } from 'undici';
import {
  type Clock,
  createOriginGates,
  type FetchLike,
  type Provider,
  type ProviderPorts,
  providers,
  systemClock,
} from '../../src/core/index.ts';
import { createTestClock } from './clocks.ts';
import { startLoopbackServer } from './loopbackServer.ts';

/** The source that an explorer is, as the door of core gives it. */
export const explorerProvider = providers.find(({ name }) => name === 'blockscout') as Provider;

/** Opens the REST interface of the explorer whose JSON-RPC is at `rpcUrl`: with nothing kept from before. */
export async function openExplorerPorts(
  rpcUrl: string,
  {
    clock = systemClock,
    revoked = new AbortController().signal,
  }: { clock?: Clock; revoked?: AbortSignal } = {},
): Promise<ProviderPorts> {
  const fetch = undiciFetch as unknown as FetchLike;
  const http = { fetch, clock, gates: createOriginGates(clock) };
  const throttle = explorerProvider.createThrottle(http);
  const key = undefined;
  return (await explorerProvider.open({
    ...http,
    url: rpcUrl,
    chainId: 31337,
    key,
    throttle,
    revoked,
  })) as ProviderPorts;
}

/** What a made-up explorer answers: a body that is no string goes out as JSON; null leaves the request hanging. */
export interface ExplorerResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface ExplorerTest {
  readonly ports: ProviderPorts;
  /** Path and query of every request. */
  readonly urls: readonly string[];
  readonly waits: readonly number[];
}

/**
 * Runs `task` against an explorer that answers as `answer` does; what that leaves open is as of one that holds nothing.
 */
export async function withExplorer<T>(
  answer: (url: URL, count: number) => ExplorerResponse | undefined,
  task: (test: ExplorerTest) => Promise<T>,
): Promise<T> {
  const urls: string[] = [];
  const clock = createTestClock();
  const server = await startLoopbackServer((request, response) => {
    urls.push(request.url ?? '');
    const url = new URL(request.url ?? '', 'http://explorer');
    const { status = 200, headers = {}, body } = answer(url, urls.length) ?? usual(url);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  try {
    const ports = await openExplorerPorts(`${server.url}/api/eth-rpc`, { clock });
    return await task({ ports, urls, waits: clock.waits });
  } finally {
    await server.close();
  }
}

function usual({ pathname }: URL): ExplorerResponse {
  if (pathname.endsWith('/indexing-status')) {
    return {
      body: { finished_indexing: true, finished_indexing_blocks: true, indexed_blocks_ratio: '1.00' },
    };
  }
  if (pathname.endsWith('/tabs-counters')) return { body: { token_balances_count: 0 } };
  if (pathname.endsWith('/token-balances')) return { body: [] };
  if (/\/addresses\/0x[\da-f]{40}$/.test(pathname))
    return { body: { coin_balance: null, exchange_rate: null } };
  return { body: { items: [], next_page_params: null } };
}
