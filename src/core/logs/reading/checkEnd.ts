import { latestBlock } from '../../rpc/methods.ts';
import { lesser } from '../../values/lesser.ts';
import type { RowPrint } from '../guards/rowPrints.ts';
import type { VerdictReason } from '../query/verdict.ts';
import type { ServerFilter } from '../server/serverFilters.ts';
import type { LogSource } from './fetchLogs.ts';
import type { BlockRange } from './logStream.ts';
import { readParallel } from './readParallel.ts';
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
 * @throws AppError of any network kind, from whichever of the two questions.
 */
export async function checkEnd(
  source: LogSource,
  asks: readonly ServerFilter[],
  range: BlockRange,
  given: Iterable<RowPrint>,
  signal: AbortSignal | undefined,
): Promise<readonly VerdictReason[]> {
  const patient = { ...source, effort: { ...source.effort, retries: RETRIES } };
  const [head, again] = await Promise.allSettled([
    latestBlock(patient.rpc, { ...patient.effort, signal }),
    compareAgain(patient, asks, range, given, signal),
  ]);
  if (head.status === 'rejected') throw head.reason;
  // A node refuses blocks above its head, so that this goes before what became of reading them.
  if (head.value < range.toBlock) return [{ code: 'headWentBack' }];
  if (again.status === 'rejected') throw again.reason;
  return again.value;
}

/** Compares row by row as they come, so that the end of the chain is not held in memory again. */
async function compareAgain(
  source: LogSource,
  asks: readonly ServerFilter[],
  range: BlockRange,
  given: Iterable<RowPrint>,
  signal: AbortSignal | undefined,
): Promise<readonly VerdictReason[]> {
  const span = { fromBlock: firstUnsettledBlock(range), toBlock: range.toBlock };
  const width = createWindowWidth(span);
  const options = { source, asks, ...span, width, onWindow: () => undefined };
  const before = given[Symbol.iterator]();
  for await (const { logs, doubts, ends } of readParallel(options, signal)) {
    if (ends) return doubts;
    for (const now of logs) {
      const old: RowPrint | undefined = before.next().value;
      if (!isSame(old, now)) return [{ code: 'reorg', block: lowerOf(old, now) }];
    }
  }
  const old: RowPrint | undefined = before.next().value;
  return old ? [{ code: 'reorg', block: old.blockNumber }] : [];
}

function isSame(old: RowPrint | undefined, now: RowPrint): boolean {
  return old?.blockHash === now.blockHash && old.logIndex === now.logIndex;
}

function lowerOf(old: RowPrint | undefined, now: RowPrint): bigint {
  return old ? lesser(old.blockNumber, now.blockNumber) : now.blockNumber;
}

/** First block of the range that a reorg may still replace. */
export function firstUnsettledBlock({ fromBlock, head }: BlockRange): bigint {
  const settled = head - REORG_DEPTH;
  return settled >= fromBlock ? settled + 1n : fromBlock;
}
