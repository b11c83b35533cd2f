import * as vscode from 'vscode';
import { showExportFailure } from '../../../host/files/exportFile.ts';
import { getFileName } from '../../../host/files/fileNames.ts';
import { formatNumber } from '../../../host/numbers.ts';
import { exportTable } from '../../../host/tables.ts';
import { type ExportDeps, showExported } from '../export/exportLogs.ts';
import { type ExportableResult, suggestExportName } from '../export/exportRows.ts';
import { formatGroups, type GroupTable } from './formatGroups.ts';

/** Lets the user choose a format and a file, and writes the groups as they are shown; repeats it while the user retries. */
export function exportGroups(
  table: GroupTable,
  { result, groupedBy }: { readonly result: ExportableResult; readonly groupedBy: readonly string[] },
  deps: ExportDeps,
): Promise<void> {
  const { l10n } = vscode;
  const count = table.groups.length;
  return exportTable(
    {
      title: l10n.t('Export Groups'),
      writing: (file) => l10n.t('Exporting groups to {0}', file),
      suggestName: (extension) => suggestExportName(result, { extension, groupedBy, scope: 'loaded' }),
      format: (format, options) => formatGroups(format, table, options),
      showDone(target) {
        const done =
          count === 1
            ? l10n.t('Exported 1 group to {0}.', getFileName(target))
            : l10n.t('Exported {0} groups to {1}.', formatNumber(count), getFileName(target));
        void showExported(done, result.verdict, target);
      },
      showFailure: (error) => showExportFailure(error, { ...result, ...deps }),
    },
    deps,
  );
}
