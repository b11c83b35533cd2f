import type { Abortable } from '../../base/abortable.ts';
import { type FetchedLogs, fetchLogs } from '../asking/fetchLogs.ts';
import type { LogSource } from '../asking/logSource.ts';
import { mergeLogs } from '../asking/mergeLogs.ts';
import type { Log } from '../query/log.ts';
import { isWholeAnswer } from '../server/dialectMemory.ts';
import { PAGE_LIMIT } from '../server/pageLimits.ts';
import { rangeRefusal } from '../server/rangeRefusal.ts';
import type { ServerFilter } from '../server/serverFilters.ts';

interface AboveQuestion extends Abortable {
  readonly part: ServerFilter;
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  readonly maxBytes?: number | undefined;
}

/** What came of reading on: every row of the range, or a page of which the rows above are still too many. */
interface RowsAbove {
  readonly answers: readonly FetchedLogs[];
  /** Undefined where the range holds too much. */
  readonly logs: readonly Log[] | undefined;
  /** The last page that was full, and the first block of the range that it is an answer to. */
  readonly full: { readonly page: FetchedLogs; readonly fromBlock: bigint };
}

/** Pages that one window is read in, at most. */
const MOST_PAGES = 3;

/**
 * Reads on where the answer to a range, `first`, is a full page of its lowest rows in order: from the last block of that
 * page, as long as the blocks that are left may well fit into a page too.
 *
 * @throws AppError as {@link fetchLogs} does, but for refusals of the range.
 */
export async function readAbove(
  source: LogSource,
  { part, toBlock, signal, maxBytes, ...asked }: AboveQuestion,
  first: FetchedLogs,
): Promise<RowsAbove> {
  const answers = [first];
  const below: (readonly Log[])[] = [];
  let full = { page: first, fromBlock: asked.fromBlock };
  while (answers.length < MOST_PAGES) {
    const { page } = full;
    const edge = page.logs[page.logs.length - 1]?.blockNumber ?? full.fromBlock;
    const isMuch = toBlock - edge > (edge - full.fromBlock) * 2n;
    if (isMuch || edge === full.fromBlock) break;
    const above = await fetchUnlessRefused(source, part, { fromBlock: edge, toBlock, signal, maxBytes });
    if (!above) break;
    answers.push(above);
    if (above.hasStrays || above.knownTo < toBlock) break;
    below.push(page.matching.filter(({ blockNumber }) => blockNumber < edge));
    if (isWholeAnswer(source.memory, part, above.count)) {
      return { answers, logs: mergeLogs([...below, above.matching]), full };
    }
    if (above.count !== PAGE_LIMIT) break;
    full = { page: above, fromBlock: edge };
  }
  return { answers, logs: undefined, full };
}

async function fetchUnlessRefused(
  source: LogSource,
  part: ServerFilter,
  range: Omit<AboveQuestion, 'part'>,
): Promise<FetchedLogs | undefined> {
  try {
    return await fetchLogs(source, part, range);
  } catch (error) {
    if (!rangeRefusal(error, range.fromBlock)) throw error;
    return undefined;
  }
}
