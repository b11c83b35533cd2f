import * as vscode from 'vscode';
import { type ExportFormat, exportFormats, formatOf } from '../../../core/index.ts';
import { fileName } from '../../../host/files/fileName.ts';
import type { FilePlace } from '../../../host/files/filePlace.ts';
import { showModal } from '../../../host/surface/messages.ts';
import { askWhereToSave, pickOne } from '../../../host/surface/questions.ts';
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
  const items = exportFormats.map(({ id, label, purpose }) => ({
    label,
    description: purpose(l10n),
    format: id,
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
  const { label, extension } = formatOf(format);
  const name = `logs-${network.id}-${verdict.fromBlock}-${verdict.toBlock}.${extension}`;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/');
  return askWhereToSave(vscode.l10n.t('Export Logs'), {
    defaultUri: vscode.Uri.joinPath(folder, name),
    filters: { [label]: [extension] },
  });
}

/** The place of the record beside an exported file. */
export function recordUri(target: vscode.Uri): vscode.Uri {
  return target.with({ path: `${target.path}.meta.json` });
}

/**
 * Asks before files are replaced, each once: `agreed` are those that were asked for, and takes the others. The editor's
 * dialog has asked for the file that it named, never for its record.
 */
export async function agreesToReplace(places: readonly FilePlace[], agreed: Set<string>): Promise<boolean> {
  const unasked = places.filter(({ uri, exists }) => exists && !agreed.has(String(uri)));
  if (unasked.length === 0) return true;
  const { l10n } = vscode;
  const [first = '', second] = unasked.map(({ uri }) => fileName(uri));
  const question =
    second === undefined ? l10n.t('Replace {0}?', first) : l10n.t('Replace {0} and {1}?', first, second);
  const detail =
    second === undefined
      ? l10n.t('A file of this name is already in the folder.')
      : l10n.t('Files of these names are already in the folder.');
  const replace = l10n.t('Replace');
  if ((await showModal(question, detail, replace)) !== replace) return false;
  for (const { uri } of unasked) agreed.add(String(uri));
  return true;
}
