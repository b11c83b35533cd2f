import { pushAll } from '../base/values.ts';
import type { Address, Hex } from '../eth/hex.ts';
import type { Log } from './log.ts';
import { type BlockTag, createLogFilter, type LogFilter } from './query/filter.ts';
import type { LoadRestOptions, LogClient } from './query/logQuery.ts';
import type { Verdict, VerdictReason } from './query/verdict.ts';

/** How often an event was emitted in the blocks read so far. */
export interface EventTally {
  readonly topic0: Hex;
  readonly count: number;
  /** Whether the entire range was read; otherwise `count` is a minimum, and blocks below `from` were not read. */
  readonly isWhole: boolean;
  /** The first block read. */
  readonly from: bigint;
  /** The newest log. */
  readonly last: Log | undefined;
}

export interface EventTallies {
  readonly events: readonly EventTally[];
  /** First block of the requested range. */
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** Why a tally may be too low. */
  readonly reasons: readonly VerdictReason[];
  readonly requests: number;
}

export interface TallyRequest {
  /** At least one. */
  readonly addresses: readonly Address[];
  /** At least one. */
  readonly topics0: readonly Hex[];
  readonly fromBlock: BlockTag;
  readonly deployments?: LogFilter['deployments'];
  /** Rows after which the most frequent event is not counted further, while the others are. */
  readonly most: number;
}

/**
 * Counts logs by their event, newest first, in a single query for all events if they are few. Once the query has
 * `most` rows, the most frequent event is not counted further, so that it does not crowd out rare ones.
 *
 * @throws AppError as {@link LogClient} does, and the signal's reason.
 * @example
 * const { events } = await tallyEvents(client, { addresses, topics0, fromBlock: 0n, most: 50_000 });
 */
export async function tallyEvents(
  client: LogClient,
  { addresses, topics0, most, ...range }: TallyRequest,
  options: LoadRestOptions = {},
): Promise<EventTallies> {
  const counters = new Map(topics0.map((topic0) => [topic0, createCounter(topic0)]));
  const reasons: VerdictReason[] = [];
  let open = [...counters.values()];
  let toBlock: BlockTag = 'latest';
  let first: Verdict | undefined;
  let requests = 0;

  while (open.length > 0) {
    const filter = { addresses, topics: [open.map(({ topic0 }) => topic0)], ...range, toBlock };
    const verdict = await readStep(client, { filter: createLogFilter(filter), counters, most }, options);
    first ??= verdict;
    requests += verdict.requests;
    pushAll(reasons, verdict.reasons);
    const through = verdict.readThrough ?? verdict.toBlock;
    for (const counter of open) counter.readThrough(through);
    if (verdict.state !== 'more' || through <= verdict.fromBlock) break;
    const [heaviest, ...others] = open.sort((a, b) => b.count() - a.count());
    heaviest?.stop();
    open = others;
    toBlock = through - 1n;
  }

  return {
    events: [...counters.values()].map(({ tally }) => tally()),
    fromBlock: first?.fromBlock ?? 0n,
    toBlock: first?.toBlock ?? 0n,
    reasons,
    requests,
  };
}

interface TallyStep {
  readonly filter: ReturnType<typeof createLogFilter>;
  readonly counters: ReadonlyMap<Hex, Counter>;
  readonly most: number;
}

/** Reads up to `most` rows, and at most one page more. */
async function readStep(
  client: LogClient,
  { filter, counters, most }: TallyStep,
  options: LoadRestOptions,
): Promise<Verdict> {
  const query = client.openLogQuery(filter, { order: 'newestFirst' });
  let rows = 0;
  let verdict: Verdict | undefined;
  for await (const page of query.rest(options)) {
    verdict = page.verdict;
    for (const log of page.logs) counters.get(log.topics[0] ?? '0x')?.add(log);
    rows += page.logs.length;
    if (rows >= most && verdict.state === 'more') return verdict;
  }
  if (!verdict) throw new Error('A query ended without a verdict.');
  return verdict;
}

interface Counter {
  readonly topic0: Hex;
  count(): number;
  add(log: Log): void;
  /** Drops the rows below `block`: they may be incomplete, and are read again. */
  readThrough(block: bigint): void;
  /** This event is not counted further. */
  stop(): void;
  tally(): EventTally;
}

function createCounter(topic0: Hex): Counter {
  let count = 0;
  let isWhole = true;
  let from = 0n;
  let last: Log | undefined;
  let lowest: { readonly block: bigint; readonly count: number } | undefined;
  return {
    topic0,
    count: () => count,
    add(log) {
      last ??= log;
      count++;
      const { blockNumber: block } = log;
      lowest = { block, count: lowest?.block === block ? lowest.count + 1 : 1 };
    },
    readThrough(block) {
      from = block;
      if (!lowest || lowest.block >= block) return;
      count -= lowest.count;
      if (last && last.blockNumber === lowest.block) last = undefined;
      lowest = undefined;
    },
    stop() {
      isWhole = false;
    },
    tally: () => ({ topic0, count, isWhole, from, last }),
  };
}
