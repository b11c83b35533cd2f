import { fetch } from 'undici';
import {
  createChainClient,
  type FetchLike,
  type Log,
  type LogOrder,
  type LogQuery,
  parseLogFilter,
  systemClock,
  type Verdict,
} from '../../src/core/index.ts';

/** What a query has sent. */
export interface Traffic {
  /** Bodies of its JSON-RPC requests. */
  readonly bodies: readonly string[];
  /** Most requests that were under way together. */
  readonly mostAtOnce: number;
}

export interface CountedQuery extends LogQuery {
  readonly traffic: Traffic;
}

/** A query by core over undici, as outside the editor. Each begins without knowing the server. */
export function openQuery(
  url: string,
  filter: Readonly<Record<string, unknown>>,
  order: LogOrder = 'oldestFirst',
): CountedQuery {
  const bodies: string[] = [];
  let underWay = 0;
  let mostAtOnce = 0;
  const countingFetch: FetchLike = async (target, init) => {
    if (init.body !== undefined) bodies.push(init.body);
    mostAtOnce = Math.max(mostAtOnce, ++underWay);
    try {
      return (await fetch(target, init)) as unknown as Response;
    } finally {
      underWay--;
    }
  };
  const client = createChainClient({ fetch: countingFetch, clock: systemClock, url });
  const asked = parseLogFilter({ fromBlock: 'earliest', toBlock: 'latest', ...filter });
  const query = client.openLogQuery(asked, { order });
  return {
    get verdict() {
      return query.verdict;
    },
    nextPage: (options) => query.nextPage(options),
    rest: (options) => query.rest(options),
    get traffic() {
      return { bodies, mostAtOnce };
    },
  };
}

/** Loads all that a query gives and hands on each page. @returns its final verdict. */
export async function loadAll(query: LogQuery, onLogs: (logs: readonly Log[]) => void): Promise<Verdict> {
  for await (const { logs } of query.rest()) onLogs(logs);
  const { verdict } = query;
  if (!verdict) throw new Error('A query ended without a verdict.');
  return verdict;
}
