import {
  type BackoffControl,
  type Clock,
  createExportRecord,
  encodeLogs,
  type Log,
  type Verdict,
} from '../../../core/index.ts';
import type { FileSet } from '../../../host/files/atomicFiles.ts';
import type { ExportChoice } from './exportChoice.ts';
import {
  addTimes,
  type ExportableResult,
  getChainOrder,
  readLoadedRows,
  readWholeQuery,
  type TimesChoice,
} from './exportRows.ts';

interface ExportRun {
  readonly result: ExportableResult;
  readonly choice: Pick<ExportChoice, 'format' | 'scope'> & { readonly times?: TimesChoice };
  /** The rows and, if there is a second file, their record. */
  readonly files: FileSet;
  readonly version: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called with the share that is done, 0 to 1, and the number of rows so far. */
  readonly onProgress: (share: number, rows: number) => void;
  readonly waits?: BackoffControl;
}

export interface WrittenExport {
  readonly rows: number;
  readonly verdict: Verdict;
}

/**
 * Writes the rows and, if `files` has a second one, their record. The files appear once they are complete; a failed or
 * cancelled export leaves the folder as it was.
 *
 * @throws FileError, or AppError of the query; the signal's reason when it aborts.
 */
export async function writeExport(run: ExportRun): Promise<WrittenExport> {
  const { result, choice, files, signal, clock } = run;
  const startedAt = clock.now();
  let rows = 0;
  const onShare = (share: number) => run.onProgress(share, rows);
  const filtered = choice.scope === 'filtered' ? result.filtered : undefined;
  const pageSource =
    choice.scope === 'whole'
      ? readWholeQuery(result, onShare, run)
      : readLoadedRows({ ...result, ...(filtered && { rows: filtered.rows }) }, clock, onShare);
  const timesChoice = choice.times ?? 'none';
  const timed =
    result.times && timesChoice !== 'none'
      ? addTimes(pageSource.pages, result.times, { choice: timesChoice, signal })
      : undefined;
  const decoding = result.decoding && { ...result.decoding, timed: timed !== undefined };
  let first: Log | undefined;
  let last: Log | undefined;

  async function* countRows(): AsyncGenerator<readonly Log[]> {
    for await (const logs of timed?.pages ?? pageSource.pages) {
      await result.decoding?.prepare(logs);
      rows += logs.length;
      first ??= logs[0];
      last = logs.at(-1) ?? last;
      yield logs;
    }
  }

  const [file, record] = files.files;
  const createRecord = () =>
    createExportRecord({
      ...run,
      ...result,
      format: choice.format,
      decoding,
      times: timed?.facts(),
      rows,
      rowOrder: filtered?.sort ?? getChainOrder(first, last),
      filtered: filtered && { by: filtered.filter, of: result.rows.length },
      verdict: pageSource.verdict(),
      startedAt,
      finishedAt: clock.now(),
    });
  // Whoever gets the file does not learn the endpoint.
  const createMetadata = () => {
    const { network, ...facts } = createRecord();
    return { chainId: network.chainId, ...facts };
  };
  for await (const chunk of encodeLogs(choice.format, countRows(), decoding, createMetadata)) {
    signal.throwIfAborted();
    await file.write(chunk);
  }
  await record?.write(new TextEncoder().encode(`${JSON.stringify(createRecord(), undefined, 2)}\n`));
  signal.throwIfAborted();
  await files.commit();
  return { rows, verdict: pageSource.verdict() };
}
