import * as vscode from 'vscode';
import { type ExportFormat, exportFormats, getExportFormat } from '../../../core/index.ts';
import { type FileTuple, findTargetFiles, type TargetFile } from '../../../host/files/atomicFiles.ts';
import { chooseTarget, ignoreFocusOut } from '../../../host/files/exportFile.ts';
import { getFileName } from '../../../host/files/fileNames.ts';
import { exists } from '../../../host/files/storage.ts';
import type { Settings } from '../../../host/settings/settingTable.ts';
import { type PickItem, pickOne, showModal } from '../../../host/ui/dialogs.ts';
import { isWebHost } from '../../../host/webHost.ts';
import {
  type ExportableResult,
  type ExportedRows,
  type ExportScope,
  getChainOrder,
  haveTimes,
  MAX_FETCHED_TIMES,
  suggestExportName,
  type TimesChoice,
} from './exportRows.ts';

export interface ExportChoice {
  readonly format: ExportFormat;
  readonly scope: ExportScope;
  readonly times: TimesChoice;
  readonly target: vscode.Uri;
}

/**
 * Lets the user choose the format, the rows if there is a choice, and the file. Undefined if cancelled.
 *
 * @param memento stores the folder, where the next dialog starts.
 */
export async function chooseExport(
  result: ExportableResult,
  memento: vscode.Memento,
): Promise<ExportChoice | undefined> {
  const { format, readTimes } = (await chooseFormat(result)) ?? {};
  const scope = format && (await chooseScope(result));
  const target = scope && (await chooseLogsTarget(result, { format, scope }, memento));
  return target && { format, scope, target, times: chooseTimes(result, scope, readTimes) };
}

function chooseLogsTarget(
  result: ExportableResult,
  { format, scope }: Pick<ExportChoice, 'format' | 'scope'>,
  memento: vscode.Memento,
): Promise<vscode.Uri | undefined> {
  const { label, extension } = getExportFormat(format);
  const name = suggestExportName(result, { extension, scope });
  return chooseTarget({ title: vscode.l10n.t('Export Logs'), name, label, extension }, memento);
}

/** Known times are always written; the others are read if the user chose so. */
function chooseTimes(
  { rows, filtered, times }: ExportableResult,
  scope: ExportChoice['scope'],
  readTimes: boolean | undefined,
): TimesChoice {
  if (!times) return 'none';
  if (readTimes) return 'read';
  const written = scope === 'filtered' && filtered ? filtered.rows : rows;
  const areAllKnown =
    scope === 'whole' ? written.slice(0, 1)[0]?.time !== undefined : haveTimes(written, times);
  return areAllKnown ? 'known' : 'none';
}

interface FormatChoice extends PickItem {
  readonly format?: ExportFormat;
}

/** Offers the formats and, if times are missing, to read them, with the number of requests. */
async function chooseFormat(
  result: ExportableResult,
): Promise<{ readonly format: ExportFormat; readonly readTimes: boolean } | undefined> {
  const { l10n } = vscode;
  const offer = await createTimesOffer(result);
  let readTimes = false;
  for (;;) {
    const formats = exportFormats.map(
      ({ id, label, purpose }): FormatChoice => ({ label, description: l10n.t(purpose), format: id }),
    );
    const extra: readonly FormatChoice[] = offer && !readTimes ? [offer] : [];
    const chosen = await pickOne([...formats, ...extra], {
      title: readTimes ? l10n.t('Export Logs with Times') : l10n.t('Export Logs'),
      placeHolder: l10n.t('Choose a format'),
      ignoreFocusOut,
    });
    if (!chosen) return undefined;
    if (chosen.format) return { format: chosen.format, readTimes };
    readTimes = true;
  }
}

/** Undefined if every time is known, or none can be read. */
async function createTimesOffer({
  times,
  rows,
  verdict,
  network,
  onlyLoaded,
}: ExportableResult): Promise<PickItem | undefined> {
  if (!times?.canRead || onlyLoaded || rows.length === 0 || haveTimes(rows, times)) return undefined;
  const { l10n } = vscode;
  const blocks = Math.min(rows.length, Number(verdict.toBlock - verdict.fromBlock + 1n), MAX_FETCHED_TIMES);
  const count = Math.ceil(blocks / (await times.getBatchSize()));
  const requests =
    count === 1 ? l10n.t('1 request') : l10n.t('{0} requests', count.toLocaleString(vscode.env.language));
  const hasMore = verdict.state === 'more';
  return {
    label: l10n.t('Add block times'),
    description: hasMore
      ? l10n.t('Sends up to {0} to {1} for the loaded rows', requests, network.name)
      : l10n.t('Sends up to {0} to {1}', requests, network.name),
  };
}

