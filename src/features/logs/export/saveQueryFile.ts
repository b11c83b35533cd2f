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
import { exists } from '../../../host/files/storage.ts';
import { showMessage, showModal, showSaveDialog } from '../../../host/ui/dialogs.ts';
import { isVirtualWorkspace } from '../../../host/workspace/workspaceFiles.ts';

const EXTENSION = 'chainlog.json';

interface SavedQuery {
  readonly form: QueryForm;
  readonly network: Network;
  readonly title: string;
}

/** Lets the user choose a file, writes the query to it so that others can run it, and opens it. */
export async function saveQueryFile(
  { form, network, title: fullTitle }: SavedQuery,
  contracts: WorkspaceContracts,
): Promise<void> {
  const { l10n } = vscode;
  const { chainId } = network;
  const title = trimCutWord(fullTitle);
  const knowledge = createIndexKnowledge(await contracts.index(), chainId);
  const definition = toQueryDefinition(form, { title, chainId }, knowledge);
  const chosen = await showSaveDialog(l10n.t('Save Query as File'), {
    defaultUri: vscode.Uri.joinPath(await findQueryFolder(), suggestFileName([title], EXTENSION)),
    filters: { [l10n.t('Query')]: [EXTENSION, 'json'] },
  });
  if (!chosen) return;
  const target = withExtension(chosen);
  // The save dialog asked about replacing the typed name, not the one with the extension added.
  if (String(target) !== String(chosen) && !(await confirmReplace(target))) return;
  const text = `${JSON.stringify(queryDefinitionToJson(definition), null, 2)}\n`;
  try {
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    await showMessage('error', l10n.t('Cannot write the query to {0}. {1}', getFileName(target), reason));
    return;
  }
  await vscode.window.showTextDocument(target, { preview: false });
}

/** A title that was cut to fit a tab, up to its last full word. */
function trimCutWord(title: string): string {
  return title.endsWith('…') ? title.slice(0, Math.max(0, title.lastIndexOf(' '))) || title : title;
}

/** The folder of an existing query file, else the first workspace folder. */
async function findQueryFolder(): Promise<vscode.Uri> {
  // A search may never end where no program searches the files. If it fails, use the workspace folder.
  const [existing] = isVirtualWorkspace()
    ? []
    : await vscode.workspace
        .findFiles(`**/*.${EXTENSION}`, '**/node_modules/**', 1)
        .then(undefined, () => []);
  if (existing) return vscode.Uri.joinPath(existing, '..');
  return vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/');
}

/** The editor recognizes query files by this extension. */
function withExtension(uri: vscode.Uri): vscode.Uri {
  const { path } = uri;
  if (path.toLowerCase().endsWith(`.${EXTENSION}`)) return uri;
  return uri.with({ path: `${path.replace(/\.(?:chainlog|json)$/i, '')}.${EXTENSION}` });
}

async function confirmReplace(uri: vscode.Uri): Promise<boolean> {
  if (!(await exists(uri))) return true;
  const { l10n } = vscode;
  const replace = l10n.t('Replace');
  const detail = l10n.t('A file with this name already exists in the folder.');
  return (await showModal(l10n.t('Replace {0}?', getFileName(uri)), detail, replace)) === replace;
}
