import * as vscode from 'vscode';
import { createContextKey, type LazyFeature, lazyPart } from '../../host/commands.ts';
import { Disposables } from '../../host/disposables.ts';
import type { NamesService } from '../../host/names/nameProviders.ts';
import { hasAddress, hasHex } from '../../host/places/documents.ts';
import { openTreeView } from '../../host/ui/tree.ts';
import { viewIds } from '../../manifest.ts';
import type { Addresses, AddressesDeps } from './addresses.ts';
import { registerAddressHover } from './hover/hover.ts';
import type { AddressTreeNode } from './tree/addressNodes.ts';

interface AddressesFeature extends LazyFeature, Pick<Addresses, 'refresh'> {
  /** Loaded on first use. */
  readonly names: () => Promise<NamesService>;
  readonly load: () => Promise<Addresses>;
}

/** Registers the Addresses view, the hover and the address commands; their code is loaded on first use. */
export function registerAddresses(deps: AddressesDeps): AddressesFeature {
  const disposables = new Disposables();
  const addresses = lazyPart(async () => {
    const { openAddresses } = await import('./addresses.ts');
    return disposables.add(openAddresses({ ...deps, view }));
  });
  const rows = async () => (await addresses()).tree;
  const view: vscode.TreeView<AddressTreeNode> = disposables.add(
    openTreeView(viewIds.addresses, rows, { showCollapseAll: true, readKey: 'chainside.addresses.read' }),
  );
  disposables.add(registerAddressHover({ ...deps, content: async () => (await addresses()).hoverContent }));
  disposables.add(trackEditorContext());
  return {
    load: addresses,
    names: async () => (await addresses()).names,
    refresh: async (row) => (await addresses()).refresh(row),
    dispose: () => disposables.dispose(),
  };
}

const SETTLE_MS = 300;

/**
 * Updates the context keys of the editor menu: whether the active text contains an address or other hex. They do not
 * follow the cursor: a right click moves the cursor and opens the menu before the extension is notified.
 */
function trackEditorContext(): vscode.Disposable {
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
