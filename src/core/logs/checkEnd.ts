import { latestBlock } from '../rpc/methods.ts';
import type { LogSource } from './fetchLogs.ts';
import type { Log } from './log.ts';
import type { BlockRange } from './logStream.ts';
import { readParallel } from './readParallel.ts';
import type { ServerFilter } from './serverFilters.ts';
import type { VerdictReason } from './verdict.ts';
import { createWindowWidth } from './windowWidth.ts';

/** Reorgs deeper than this are not looked for. */
export const REORG_DEPTH = 128n;
/** Several requests are under way at once: on a server that fails now and then, one of them fails often in a row. */
const RETRIES = 8;

/**
 * Looks again at the end of the chain after a query of several answers, for what changed while they came: a head
 * below the range, or other rows in the last blocks than those given. All of these blocks are read: rows that came
 * before a reorg may stand below rows that came after it.
 *
 * @param given the rows given from {@link firstUnsettledBlock} on.
 */
export async function checkEnd(
  source: LogSource,
  asks: readonly ServerFilter[],
  range: BlockRange,
  given: readonly Log[],
  signal: AbortSignal | undefined,
): Promise<readonly VerdictReason[]> {
  const [head, again] = await Promise.allSettled([
    latestBlock(source.rpc, { ...source.effort, signal }),
    readAgain(source, asks, range, signal),
  ]);
  if (head.status === 'rejected') throw head.reason;
  // A node refuses blocks above its head, so that this goes before what became of reading them.
  if (head.value < range.toBlock) return [{ code: 'headWentBack' }];
  if (again.status === 'rejected') throw again.reason;
  const changed = firstDifference(given, again.value);
  return changed === undefined ? [] : [{ code: 'reorg', block: changed }];
}

async function readAgain(
  source: LogSource,
  asks: readonly ServerFilter[],
  range: BlockRange,
  signal: AbortSignal | undefined,
): Promise<readonly Log[]> {
  const span = { fromBlock: firstUnsettledBlock(range), toBlock: range.toBlock };
  const width = createWindowWidth(span);
  const patient = { ...source, effort: { ...source.effort, retries: RETRIES } };
  const options = { source: patient, asks, ...span, width, onWindow: () => undefined };
  const again: Log[] = [];
  for await (const { logs } of readParallel(options, signal)) again.push(...logs);
  return again;
}

/** First block of the range that a reorg may still replace. */
export function firstUnsettledBlock({ fromBlock, head }: BlockRange): bigint {
  const settled = head - REORG_DEPTH;
  return settled >= fromBlock ? settled + 1n : fromBlock;
}

/** The block of the first row that differs between two lists in order. */
function firstDifference(before: readonly Log[], after: readonly Log[]): bigint | undefined {
  const length = Math.max(before.length, after.length);
  for (let index = 0; index < length; index++) {
    const old = before[index];
    const now = after[index];
    if (old?.blockHash === now?.blockHash && old?.logIndex === now?.logIndex) continue;
    const heights = [old, now].flatMap((log) => (log ? [log.blockNumber] : []));
    return heights.sort((a, b) => (a < b ? -1 : 1))[0];
  }
  return undefined;
}
