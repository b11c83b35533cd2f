import * as vscode from 'vscode';
import { showBriefly } from '../surface/messages.ts';
import { readRow } from './rowArguments.ts';

/** Puts a text, or the `copyText` of a tree row, on the clipboard. */
export async function copyText(argument: unknown): Promise<void> {
  const text = typeof argument === 'string' ? argument : readRow(argument)?.copyText;
  if (text === undefined) return;
  await vscode.env.clipboard.writeText(text);
  showBriefly(vscode.l10n.t('Copied {0}', text), 2000);
}
