import { forkSigns } from '../guards/forkSigns.ts';
import type { Log } from '../query/log.ts';
import { matchesFilter } from '../query/logFilter.ts';
import { passesOrphans } from '../server/dialect.ts';
import { learnFromShape } from '../server/dialectMemory.ts';
import type { ServerFilter } from '../server/serverFilters.ts';
import { askAlone, type FetchRange } from './askLogs.ts';
import { askUnsettled, lookOnce } from './askUnsettled.ts';
import type { LogSource } from './logSource.ts';
import { readLogs, type WireLogs } from './readLogs.ts';

/** One answer of the server. */
export interface FetchedLogs extends WireLogs {
  /** Heights at which orphaned logs may pass for true ones. */
  readonly doubtfulAt: readonly bigint[];
  /** Of {@link logs}, those that the whole filter and the block range let through. */
  readonly matching: readonly Log[];
  /** Some of {@link logs} were not asked for: what is not there may be missing. */
  readonly hasStrays: boolean;
  /**
   * Last block of the range of which the machine knew that answered: above it rows are missing. Below the first block
   * asked for where no machine that knows that block could be found.
   */
  readonly knownTo: bigint;
  /** No machine told what it knew, so that several answers were compared instead. */
  readonly compared: boolean;
  /** From this block on the rows are of another chain than those that were read before. */
  readonly reorgAt?: bigint | undefined;
  /** The first block that the server has, where the range begins below it. */
  readonly startsAt?: bigint | undefined;
}

/**
 * The rows of a block range for a part of the filter, from one `eth_getLogs` request if all goes well. Every row is
 * held against the whole filter. Near the head it is seen to it that the machine that answers knows these blocks.
 *
 * @throws AppError as {@link RpcClient.call} does, and `badLogs` for rows that are no logs.
 */
export async function fetchLogs(
  source: LogSource,
  part: ServerFilter,
  range: FetchRange,
): Promise<FetchedLogs> {
  if (source.askCovered) {
    const needsLast = source.direction.order === 'newestFirst';
    const asked = { ...range, needsLast, effort: source.effort };
    const { wire, head, ...known } = await source.askCovered(part, asked);
    if (head !== undefined) source.noteHead(head);
    return { ...holdAgainst(source, part, { ...range, wire }), ...known, compared: false };
  }
  if (range.toBlock >= source.unsettledFrom) {
    const { wire, ...known } = await askUnsettled(source, part, range);
    return { ...holdAgainst(source, part, { ...range, wire }), ...known };
  }
  const asked = await askAlone(source, part, range);
  if ('refusal' in asked) throw asked.refusal;
  const wire = readLogs(asked.result);
  return {
    ...holdAgainst(source, part, { ...range, wire }),
    ...{ knownTo: range.toBlock, compared: false },
  };
}

/** One answer near the head, and the newest block of the machine that gave it, where it told. */
export interface Look extends Omit<FetchedLogs, 'compared'> {
  readonly head: bigint | undefined;
}

/**
 * {@link fetchLogs} from one request, whatever its answer is worth: what it says nothing of is asked for another time.
 *
 * @returns undefined where the machine that answered knows none of the blocks.
 * @throws AppError as {@link RpcClient.call} does, and `badLogs` for rows that are no logs.
 */
export async function lookAtLogs(
  source: LogSource,
  part: ServerFilter,
  range: FetchRange,
): Promise<Look | undefined> {
  if (source.askCovered) {
    const asked = { ...range, needsLast: false, effort: source.effort };
    const { wire, ...known } = await source.askCovered(part, asked);
    if (known.head !== undefined) source.noteHead(known.head);
    return { ...holdAgainst(source, part, { ...range, wire }), ...known };
  }
  const { wire, ...known } = await lookOnce(source, part, range);
  return wire && { ...holdAgainst(source, part, { ...range, wire }), ...known };
}

function holdAgainst(
  { filter, memory, strays }: LogSource,
  part: ServerFilter,
  { fromBlock, toBlock, wire }: FetchRange & { readonly wire: WireLogs },
): Omit<FetchedLogs, 'compared' | 'knownTo' | 'reorgAt' | 'startsAt'> {
  learnFromShape(memory, wire);
  const matching = wire.logs.filter(
    (log) => log.blockNumber >= fromBlock && log.blockNumber <= toBlock && matchesFilter(filter, log),
  );
  // A row that the whole filter lets through was asked for, unless the filter went out in parts.
  const mayHaveStrays = matching.length < wire.logs.length || filter.addresses.length > 1;
  const dialect = memory.current();
  const hasStrays = mayHaveStrays && strays.look({ part, fromBlock, toBlock }, wire.logs, dialect);
  const removedAt = passesOrphans(dialect) ? wire.removedAt.filter((block) => block <= toBlock) : [];
  return { ...wire, matching, hasStrays, doubtfulAt: [...removedAt, ...forkSigns(wire.logs)] };
}
