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

/** The source that an explorer is, as the door of core gives it. */
const explorerProvider = providers.find(({ name }) => name === 'blockscout') as Provider;

/** Opens the REST interface of the explorer whose JSON-RPC is at `rpcUrl`: with nothing kept from before. */
export async function openExplorerPorts(
  rpcUrl: string,
  {
    clock = systemClock,
    fetch = undiciFetch as unknown as FetchLike,
  }: { clock?: Clock; fetch?: FetchLike } = {},
): Promise<ProviderPorts> {
  const http = { fetch, clock, gates: createOriginGates(clock) };
  const throttle = explorerProvider.createThrottle(http);
  const revoked = new AbortController().signal;
  const options = { ...http, url: rpcUrl, chainId: 31337, key: undefined, throttle, revoked };
  return (await explorerProvider.open(options)) as ProviderPorts;
}

/** What a made-up explorer answers: a body that is no string goes out as JSON. */
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

/** An explorer without a connection that answers as `answer` does; what that leaves open is as of one that holds nothing. */
export async function openExplorer(
  answer: (url: URL, count: number) => ExplorerResponse | undefined,
): Promise<ExplorerTest> {
  const urls: string[] = [];
  const clock = createTestClock();
  const fetch: FetchLike = async (target) => {
    const url = new URL(target);
    urls.push(url.pathname + url.search);
    const { status = 200, headers = {}, body } = answer(url, urls.length) ?? usual(url);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return new Response(text, { status, headers: { 'content-type': 'application/json', ...headers } });
  };
  const ports = await openExplorerPorts('https://explorer.example/api/eth-rpc', { clock, fetch });
  return { ports, urls, waits: clock.waits };
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
