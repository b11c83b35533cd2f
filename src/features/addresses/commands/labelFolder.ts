import * as vscode from 'vscode';
import { teamLabelsPath } from '../../../core/index.ts';
import type { LabelFolder } from '../../../host/names/nameProviders.ts';
import { pickOne, showMessage } from '../../../host/ui/dialogs.ts';
import type { ActiveNames } from '../addressBook.ts';

export async function showNotALabelFile(
  active: Pick<ActiveNames, 'names'>,
  folder: LabelFolder,
): Promise<void> {
  const open = vscode.l10n.t('Open File');
  const message = vscode.l10n.t(
    'Could not save the label: {0} is not a label file, or it is a symbolic link.',
    active.names.pathOf(getLabelFile(folder)),
  );
  if ((await showMessage('error', message, open)) !== open) return;
  await vscode.window.showTextDocument(getLabelFile(folder));
}

export function getLabelFile(folder: LabelFolder): vscode.Uri {
  return vscode.Uri.joinPath(folder.uri, teamLabelsPath);
}

/** The only folder, or one that the user picks. Shows a message if there is none. */
export async function pickLabelFolder(title: string): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0 || !vscode.workspace.isTrusted) {
    const message = vscode.workspace.isTrusted
      ? vscode.l10n.t('Open a folder first. Chainside saves team labels in a workspace file.')
      : vscode.l10n.t('Trust this workspace to save team labels.');
    void showMessage('information', message);
    return undefined;
  }
  if (folders.length === 1) return folders[0];
  const choices = folders.map((folder) => ({
    label: folder.name,
    description: vscode.workspace.asRelativePath(getLabelFile(folder)),
    folder,
  }));
  const placeHolder = vscode.l10n.t('Folder to save the label in');
  return (await pickOne(choices, { title, placeHolder }))?.folder;
}
