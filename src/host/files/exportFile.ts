import * as vscode from 'vscode';
import type { Clock, Network } from '../../core/index.ts';
import { showError } from '../errors.ts';
import { formatErrorForLog } from '../log.ts';
import { showMessage, showSaveDialog } from '../ui/dialogs.ts';
import { isWebHost } from '../webHost.ts';
import { createUnfinishedFiles, FileError } from './atomicFiles.ts';
import { exists } from './storage.ts';

/**
 * The panel takes the focus back when the previous quick pick or the palette closes, at times after the next
 * one opens.
 */
export const ignoreFocusOut = true;

/** Lets the user choose the file, in the folder of the last export. Undefined if cancelled. */
export async function chooseTarget(
  { title, name, label, extension }: TargetOptions,
  memento: vscode.Memento,
): Promise<vscode.Uri | undefined> {
  const chosen = await showSaveDialog(title, {
    defaultUri: vscode.Uri.joinPath(await findStartFolder(memento), name),
    filters: { [label]: [extension] },
  });
  if (chosen) void memento.update(FOLDER_KEY, String(vscode.Uri.joinPath(chosen, '..')));
  return chosen;
}

interface TargetOptions {
  readonly title: string;
  /** Suggested. */
  readonly name: string;
  /** Of the format. */
  readonly label: string;
  readonly extension: string;
}

const FOLDER_KEY = 'exportFolder';

/** The folder of the last export from this workspace, if it still exists; otherwise the folder of the workspace. */
async function findStartFolder(memento: vscode.Memento): Promise<vscode.Uri> {
  const stored: unknown = memento.get(FOLDER_KEY);
  const last = typeof stored === 'string' ? vscode.Uri.parse(stored) : undefined;
  if (last && (await exists(last))) return last;
  return vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/');
}

/** Where exports note their partial files. */
export function createUnfinishedExports({
  storageUri,
  clock,
}: {
  readonly storageUri: vscode.Uri;
  readonly clock: Clock;
}) {
  return createUnfinishedFiles(vscode.Uri.joinPath(storageUri, 'unfinished'), clock);
}

/** Says what was written, and offers to open the file and its folder. */
export async function showWritten(
  severity: 'information' | 'warning',
  message: string,
  target: vscode.Uri,
): Promise<void> {
  const { l10n } = vscode;
  const open = l10n.t('Open');
  const reveal = l10n.t('Reveal');
  const revealCommand = getRevealCommand(target);
  const buttons = revealCommand === undefined ? [open] : [open, reveal];
  const chosen = await showMessage(severity, message, ...buttons);
  if (chosen === open) await vscode.commands.executeCommand('vscode.open', target);
  if (chosen === reveal && revealCommand) await vscode.commands.executeCommand(revealCommand, target);
}

/** Undefined where a browser cannot show the folder. */
function getRevealCommand(target: vscode.Uri): string | undefined {
  if (vscode.workspace.getWorkspaceFolder(target)) return 'revealInExplorer';
  return isWebHost ? undefined : 'revealFileInOS';
}

/** Says why a file could not be written. Resolves to whether to retry. */
export async function showExportFailure(
  error: unknown,
  { network, log }: { readonly network: Network; readonly log: vscode.LogOutputChannel },
): Promise<boolean> {
  if (!(error instanceof FileError)) return showError(error, { service: 'endpoint', network, log }, true);
  log.error(formatErrorForLog(error));
  const tryAgain = vscode.l10n.t('Retry');
  const message = vscode.l10n.t('Cannot write the file. {0}', error.message);
  return (await showMessage('error', message, tryAgain)) === tryAgain;
}
