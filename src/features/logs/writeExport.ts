import type * as vscode from 'vscode';
import {
  type Clock,
  type ExportFacts,
  encodeLogs,
  exportRecord,
  type Log,
  type Verdict,
  type Waits,
} from '../../core/index.ts';
import { type FileSink, openFileSink } from '../../host/fileSink.ts';
import type { ExportChoice } from './exportChoice.ts';
import { type ExportableAnswer, loadedRows, wholeQuery } from './exportRows.ts';

export interface ExportRun {
  readonly answer: ExportableAnswer;
  readonly choice: ExportChoice;
  readonly version: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Told the share that is done, 0 to 1, and the rows so far. */
  readonly onProgress: (share: number, rows: number) => void;
  /** What a query waits for goes through these. */
  readonly waits?: Waits;
}

export interface WrittenExport {
  readonly rows: number;
  readonly verdict: Verdict;
}

/**
 * Writes the rows, and beside them the record of what they are. Both files appear when they are whole; a failed or
 * cancelled export leaves neither.
 *
 * @throws FileError, or AppError of the query; the signal's reason when it aborts.
 */
export async function writeExport(run: ExportRun): Promise<WrittenExport> {
  const { answer, choice, signal, clock } = run;
  const startedAt = clock.now();
  let rows = 0;
  const onShare = (share: number) => run.onProgress(share, rows);
  const source =
    choice.scope === 'whole'
      ? wholeQuery(answer, signal, onShare, run.waits)
      : loadedRows(answer, clock, onShare);

  async function* counted(): AsyncGenerator<readonly Log[]> {
    for await (const logs of source.pages) {
      rows += logs.length;
      yield logs;
    }
  }

  const opened: FileSink[] = [];
  const open = async (target: vscode.Uri) => {
    const file = await openFileSink(target);
    opened.push(file);
    return file;
  };
  try {
    const file = await open(choice.target);
    for await (const chunk of encodeLogs(choice.format, counted())) {
      signal.throwIfAborted();
      await file.write(chunk);
    }
    const verdict = source.verdict();
    const record = await open(recordUri(choice.target));
    await record.write(
      recordBytes({
        ...run,
        ...answer,
        format: choice.format,
        rows,
        verdict,
        startedAt,
        finishedAt: clock.now(),
      }),
    );
    signal.throwIfAborted();
    await file.commit();
    await record.commit();
    return { rows, verdict };
  } finally {
    await Promise.all(opened.map((file) => file.discard()));
  }
}

/** The place of the record beside an exported file. */
export function recordUri(target: vscode.Uri): vscode.Uri {
  return target.with({ path: `${target.path}.meta.json` });
}

function recordBytes(facts: ExportFacts): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(exportRecord(facts), undefined, 2)}\n`);
}
