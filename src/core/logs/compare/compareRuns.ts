import { type Clock, systemClock } from '../../base/clock.ts';
import type { Abortable } from '../../base/concurrency.ts';
import { createTimeSlices } from '../../base/timeSlices.ts';
import { bigintMax, bigintMin } from '../../base/values.ts';
import type { Log } from '../log.ts';
import type { Verdict } from '../query/verdict.ts';
import type { LogStore } from '../store/logStore.ts';
import { createLoadedRows } from './compareClients.ts';
import {
  type BlockWindow,
  createRowDifferences,
  type DifferenceCounts,
  type RowDifference,
} from './secondOpinion.ts';

/** The rows that a query gave at one time, in the order of the verdict, and what they are worth. */
export interface ComparableRun {
  readonly rows: Pick<LogStore, 'blockNumberAt' | 'length' | 'slice'>;
  readonly verdict: Pick<Verdict, 'state' | 'reasons' | 'fromBlock' | 'toBlock' | 'order'>;
}

/** Rows that only one of two runs can have, as the other did not ask for their blocks: how many, and the first. */
interface RowsBeyond {
  readonly count: number;
  readonly rows: readonly Log[];
}

/**
 * What a query gives now (`here`) against what it gave before (`there`). Rows of blocks that both runs asked for are told
 * apart from those of other blocks: the former change only where the chain was reorganised, or a server gave too few or too
 * many, the latter as the chain grows.
 */
export interface RunComparison extends DifferenceCounts {
  /** `unknown`: nothing is claimed, as one of both is not complete, or they have no block in common. */
  readonly state: 'differ' | 'same' | 'unknown';
  readonly reason?: 'notWholeHere' | 'notWholeThere' | 'nothingCommon' | undefined;
  /** The blocks that both asked for; the last is below the first where there are none. */
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** Rows of these blocks that both gave alike. */
  readonly alike: number;
  /** The first rows of each kind, of these blocks, that are not alike. */
  readonly rows: readonly RowDifference[];
  /** Rows of now above the blocks of the run before, and below them. */
  readonly newer: RowsBeyond;
  readonly older: RowsBeyond;
  /** Rows of before of blocks that are not asked for now, or not reached. */
  readonly left: RowsBeyond;
  /** Of the rows that are not alike: how many are of blocks that were replaced, and of blocks that are still there. */
  readonly replaced: number;
  readonly unmoved: number;
}

interface RunsOptions extends Abortable {
  readonly clock?: Clock | undefined;
  /** Rows that are kept of each kind; default 100. */
  readonly mostRows?: number | undefined;
  /** Asked of a few blocks, where the rows do not tell whether these were replaced. */
  readonly blockHash?: BlockHashNow | undefined;
}

const MAX_ROWS = 100;
const NONE: RowsBeyond = { count: 0, rows: [] };

/**
 * Compares the rows that a query gives now with those that it gave before. Asks for nothing but what `blockHash` is asked.
 *
 * @throws AppError `aborted`, and what `blockHash` does.
 * @example const { state, newer } = await compareRuns({ rows, verdict }, before);
 */
export async function compareRuns(
  here: ComparableRun,
  there: ComparableRun,
  { mostRows = MAX_ROWS, blockHash, clock = systemClock, signal }: RunsOptions = {},
): Promise<RunComparison> {
  const [a, b] = [here.verdict, there.verdict];
  const common = { fromBlock: bigintMax(a.fromBlock, b.fromBlock), toBlock: bigintMin(a.toBlock, b.toBlock) };
  const reason = reasonAgainst(a, b, common);
  const blocksApart: bigint[] = [];
  const open: Pick<Log, 'blockNumber' | 'blockHash'>[] = [];
  const apart = createRowDifferences(mostRows, ({ here: is, there: was }) => {
    blocksApart.push((is ?? was)?.blockNumber ?? 0n);
    if (was) open.push({ blockNumber: was.blockNumber, blockHash: was.blockHash });
  });
  const [now, before] = [createLoadedRows(here.rows, a.order), createLoadedRows(there.rows, b.order)];
  const told = { ...common, ...apart.counts, alike: 0, rows: [], newer: NONE, older: NONE, left: NONE };
  if (reason) return { ...told, state: 'unknown', reason, replaced: 0, unmoved: 0 };
  const slices = createTimeSlices(clock);
  async function* read(pages: Iterable<readonly Log[]>): AsyncGenerator<readonly Log[]> {
    for (const logs of pages) {
      yield logs;
      if (slices.isOver()) await slices.rest({ signal });
    }
  }
  await apart.compare(read(now(common)), read(before(common)));
  const differ = blocksApart.length > 0;
  const blocks = differ
    ? await holdBlocks(read(now(common)), read(before(common)), { open, blockHash })
    : undefined;
  const beyond = (pages: Iterable<readonly Log[]>) => firstOf(read(pages), mostRows);
  function* notAskedNow(): Generator<readonly Log[]> {
    yield* before({ fromBlock: b.fromBlock, toBlock: bigintMin(a.fromBlock - 1n, b.toBlock) });
    yield* before({ fromBlock: bigintMax(a.toBlock + 1n, b.fromBlock), toBlock: b.toBlock });
  }
  return {
    ...told,
    ...apart.counts,
    state: differ ? 'differ' : 'same',
    alike: apart.alike,
    rows: apart.rows,
    newer: await beyond(now({ fromBlock: bigintMax(b.toBlock + 1n, a.fromBlock), toBlock: a.toBlock })),
    older: await beyond(now({ fromBlock: a.fromBlock, toBlock: bigintMin(b.fromBlock - 1n, a.toBlock) })),
    left: await beyond(notAskedNow()),
    replaced: blocksApart.filter((block) => blocks?.isReplaced(block)).length,
    unmoved: blocksApart.filter((block) => blocks?.isSame(block)).length,
  };
}

