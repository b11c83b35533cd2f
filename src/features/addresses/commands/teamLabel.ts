import * as vscode from 'vscode';
import { type Address, sanitizeText, teamLabelsPath } from '../../../core/index.ts';
import type { Session } from '../../../host/session/session.ts';
import { showMessage } from '../../../host/surface/messages.ts';
import { pickOne } from '../../../host/surface/questions.ts';
import { LONGEST_LABEL } from '../book/addressBook.ts';
import type { ActiveNames } from '../names/activeNames.ts';
import { askForLabel } from './label.ts';

/** Writes a label into the file that the team shares. */
export async function labelForTeam(
  { active, session }: { readonly active: ActiveNames; readonly session: Session },
  address: Address,
): Promise<void> {
  const title = vscode.l10n.t('Label Address for the Team');
  const folder = await folderToWrite(title);
  if (!folder) return;
  await active.ready();
  const { network } = session;
  const present = active.names
    .namesOf(address, network.chainId)
    .find(({ source, file }) => source === 'label' && file === active.names.pathOf(fileIn(folder)));
  const typed = await askForLabel(title, address, present?.name ?? active.name(address));
  if (typed === undefined) return;
  const everywhere = {
    label: vscode.l10n.t('On every chain'),
    description: vscode.l10n.t('for contracts with the same address on every chain'),
    chainId: undefined,
  };
  const here = {
    label: vscode.l10n.t('On {0} only', network.name),
    description: vscode.l10n.t('chain {0}', String(network.chainId)),
    chainId: network.chainId,
  };
  const chain = await pickOne<typeof everywhere | typeof here>([here, everywhere], {
    title,
    placeHolder:
      typed.trim() === ''
        ? vscode.l10n.t('Where to remove the label')
        : vscode.l10n.t('Where this address is {0}', typed.trim()),
  });
  if (!chain) return;
  const name = sanitizeText(typed, LONGEST_LABEL) || undefined;
  if (await active.names.team.write(folder, { address, name, chainId: chain.chainId })) return;
  const open = vscode.l10n.t('Open File');
  const message = vscode.l10n.t(
    '{0} is not a label file: nothing was written.',
    active.names.pathOf(fileIn(folder)),
  );
  if ((await showMessage('error', message, open)) !== open) return;
  await vscode.window.showTextDocument(fileIn(folder));
}

function fileIn(folder: vscode.WorkspaceFolder): vscode.Uri {
  return vscode.Uri.joinPath(folder.uri, teamLabelsPath);
}

/** The folder whose file it is: the only one, or one that is chosen. Says why there is none. */
async function folderToWrite(title: string): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0 || !vscode.workspace.isTrusted) {
    const message = vscode.workspace.isTrusted
      ? vscode.l10n.t('Open a folder first: team labels are stored in a file of the workspace.')
      : vscode.l10n.t('Trust this workspace to write team labels.');
    void showMessage('information', message);
    return undefined;
  }
  if (folders.length === 1) return folders[0];
  const choices = folders.map((folder) => ({
    label: folder.name,
    description: vscode.workspace.asRelativePath(fileIn(folder)),
    folder,
  }));
  const placeHolder = vscode.l10n.t('Folder to store the label in');
  return (await pickOne(choices, { title, placeHolder }))?.folder;
}
