import * as vscode from 'vscode';
import { parseRowArgument } from './rowArguments.ts';
import { showStatusMessage } from './ui/dialogs.ts';

/** Copies a text, or the `copyText` of a tree row, to the clipboard. */
export async function copyText(argument: unknown): Promise<void> {
  const text = typeof argument === 'string' ? argument : parseRowArgument(argument)?.copyText;
  if (text === undefined) return;
  await vscode.env.clipboard.writeText(text);
  showStatusMessage(vscode.l10n.t('Copied {0}', text), 2000);
}
