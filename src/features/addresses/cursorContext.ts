import * as vscode from 'vscode';
import { createContextKey } from '../../host/commands.ts';
import { addressUnderCursor } from './addressArgument.ts';

/** Keeps the context key for the editor's menu: whether the cursor stands on an address. */
export function trackCursor(): vscode.Disposable {
  const setOnAddress = createContextKey('chainside.onAddress');
  const update = () => setOnAddress(addressUnderCursor() !== undefined);
  update();
  return vscode.Disposable.from(
    vscode.window.onDidChangeTextEditorSelection(update),
    vscode.window.onDidChangeActiveTextEditor(update),
  );
}
