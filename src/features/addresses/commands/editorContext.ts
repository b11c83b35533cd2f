import * as vscode from 'vscode';
import { createContextKey } from '../../../host/commands/commands.ts';
import { Disposables } from '../../../host/disposables.ts';
import { hasAddress, hasHex } from '../../../host/places/documentAddresses.ts';

const SETTLE_MS = 300;

/**
 * Keeps the context keys for the editor's menu: whether the active text has an address or other hex in it. Not whether
 * the cursor is on one: a right click moves the cursor and opens the menu at once, before an extension learns of it.
 */
export function trackEditor(): vscode.Disposable {
  const disposables = new Disposables();
  const setHasAddress = createContextKey('chainside.editorHasAddress');
  const setHasHex = createContextKey('chainside.editorHasHex');
  let settling: ReturnType<typeof setTimeout> | undefined;

  function update(): void {
    const document = vscode.window.activeTextEditor?.document;
    setHasAddress(document !== undefined && hasAddress(document));
    setHasHex(document !== undefined && hasHex(document));
  }
  function updateSoon(): void {
    clearTimeout(settling);
    settling = setTimeout(update, SETTLE_MS);
  }

  disposables.add(vscode.window.onDidChangeActiveTextEditor(update));
  disposables.add(
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document === vscode.window.activeTextEditor?.document) updateSoon();
    }),
  );
  disposables.add({ dispose: () => clearTimeout(settling) });
  update();
  return disposables;
}
