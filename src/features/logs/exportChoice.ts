import * as vscode from 'vscode';
import { type ExportFormat, exportFormats } from '../../core/index.ts';
import { askWhereToSave, pickOne } from '../../host/surface/picks.ts';
import type { ExportableAnswer } from './exportRows.ts';

/** What to write where. `loaded` are the rows of the panel, `whole` is the query asked again to its end. */
export interface ExportChoice {
  readonly format: ExportFormat;
  readonly scope: 'loaded' | 'whole';
  readonly target: vscode.Uri;
}

/** The panel takes the focus back when the list before closes, the palette too, at times after the next has opened. */
const ignoreFocusOut = true;

/** Asks for the format, for the rows where there are more than are loaded, and for the file. Undefined: given up. */
export async function chooseExport(answer: ExportableAnswer): Promise<ExportChoice | undefined> {
  const format = await chooseFormat();
  const scope = format && (await chooseScope(answer));
  const target = scope && (await chooseTarget(answer, format));
  return target && { format, scope, target };
}

async function chooseFormat(): Promise<ExportFormat | undefined> {
  const { l10n } = vscode;
  const details: Readonly<Record<ExportFormat, string>> = {
    csv: l10n.t('A table for spreadsheets and scripts'),
    json: l10n.t('One array, as eth_getLogs gives it'),
    ndjson: l10n.t('The same, an object a line'),
    parquet: l10n.t('A compressed table for DuckDB, Spark, pandas'),
  };
  const items = exportFormats.map((format) => ({
    label: formatNames[format],
    description: details[format],
    format,
  }));
  const chosen = await pickOne(items, {
    title: l10n.t('Export Logs'),
    placeHolder: l10n.t('Choose a format'),
    ignoreFocusOut,
  });
  return chosen?.format;
}

async function chooseScope({
  rows,
  verdict,
  network,
}: ExportableAnswer): Promise<ExportChoice['scope'] | undefined> {
  if (verdict.state !== 'more') return 'loaded';
  const { l10n } = vscode;
  const items = [
    {
      label: l10n.t('Loaded rows'),
      description: l10n.t('{0} logs', rows.length.toLocaleString(vscode.env.language)),
      scope: 'loaded',
    },
    {
      label: l10n.t('Whole query'),
      description: l10n.t('Asks {0} again from the first block, straight into the file', network.name),
      scope: 'whole',
    },
  ] as const;
  const chosen = await pickOne(items, {
    title: l10n.t('Export Logs'),
    placeHolder: l10n.t('There are more logs than are loaded'),
    ignoreFocusOut,
  });
  return chosen?.scope;
}

async function chooseTarget(
  { network, verdict }: ExportableAnswer,
  format: ExportFormat,
): Promise<vscode.Uri | undefined> {
  const name = `logs-${network.id}-${verdict.fromBlock}-${verdict.toBlock}.${format}`;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/');
  return askWhereToSave(vscode.l10n.t('Export Logs'), {
    defaultUri: vscode.Uri.joinPath(folder, name),
    filters: { [formatNames[format]]: [format] },
  });
}

const formatNames: Readonly<Record<ExportFormat, string>> = {
  csv: 'CSV',
  json: 'JSON',
  ndjson: 'NDJSON',
  parquet: 'Parquet',
};