async function chooseScope({
  rows,
  filtered,
  verdict,
  network,
  onlyLoaded,
}: ExportableResult): Promise<ExportChoice['scope'] | undefined> {
  const hasMore = !onlyLoaded && verdict.state === 'more';
  if (!filtered && !hasMore) return 'loaded';
  const { l10n } = vscode;
  const formatCount = ({ length }: ExportedRows) => length.toLocaleString(vscode.env.language);
  const items: readonly (PickItem & { readonly scope: ExportChoice['scope'] })[] = [
    ...(filtered
      ? [
          {
            label: l10n.t('Filtered rows ({0})', formatCount(filtered.rows)),
            description: l10n.t('As shown'),
            scope: 'filtered' as const,
          },
        ]
      : []),
    {
      label: l10n.t('All loaded rows ({0})', formatCount(rows)),
      description: isNewestFirst(rows) ? l10n.t('Newest first') : l10n.t('Oldest first'),
      scope: 'loaded',
    },
    ...(hasMore
      ? [
          {
            label: l10n.t('All logs of the query'),
            description: l10n.t('Runs the query again on {0} and writes directly to the file', network.name),
            scope: 'whole' as const,
          },
        ]
      : []),
  ];
  const chosen = await pickOne(items, {
    title: l10n.t('Export Logs'),
    placeHolder: hasMore
      ? l10n.t('Not all logs are loaded. Choose the rows to export.')
      : l10n.t('Choose the rows to export'),
    ignoreFocusOut,
  });
  return chosen?.scope;
}

function isNewestFirst(rows: ExportedRows): boolean {
  return (
    getChainOrder(rows.slice(0, 1)[0], rows.slice(Math.max(0, rows.length - 1), 1)[0])?.descending === true
  );
}

/**
 * The files to write: a record too, if the settings say so and it can be written, or if a file is replaced that has one. That record would
 * describe other rows.
 *
 * @throws FileError where no file can be written.
 */
export async function findExportTargets(
  target: vscode.Uri,
  { exportRecord }: Pick<Settings, 'exportRecord'>,
): Promise<FileTuple<TargetFile>> {
  const record = getRecordUri(target);
  // The file picker of a browser gives access to one file, not to its folder.
  const isPicked = isWebHost && target.scheme === 'file';
  if (exportRecord && !isPicked) return findTargetFiles([target, record]);
  const targets = await findTargetFiles([target]);
  return targets[0].exists && (await exists(record)) ? findTargetFiles([target, record]) : targets;
}

/** The URI of the record file next to an exported file. */
function getRecordUri(target: vscode.Uri): vscode.Uri {
  return target.with({ path: `${target.path}.meta.json` });
}

/**
 * Asks before existing files are replaced. URIs in `confirmed` are not asked about again; confirmed ones are
 * added. The save dialog asks about the chosen file only, not about its record.
 */
export async function confirmReplace(
  targets: FileTuple<TargetFile>,
  confirmed: Set<string>,
): Promise<boolean> {
  const existing = targets.flatMap((target) => (target?.exists ? [target] : []));
  const unconfirmed = existing.filter(({ uri }) => !confirmed.has(String(uri)));
  if (unconfirmed.length === 0) return true;
  const { l10n } = vscode;
  const [first = '', second] = unconfirmed.map(({ uri }) => getFileName(uri));
  const message =
    second === undefined ? l10n.t('Replace {0}?', first) : l10n.t('Replace {0} and {1}?', first, second);
  const detail =
    second === undefined
      ? l10n.t('A file with this name already exists in the folder.')
      : l10n.t('Files with these names already exist in the folder.');
  const replace = l10n.t('Replace');
  if ((await showModal(message, detail, replace)) !== replace) return false;
  for (const { uri } of unconfirmed) confirmed.add(String(uri));
  return true;
}
