import {
  type BackoffControl,
  type Clock,
  createExportRecord,
  type ExportFacts,
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
  readonly answer: ExportableResult;
  readonly choice: Pick<ExportChoice, 'format' | 'scope'> & { readonly times?: TimesChoice };
  /** The rows, and their record. */
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
 * Writes the rows, and their record next to them. Both files appear once they are complete; a failed or
 * cancelled export leaves the folder as it was.
 *
 * @throws FileError, or AppError of the query; the signal's reason when it aborts.
 */
export async function writeExport(run: ExportRun): Promise<WrittenExport> {
  const { answer, choice, files, signal, clock } = run;
  const startedAt = clock.now();
  let rows = 0;
  const onShare = (share: number) => run.onProgress(share, rows);
  const filtered = choice.scope === 'filtered' ? answer.filtered : undefined;
  const source =
    choice.scope === 'whole'
      ? readWholeQuery(answer, onShare, run)
      : readLoadedRows({ ...answer, ...(filtered && { rows: filtered.rows }) }, clock, onShare);
  const timing = choice.times ?? 'none';
  const timed =
    answer.times && timing !== 'none'
      ? addTimes(source.pages, answer.times, { choice: timing, signal })
      : undefined;
  const decoding = answer.decoding && { ...answer.decoding, timed: timed !== undefined };
  let first: Log | undefined;
  let last: Log | undefined;

  async function* counted(): AsyncGenerator<readonly Log[]> {
    for await (const logs of timed?.pages ?? source.pages) {
      await answer.decoding?.prepare(logs);
      rows += logs.length;
      first ??= logs[0];
      last = logs.at(-1) ?? last;
      yield logs;
    }
  }

  const [file, record] = files.files;
  for await (const chunk of encodeLogs(choice.format, counted(), decoding)) {
    signal.throwIfAborted();
    await file.write(chunk);
  }
  const verdict = source.verdict();
  await record.write(
    recordBytes({
      ...run,
      ...answer,
      format: choice.format,
      decoding,
      times: timed?.facts(),
      rows,
      rowOrder: filtered?.sort ?? getChainOrder(first, last),
      filtered: filtered && { by: filtered.filter, of: answer.rows.length },
      verdict,
      startedAt,
      finishedAt: clock.now(),
    }),
  );
  signal.throwIfAborted();
  await files.commit();
  return { rows, verdict };
}

function recordBytes(facts: ExportFacts): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(createExportRecord(facts), undefined, 2)}\n`);
}
