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
  const head = await latestBlock(source.rpc, { ...source.effort, signal });
  if (head < range.toBlock) return [{ code: 'headWentBack' }];
  const fromBlock = firstUnsettledBlock(range);
  if (fromBlock > range.toBlock) return [];
  const again: Log[] = [];
  const span = { fromBlock, toBlock: range.toBlock };
  const width = createWindowWidth(span);
  const patient = { ...source, effort: { ...source.effort, retries: RETRIES } };
  for await (const { logs } of readParallel(
    { source: patient, asks, ...span, width, onWindow: () => undefined },
    signal,
  )) {
    again.push(...logs);
  }
  const changed = firstDifference(given, again);
  return changed === undefined ? [] : [{ code: 'reorg', block: changed }];
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
