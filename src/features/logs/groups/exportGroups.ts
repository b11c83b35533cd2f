import * as vscode from 'vscode';
import { findTargetFiles, openFileSet } from '../../../host/files/atomicFiles.ts';
import { getFileName } from '../../../host/files/fileNames.ts';
import { formatNumber } from '../../../host/numbers.ts';
import { type PickItem, pickOne } from '../../../host/ui/dialogs.ts';
import { withCancellableProgress } from '../../../host/ui/window.ts';
import { chooseTarget, ignoreFocusOut } from '../export/exportChoice.ts';
import {
  createUnfinishedExports,
  type ExportDeps,
  showExported,
  showExportFailure,
} from '../export/exportLogs.ts';
import { type ExportableResult, suggestExportName } from '../export/exportRows.ts';
import type { RowsFormat } from '../protocol/grid.ts';
import { formatGroups, type GroupTable } from './formatGroups.ts';

interface GroupFormat extends PickItem {
  readonly format: RowsFormat;
  readonly extension: string;
}

/** Lets the user choose a format and a file, and writes the groups as they are shown; repeats it while the user retries. */
export async function exportGroups(
  table: GroupTable,
  { result, groupedBy }: { readonly result: ExportableResult; readonly groupedBy: readonly string[] },
  deps: ExportDeps,
): Promise<void> {
  const { l10n } = vscode;
  const title = l10n.t('Export Groups');
  const chosen = await pickOne(listFormats(), {
    ...{ title, placeHolder: l10n.t('Choose a format'), ignoreFocusOut },
  });
  if (!chosen) return;
  const { extension, label } = chosen;
  const name = suggestExportName(result, { extension, groupedBy, scope: 'loaded' });
  const target = await chooseTarget({ title, name, label, extension }, deps.workspaceState);
  if (!target) return;
  for (;;) {
    try {
      if ((await writeGroups(table, { format: chosen.format, target }, deps)) === 'cancelled') return;
      const count = table.groups.length;
      const done =
        count === 1
          ? l10n.t('Exported 1 group to {0}.', getFileName(target))
          : l10n.t('Exported {0} groups to {1}.', formatNumber(count), getFileName(target));
      void showExported(done, result.verdict, target);
      return;
    } catch (error) {
      if (!(await showExportFailure(error, result, deps))) return;
    }
  }
}

function listFormats(): readonly GroupFormat[] {
  const { l10n } = vscode;
  return [
    { label: 'CSV', description: l10n.t('Spreadsheets and scripts'), format: 'csv', extension: 'csv' },
    { label: 'TSV', description: l10n.t('Tables separated by tabs'), format: 'tsv', extension: 'tsv' },
    {
      label: 'JSON',
      description: l10n.t('As the command line prints them'),
      format: 'json',
      extension: 'json',
    },
    { label: 'Markdown', description: l10n.t('A table as it is shown'), format: 'markdown', extension: 'md' },
  ];
}

/** The file appears once it is complete. */
function writeGroups(
  table: GroupTable,
  { format, target }: { readonly format: RowsFormat; readonly target: vscode.Uri },
  deps: ExportDeps,
): Promise<'cancelled' | undefined> {
  const title = vscode.l10n.t('Exporting groups to {0}', getFileName(target));
  return withCancellableProgress(title, async ({ signal }) => {
    const files = await openFileSet(await findTargetFiles([target]), createUnfinishedExports(deps));
    try {
      const encoder = new TextEncoder();
      let batch = '';
      for await (const text of formatGroups(format, table, { clock: deps.clock, signal })) {
        batch += text;
        if (batch.length < BATCH_CHARS) continue;
        await files.files[0].write(encoder.encode(batch));
        batch = '';
      }
      await files.files[0].write(encoder.encode(batch));
      signal.throwIfAborted();
      await files.commit();
      return undefined;
    } finally {
      await files.discard();
    }
  });
}

const BATCH_CHARS = 64 * 1024;
