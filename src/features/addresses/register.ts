import type * as vscode from 'vscode';
import type { LateFeature } from '../../host/commands/commands.ts';
import { Disposables } from '../../host/disposables.ts';
import { latePart } from '../../host/latePart.ts';
import type { OpenedNames } from '../../host/names/openNames.ts';
import { openTree } from '../../host/surface/tree.ts';
import { viewIds } from '../../manifest.ts';
import type { Addresses, AddressesDeps } from './addresses.ts';
import { trackEditor } from './commands/editorContext.ts';
import { registerAddressHover } from './hover/hover.ts';
import type { TreeNode } from './tree/addressNodes.ts';

interface AddressesFeature extends LateFeature, Pick<Addresses, 'refresh'> {
  /** What addresses are called; loaded with the first use. */
  readonly names: () => Promise<OpenedNames>;
}

/** The Addresses view, the hover and the commands on an address; what they are made of is loaded with the first use. */
export function registerAddresses(deps: AddressesDeps): AddressesFeature {
  const disposables = new Disposables();
  const addresses = latePart(async () => {
    const { openAddresses } = await import('./addresses.ts');
    return disposables.add(openAddresses({ ...deps, view }));
  });
  const rows = async () => (await addresses()).tree;
  const view: vscode.TreeView<TreeNode> = disposables.add(
    openTree(viewIds.addresses, rows, { showCollapseAll: true }),
  );
  disposables.add(registerAddressHover({ ...deps, words: async () => (await addresses()).words }));
  disposables.add(trackEditor());
  return {
    load: addresses,
    names: async () => (await addresses()).names,
    refresh: async (row) => (await addresses()).refresh(row),
    dispose: () => disposables.dispose(),
  };
}
