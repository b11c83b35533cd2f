import * as vscode from 'vscode';
import {
  createIndexKnowledge,
  type Network,
  type QueryForm,
  queryDefinitionToJson,
  toQueryDefinition,
} from '../../../core/index.ts';
import type { WorkspaceContracts } from '../../../host/contracts/workspaceContracts.ts';
import { getFileName, suggestFileName } from '../../../host/files/fileNames.ts';
import { showMessage, showModal, showSaveDialog } from '../../../host/ui/dialogs.ts';

const EXTENSION = 'chainlog.json';

interface SavedQuery {
  readonly form: QueryForm;
  readonly network: Network;
  readonly title: string;
}

/** Asks for a file, writes the query to it so that others can run it, and opens it. */
export async function saveQueryFile(
  { form, network, title: shown }: SavedQuery,
  contracts: WorkspaceContracts,
): Promise<void> {
  const { l10n } = vscode;
  const { chainId } = network;
  const title = trimCutWord(shown);
  const knowledge = createIndexKnowledge(await contracts.index(), chainId);
  const question = toQueryDefinition(form, { title, chainId }, knowledge);
  const chosen = await showSaveDialog(l10n.t('Save Query as File'), {
    defaultUri: vscode.Uri.joinPath(await folderOfQueries(), suggestFileName([title], EXTENSION)),
    filters: { [l10n.t('Query')]: [EXTENSION, 'json'] },
  });
  if (!chosen) return;
  const target = named(chosen);
  // The save dialog asked about replacing the typed name, not the one with the extension added.
  if (String(target) !== String(chosen) && !(await mayWrite(target))) return;
  const text = `${JSON.stringify(queryDefinitionToJson(question), null, 2)}\n`;
  try {
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    await showMessage(
      'error',
      l10n.t('The query could not be written to {0}. {1}', getFileName(target), why),
    );
    return;
  }
  await vscode.window.showTextDocument(target, { preview: false });
}

/** A title that was cut to fit a tab, up to its last full word. */
function trimCutWord(title: string): string {
  return title.endsWith('…') ? title.slice(0, Math.max(0, title.lastIndexOf(' '))) || title : title;
}

/** The folder of an existing query file, else the first workspace folder. */
async function folderOfQueries(): Promise<vscode.Uri> {
  const finding = vscode.workspace.findFiles(`**/*.${EXTENSION}`, '**/node_modules/**', 1);
  // If the search fails, use the workspace folder.
  const [known] = await finding.then(undefined, () => []);
  if (known) return vscode.Uri.joinPath(known, '..');
  return vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/');
}

/** The editor recognizes query files by this extension. */
function named(uri: vscode.Uri): vscode.Uri {
  const { path } = uri;
  if (path.toLowerCase().endsWith(`.${EXTENSION}`)) return uri;
  return uri.with({ path: `${path.replace(/\.(?:chainlog|json)$/i, '')}.${EXTENSION}` });
}

async function mayWrite(uri: vscode.Uri): Promise<boolean> {
  const isThere = await vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
  if (!isThere) return true;
  const { l10n } = vscode;
  const replace = l10n.t('Replace');
  const detail = l10n.t('A file of this name is already in the folder.');
  return (await showModal(l10n.t('Replace {0}?', getFileName(uri)), detail, replace)) === replace;
}
