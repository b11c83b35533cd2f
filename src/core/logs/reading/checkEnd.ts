import type { Abortable } from '../../base/abortable.ts';
import { latestBlock } from '../../rpc/methods.ts';
import { waitForBlocks } from '../asking/behindWaits.ts';
import type { LogSource } from '../asking/logSource.ts';
import type { RowPrint, RowPrints } from '../guards/rowPrints.ts';
import { blocksIn } from '../query/direction.ts';
import type { VerdictReason } from '../query/verdict.ts';
import { tellsItsHead } from '../server/dialect.ts';
import { mostWhole } from '../server/dialectMemory.ts';
import type { ServerFilter } from '../server/serverFilters.ts';
import { type BlockRange, firstUnsettledBlock } from './blockRange.ts';
import { readParallel } from './readParallel.ts';
import { createWindowWidth, STREAMED_ROWS } from './windowWidth.ts';

interface EndQuestion extends Abortable {
  readonly parts: readonly ServerFilter[];
  readonly range: BlockRange;
  /** The rows given from {@link firstUnsettledBlock} on, in the order of reading. */
  readonly given: RowPrints;
}

/** Several requests are under way at once: on a server that fails now and then, one of them fails often in a row. */
const RETRIES = 8;

/**
 * Looks again at the end of the chain after a query of several answers, for what changed while they came: a head
 * below the range, or other rows in the last blocks than those given. All of these blocks are read: rows that came
 * before a reorg may stand below rows that came after it.
 *
 * @throws AppError of any network kind, from whichever of the two questions.
 */
export async function checkEnd(source: LogSource, question: EndQuestion): Promise<readonly VerdictReason[]> {
  const patient = { ...source, effort: { ...source.effort, retries: RETRIES } };
  const [reaches, again] = await Promise.allSettled([
    headReaches(patient, question),
    compareAgain(patient, question),
  ]);
  if (reaches.status === 'rejected') throw reaches.reason;
  // A node refuses blocks above its head, so that this goes before what became of reading them.
  if (!reaches.value) return [{ code: 'headWentBack' }];
  if (again.status === 'rejected') throw again.reason;
  return again.value;
}

/** Asks for the head only where reading the last blocks again does not tell it as well. */
async function headReaches(source: LogSource, { range, signal }: EndQuestion): Promise<boolean> {
  const readsAgain = range.toBlock >= firstUnsettledBlock(range);
  if (readsAgain && tellsItsHead(source.memory.current())) return true;
  for (let attempt = 0; ; attempt++) {
    const head = await latestBlock(source.rpc, { ...source.effort, signal });
    if (head >= range.toBlock) return true;
    if (!(await waitForBlocks(source.wait, attempt, { signal }))) return false;
  }
}

/** Compares row by row as they come, so that the end of the chain is not held in memory again. */
async function compareAgain(
  source: LogSource,
  { parts, range, given, signal }: EndQuestion,
): Promise<readonly VerdictReason[]> {
  const { direction } = source;
  const span = direction.span({ fromBlock: firstUnsettledBlock(range), toBlock: range.toBlock });
  const blocks = blocksIn(direction, span);
  const width = createWindowWidth(blocks, source.askCovered && { rows: STREAMED_ROWS });
  // As dense as before, most likely: what does not fit into one answer is asked for side by side.
  width.learn({
    ...{ asked: blocks, blocks, entries: given.length, refused: false },
    mostWhole: mostWhole(source.memory, parts),
  });
  const options = { source, parts, span, width, onWindow: () => undefined, signal };
  const before = given.all()[Symbol.iterator]();
  for await (const { logs, doubts, ends } of readParallel(options)) {
    if (ends) return doubts;
    for (const now of logs) {
      const old: RowPrint | undefined = before.next().value;
      if (!isSame(old, now)) return [differenceOf(source, old, now)];
    }
  }
  const old: RowPrint | undefined = before.next().value;
  return old ? [differenceOf(source, old, undefined)] : [];
}

/** A row that came or went is a reorg, unless a machine that is behind may have answered that does not tell. */
function differenceOf(
  { memory, direction, unsettledFrom }: LogSource,
  old: RowPrint | undefined,
  now: RowPrint | undefined,
): VerdictReason {
  const isOtherBlock = old?.blockNumber === now?.blockNumber && old?.blockHash !== now?.blockHash;
  const isReorg = isOtherBlock || tellsItsHead(memory.current());
  if (!isReorg) return { code: 'serversDiffer', block: unsettledFrom };
  const block = old && now ? direction.nearer(old.blockNumber, now.blockNumber) : (old ?? now)?.blockNumber;
  return { code: 'reorg', ...(block === undefined ? {} : { block }) };
}

function isSame(old: RowPrint | undefined, now: RowPrint): boolean {
  return old?.blockHash === now.blockHash && old.logIndex === now.logIndex;
}
