import type { Abortable } from '../../base/abortable.ts';
import type { Log } from '../query/log.ts';
import type { LogFilter } from '../query/logFilter.ts';
import type { LogQuery, LogSource } from '../query/logQuery.ts';
import type { FoundReasons } from './askBoth.ts';
import type { RowsApart } from './rowsApart.ts';
import type { BlockWindow } from './sampleWindows.ts';

interface WindowOptions extends Abortable {
  readonly filter: LogFilter;
  readonly window: BlockWindow;
  readonly apart: RowsApart;
  readonly reasons: FoundReasons;
}

/**
 * Compares the rows of some blocks. What keeps that from being certain goes to the reasons. @throws AppError `aborted`.
 */
export async function compareWindow(
  here: LogSource,
  there: LogSource,
  { filter, window, apart, reasons, signal }: WindowOptions,
): Promise<void> {
  const asked = { ...filter, ...window };
  const [a, b] = [here.openLogQuery(asked), there.openLogQuery(asked)];

  async function* rowsOf(
    query: LogQuery,
    code: 'failedHere' | 'failedThere',
  ): AsyncGenerator<readonly Log[]> {
    try {
      for await (const { logs } of query.rest({ signal })) yield logs;
    } catch (cause) {
      reasons.addFailure(code, cause);
      throw cause;
    }
  }

  try {
    await apart.compare(rowsOf(a, 'failedHere'), rowsOf(b, 'failedThere'));
  } catch (cause) {
    // Of a source it has been taken down.
    if (reasons.areNone) throw cause;
    return;
  }
  if (!isWhole(a, window)) reasons.add({ code: 'notWholeHere' });
  if (!isWhole(b, window)) reasons.add({ code: 'notWholeThere' });
}

function isWhole({ verdict }: LogQuery, { fromBlock, toBlock }: BlockWindow): boolean {
  return verdict?.state === 'complete' && verdict.fromBlock <= fromBlock && verdict.toBlock >= toBlock;
}
