import * as vscode from 'vscode';
import type { Clock, ContractState, Network, StateKind } from '../../core/index.ts';
import { showExportFailure, showWritten } from '../../host/files/exportFile.ts';
import { getFileName, suggestFileName } from '../../host/files/fileNames.ts';
import { formatNumber } from '../../host/numbers.ts';
import { exportTable } from '../../host/tables.ts';
import { formatTable } from '../../host/tableText.ts';
import type { StateTable } from './stateTable.ts';

interface ExportedState {
  readonly kind: StateKind;
  /** Of the address. */
  readonly name: string;
  readonly network: Network;
  readonly state: ContractState;
  readonly compared: ContractState | undefined;
  readonly table: Pick<StateTable, 'toTextTable'>;
}

interface ExportDeps {
  readonly storageUri: vscode.Uri;
  readonly workspaceState: vscode.Memento;
  readonly clock: Clock;
  readonly log: vscode.LogOutputChannel;
}

/** Writes the shown rows to a file that the user chooses. Its name says if they are not confirmed. */
export function exportState(
  { kind, name, network, state, compared, table }: ExportedState,
  deps: ExportDeps,
): Promise<void> {
  const { l10n } = vscode;
  const states = compared ? [state, compared] : [state];
  const isConfirmed = states.every(({ verdict }) => verdict.confirmed);
  const blocks = states.map(({ verdict }) => String(verdict.block));
  // The rows of now, also if the user sorts while the file is written.
  const rows = table.toTextTable();
  return exportTable(
    {
      title: l10n.t('Export Rows'),
      writing: (file) => l10n.t('Exporting rows to {0}', file),
      suggestName: (extension) =>
        suggestFileName([name, kind, ...blocks, isConfirmed ? undefined : 'unconfirmed'], extension),
      format: (format, options) => formatTable(format, rows, options),
      showDone(target) {
        const file = getFileName(target);
        const done =
          rows.count === 1
            ? l10n.t('Exported 1 row to {0}.', file)
            : l10n.t('Exported {0} rows to {1}.', formatNumber(rows.count), file);
        if (isConfirmed) void showWritten('information', done, target);
        else void showWritten('warning', l10n.t('{0} Calls do not confirm all of its rows.', done), target);
      },
      showFailure: (error) => showExportFailure(error, { network, log: deps.log }),
    },
    deps,
  );
}
