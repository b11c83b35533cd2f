import { greater, lesser } from '../../values/lesser.ts';
import type { Log } from '../query/log.ts';
import { PAGE_LIMIT } from '../server/pageLimits.ts';
import { isBeyondHead } from '../server/rangeRefusal.ts';
import type { ServerFilter } from '../server/serverFilters.ts';
import { type AskedLogs, askAlone, askWithHead, type FetchRange } from './askLogs.ts';
import { waitForBlocks } from './behindWaits.ts';
import type { LogSource } from './logSource.ts';
import { readLogs, type WireLogs } from './readLogs.ts';

/** An answer about blocks near the head, and how far it can be relied on. */
interface UnsettledLogs {
  readonly wire: WireLogs;
  /** Last block of the range that is known by it; below the first block asked for: none. */
  readonly knownTo: bigint;
  /** By several answers that were alike, and not by a machine's own word. */
  readonly compared: boolean;
}

/** Answers that have to be alike where no machine tells what it knows. */
const LOOKS = 3;

/**
 * Asks for logs near the head, where one of several machines behind an address may be some blocks behind the others. It
 * leaves out the rows of blocks that it does not know without a word, or refuses the range. So each is asked for its
 * head in the same request, and its answer counts up to there; where the server takes one call a request, answers near
 * the head count when several are alike. A machine that knows none of the blocks is asked again after a wait.
 *
 * @throws AppError as {@link RpcClient.call} does.
 */
export async function askUnsettled(
  source: LogSource,
  part: ServerFilter,
  range: FetchRange,
): Promise<UnsettledLogs> {
  /** Without this block an answer is of no use. */
  const needed = range.after?.blockNumber ?? source.direction.span(range).first;
  const seen: Seen = { newest: 0n };
  let toBlock = range.toBlock;
  for (let attempt = 0; ; attempt++) {
    const asked = await askWithHead(source, part, { ...range, toBlock });
    if (asked.head !== undefined) source.noteHead(asked.head);
    const answer =
      asked.head === undefined
        ? await withoutHead(source, part, { ...range, toBlock, needed, asked, seen })
        : withHead(asked, asked.head, toBlock);
    const { wire, knownTo } = answer;
    if (wire && knownTo >= needed) return { ...answer, wire };
    // Refused for the blocks that it does not know: the others can be had.
    if (knownTo >= needed) toBlock = knownTo;
    if (await waitForBlocks(source.wait, attempt, range)) continue;
    return { ...answer, wire: wire ?? readLogs([]), knownTo: lesser(knownTo, needed - 1n) };
  }
}

/** One answer, and what it is worth. */
export interface LookedLogs {
  /** Undefined where the server refused blocks that it did not know. */
  readonly wire: WireLogs | undefined;
  /** Last block of the range that is known by it; below the first block asked for: none. */
  readonly knownTo: bigint;
  /** The newest block of the machine that answered, where it told. */
  readonly head: bigint | undefined;
}

/**
 * The same of one answer, which is not asked for again whatever it is worth. Where no machine tells its head, it counts
 * up to the block before its last row.
 *
 * @throws AppError as {@link RpcClient.call} does.
 */
export async function lookOnce(
  source: LogSource,
  part: ServerFilter,
  range: FetchRange,
): Promise<LookedLogs> {
  const asked = await askWithHead(source, part, range);
  const { head } = asked;
  if (head !== undefined) {
    source.noteHead(head);
    const { wire, knownTo } = withHead(asked, head, range.toBlock);
    return { wire, knownTo, head };
  }
  const wire = wireOf(asked);
  const newest = wire && newestIn(wire, range);
  const knownTo = newest !== undefined && newest > range.fromBlock ? newest - 1n : range.fromBlock - 1n;
  return { wire, knownTo, head };
}

/** What an answer is worth; without `wire` the server refused it. */
type Weighed = Omit<UnsettledLogs, 'wire'> & { readonly wire?: WireLogs };

/** A row proves that the machine knows the blocks before it, also where its own word for the head lags behind. */
function withHead(asked: AskedLogs, head: bigint, toBlock: bigint): Weighed {
  if ('refusal' in asked) {
    if (head >= toBlock) throw asked.refusal;
    return { knownTo: head, compared: false };
  }
  const wire = readLogs(asked.result);
  const last = wire.logs[wire.logs.length - 1];
  const proven = last && last.blockNumber > head ? last.blockNumber - 1n : head;
  return { wire, knownTo: lesser(proven, toBlock), compared: false };
}

interface Compared extends FetchRange {
  readonly needed: bigint;
  readonly asked: AskedLogs;
  readonly seen: Seen;
}

/** The newest block of which any machine has given a row: one that gives none of it is behind. */
interface Seen {
  newest: bigint;
}

/** Without a word of what the machine knew, an answer is good for the blocks that each machine knows by now. */
async function withoutHead(
  source: LogSource,
  part: ServerFilter,
  { needed, asked, seen, ...range }: Compared,
): Promise<Weighed> {
  const settled = source.unsettledFrom - 1n;
  if (needed <= settled) {
    const wire = wireOf(asked);
    if (!wire && 'refusal' in asked && range.toBlock <= settled) throw asked.refusal;
    return { ...(wire ? { wire } : {}), knownTo: lesser(settled, range.toBlock), compared: true };
  }
  // A full page is not taken for the end of the rows.
  const first = wireOf(asked);
  if (first && first.count === PAGE_LIMIT) return { wire: first, knownTo: range.toBlock, compared: true };
  // What each machine knows by now need not be compared.
  const fromBlock = range.after ? range.fromBlock : greater(range.fromBlock, source.unsettledFrom);
  const others = Array.from({ length: LOOKS - 1 }, () => askAlone(source, part, { ...range, fromBlock }));
  const looks = (await Promise.all(others)).map(wireOf);
  for (const wire of [first, ...looks]) seen.newest = greater(seen.newest, newestIn(wire, range));
  const rows = first?.logs.filter(({ blockNumber }) => blockNumber >= fromBlock) ?? [];
  const areAlike = looks.every((look) => look && isAlike(rows, look.logs));
  if (first && areAlike && newestIn(first, range) === seen.newest) {
    return { wire: first, knownTo: range.toBlock, compared: true };
  }
  return { knownTo: needed - 1n, compared: true };
}

function newestIn(wire: WireLogs | undefined, { toBlock }: FetchRange): bigint {
  return wire?.logs.findLast(({ blockNumber }) => blockNumber <= toBlock)?.blockNumber ?? 0n;
}

/** Undefined where the server refused blocks that it did not know. @throws what else it refused. */
function wireOf(asked: AskedLogs): WireLogs | undefined {
  if (!('refusal' in asked)) return readLogs(asked.result);
  if (isBeyondHead(asked.refusal)) return undefined;
  throw asked.refusal;
}

function isAlike(one: readonly Log[], other: readonly Log[]): boolean {
  return (
    one.length === other.length &&
    one.every((log, place) => {
      const same = other[place];
      return same?.blockHash === log.blockHash && same.logIndex === log.logIndex;
    })
  );
}
