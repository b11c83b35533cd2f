import * as vscode from 'vscode';
import type { Address } from '../../../core/index.ts';
import { addressAt } from '../places/findAddresses.ts';

/** The address that the cursor of the active editor stands on. */
export function addressUnderCursor(): Address | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return undefined;
  const { line, character } = editor.selection.active;
  return addressAt(editor.document.lineAt(line).text, character)?.address;
}

/** What an input box asks for where any address is meant. */
export function anyAddressPrompt(): string {
  return vscode.l10n.t('Address of an account or a contract');
}
