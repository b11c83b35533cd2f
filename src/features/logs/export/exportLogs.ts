import * as vscode from 'vscode';
import {
  type Clock,
  createBackoffControl,
  describeReasons,
  isUnreached,
  type Verdict,
} from '../../../core/index.ts';
import {
  type FileTuple,
  openFileSet,
  removeUnfinishedFile,
  type TargetFile,
} from '../../../host/files/atomicFiles.ts';
import { createUnfinishedExports, showExportFailure, showWritten } from '../../../host/files/exportFile.ts';
import { getFileName } from '../../../host/files/fileNames.ts';
import { formatBackoff } from '../../../host/formatting.ts';
import { localize } from '../../../host/l10n.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';
import { withCancellableProgress } from '../../../host/ui/window.ts';
import { chooseExport, confirmReplace, type ExportChoice, findExportTargets } from './exportChoice.ts';
import type { ExportableResult } from './exportRows.ts';
import { type WrittenExport, writeExport } from './writeExport.ts';

export interface ExportDeps {
  /** Global storage; the folder may not exist yet. */
  readonly storageUri: vscode.Uri;
  readonly workspaceState: vscode.Memento;
  readonly settings: Pick<SettingsService, 'current'>;
  readonly clock: Clock;
  readonly log: vscode.LogOutputChannel;
  /** Version of the extension. */
  readonly version: string;
}

const REPORT_INTERVAL_MS = 100;

/** Lets the user choose rows and a file, and writes it; repeats on failure while the user wants to retry. */
export async function exportLogs(result: ExportableResult, deps: ExportDeps): Promise<void> {
  const choice = await chooseExport(result, deps.workspaceState);
  if (!choice) return;
  let confirmed: Set<string> | undefined;
  for (;;) {
    try {
      const targets = await findExportTargets(choice.target, deps.settings.current);
      confirmed ??= new Set(targets[0].exists ? [String(choice.target)] : []);
      if (!(await confirmReplace(targets, confirmed))) return;
      const written = await writeUnderNotification({ result, choice, targets, deps });
      if (written !== 'cancelled') void showDone(written, choice.target);
      return;
    } catch (error) {
      if (!(await showExportFailure(error, { ...result, ...deps }))) return;
    }
  }
}

/** Removes partial files of exports that were running when their window closed. Never throws. */
export function removeUnfinishedExports(deps: ExportDeps): Promise<void> {
  return createUnfinishedExports(deps).sweep(removeUnfinishedFile);
}

function writeUnderNotification({
  result,
  choice,
  targets,
  deps,
}: {
  readonly result: ExportableResult;
  readonly choice: ExportChoice;
  readonly targets: FileTuple<TargetFile>;
  readonly deps: ExportDeps;
}) {
  const title = vscode.l10n.t('Exporting logs to {0}', getFileName(choice.target));
  const { clock, version } = deps;
  return withCancellableProgress(title, async ({ signal, report }) => {
    let reportedAt = Number.NEGATIVE_INFINITY;
    let done = { share: 0, rows: 0 };
    const waits = createBackoffControl(clock, reportProgress);
    function reportProgress(): void {
      const { visible } = waits;
      const wait = visible ? [formatBackoff(visible, vscode.l10n)] : [];
      report(done.share, [formatCount(done.rows), ...wait].join('. '));
    }
    const onProgress = (share: number, rows: number) => {
      done = { share, rows };
      if (clock.elapsed() - reportedAt < REPORT_INTERVAL_MS) return;
      reportedAt = clock.elapsed();
      reportProgress();
    };
    const files = await openFileSet(targets, createUnfinishedExports(deps));
    try {
      return await writeExport({ result, choice, files, version, clock, signal, onProgress, waits });
    } finally {
      await files.discard();
    }
  });
}

function showDone({ rows, verdict }: WrittenExport, target: vscode.Uri): Promise<void> {
  const done = vscode.l10n.t('Exported {0} to {1}.', formatCount(rows), getFileName(target));
  return showExported(done, verdict, target);
}

/** Says what was exported and, by the verdict, what is missing in it. */
export function showExported(
  done: string,
  verdict: Pick<Verdict, 'state' | 'reasons'>,
  target: vscode.Uri,
): Promise<void> {
  const { l10n } = vscode;
  switch (verdict.state) {
    case 'complete':
    case 'unreached':
      return showWritten('information', done, target);
    case 'more': {
      const message = l10n.t('{0} The query has more logs.', done);
      if (verdict.reasons.every(isUnreached)) return showWritten('information', message, target);
      return showWritten('warning', `${message} ${formatReasons(verdict)}`, target);
    }
    case 'uncertain': {
      const message = l10n.t('{0} The logs may be incomplete. {1}', done, formatReasons(verdict));
      return showWritten('warning', message, target);
    }
  }
}

function formatReasons({ reasons }: Pick<Verdict, 'reasons'>): string {
  const formatBlock = (block: bigint) => block.toLocaleString(vscode.env.language);
  return describeReasons(reasons, formatBlock)
    .map((reason) => localize(reason, vscode.l10n))
    .join(' ');
}

function formatCount(rows: number): string {
  if (rows === 1) return vscode.l10n.t('1 log');
  return vscode.l10n.t('{0} logs', rows.toLocaleString(vscode.env.language));
}