function reasonAgainst(
  a: ComparableRun['verdict'],
  b: ComparableRun['verdict'],
  { fromBlock, toBlock }: BlockWindow,
): RunComparison['reason'] {
  if (a.state !== 'complete') return 'notWholeHere';
  if (b.state !== 'complete') return 'notWholeThere';
  return toBlock < fromBlock ? 'nothingCommon' : undefined;
}

async function firstOf(pages: AsyncIterable<readonly Log[]>, most: number): Promise<RowsBeyond> {
  const rows: Log[] = [];
  let count = 0;
  for await (const logs of pages) {
    count += logs.length;
    rows.push(...logs.slice(0, most - rows.length));
  }
  return { count, rows };
}

type Pages = AsyncIterable<readonly Log[]>;
type BlockOfLog = Pick<Log, 'blockNumber' | 'blockHash'>;

/** The hash that a block of the chain has now; undefined where nobody tells. */
type BlockHashNow = (block: bigint) => Promise<string | undefined>;

/** Which blocks are the same as before, and which were replaced by others. Of some neither is known. */
export interface SameBlocks {
  isSame(block: bigint): boolean;
  isReplaced(block: bigint): boolean;
}

/** More questions than halve any range of blocks that has rows. */
const MAX_REQUESTS = 40;

/**
 * Holds the blocks of rows of now against those of before. A block stands for all below it: those below one that is the same
 * are the same, those above one that is another are others. What rows leave open is asked, a few blocks at the most.
 *
 * @param open blocks of rows of before that are to be known, oldest first.
 */
async function holdBlocks(
  here: Pages,
  there: Pages,
  {
    open,
    blockHash,
  }: { readonly open: readonly BlockOfLog[]; readonly blockHash?: BlockHashNow | undefined },
): Promise<SameBlocks> {
  let same: bigint | undefined;
  let other: bigint | undefined;
  function note({ blockNumber, blockHash: hash }: BlockOfLog, was: string): void {
    if (was === hash) same = bigintMax(same ?? blockNumber, blockNumber);
    else other = bigintMin(other ?? blockNumber, blockNumber);
  }
  const known: SameBlocks = {
    isSame: (block) => isChain(same, other) && same !== undefined && block <= same,
    isReplaced: (block) => isChain(same, other) && other !== undefined && block >= other,
  };

  const before = new Map<bigint, string>();
  for await (const logs of there) for (const log of logs) before.set(log.blockNumber, log.blockHash);
  for await (const logs of here) {
    for (const log of logs) {
      const was = before.get(log.blockNumber);
      if (was !== undefined) note(log, was);
    }
  }
  for (let asked = 0; blockHash && asked < MAX_REQUESTS; asked++) {
    const unknown = open.filter(
      ({ blockNumber }) => !known.isSame(blockNumber) && !known.isReplaced(blockNumber),
    );
    const middle = unknown[unknown.length >>> 1];
    const hash = middle && (await blockHash(middle.blockNumber));
    if (!middle || hash === undefined) break;
    note(middle, hash);
    if (!isChain(same, other)) break;
  }
  return known;
}

/** Of a chain that tells both of one block nothing follows. */
function isChain(same: bigint | undefined, other: bigint | undefined): boolean {
  return same === undefined || other === undefined || same < other;
}
