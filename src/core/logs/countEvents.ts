import type { Address, Hex } from '../eth/hex.ts';
import type { Log } from './log.ts';
import { type BlockTag, createLogFilter } from './query/filter.ts';
import type { LoadRestOptions, LogClient } from './query/logQuery.ts';
import type { Verdict, VerdictReason } from './query/verdict.ts';

/** How often an event has fired, as far as that was looked at. */
export interface EventTally {
  readonly topic0: Hex;
  readonly count: number;
  /** Whether that is all of the range: else there are at least so many, and it was not looked for below `from`. */
  readonly isWhole: boolean;
  /** The first block that was looked at. */
  readonly from: bigint;
  /** The newest one. */
  readonly last: Log | undefined;
}

export interface EventTallies {
  readonly events: readonly EventTally[];
  /** The blocks that were asked for, bounded by the newest. */
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** Why a tally may lack some. */
  readonly reasons: readonly VerdictReason[];
  readonly requests: number;
}

export interface TallyRequest {
  /** One or more. */
  readonly addresses: readonly Address[];
  /** One or more. */
  readonly topics0: readonly Hex[];
  readonly fromBlock: BlockTag;
  /** Rows after which the most frequent event is left as it is, and the others are looked for further on. */
  readonly most: number;
}

/**
 * Counts logs by their event: newest first, in one query for all of them where they are few. An event with more rows than
 * all may have together is left behind with at least so many, so that it takes no place from rare ones.
 *
 * @throws AppError as {@link LogClient} does, and the signal's reason.
 * @example
 * const { events } = await tallyEvents(client, { addresses, topics0, fromBlock: 0n, most: 50_000 });
 */
export async function tallyEvents(
  source: LogClient,
  { addresses, topics0, fromBlock, most }: TallyRequest,
  options: LoadRestOptions = {},
): Promise<EventTallies> {
  const counters = new Map(topics0.map((topic0) => [topic0, createCounter(topic0)]));
  const doubts: VerdictReason[] = [];
  let open = [...counters.values()];
  let toBlock: BlockTag = 'latest';
  let first: Verdict | undefined;
  let requests = 0;

  while (open.length > 0) {
    const filter = { addresses, topics: [open.map(({ topic0 }) => topic0)], fromBlock, toBlock };
    const read = await readStep(source, { filter: createLogFilter(filter), counters, most }, options);
    first ??= read;
    requests += read.requests;
    doubts.push(...read.reasons);
    const through = read.readThrough ?? read.toBlock;
    for (const counter of open) counter.readThrough(through);
    if (read.state !== 'more' || through <= read.fromBlock) break;
    const [heaviest, ...others] = open.sort((a, b) => b.count() - a.count());
    heaviest?.stop();
    open = others;
    toBlock = through - 1n;
  }

  return {
    events: [...counters.values()].map(({ tally }) => tally()),
    ...{ fromBlock: first?.fromBlock ?? 0n, toBlock: first?.toBlock ?? 0n },
    ...{ reasons: doubts, requests },
  };
}

interface TallyStep {
  readonly filter: ReturnType<typeof createLogFilter>;
  readonly counters: ReadonlyMap<Hex, Counter>;
  readonly most: number;
}

/** Reads up to so many rows, a page more at the most. */
async function readStep(
  source: LogClient,
  { filter, counters, most }: TallyStep,
  options: LoadRestOptions,
): Promise<Verdict> {
  const query = source.openLogQuery(filter, { order: 'newestFirst' });
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
  /** Of what is below the block not all rows may have come: they come again. */
  readThrough(block: bigint): void;
  /** It is looked for no further. */
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
