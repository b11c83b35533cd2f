import type * as vscode from 'vscode';
import { late } from '../../core/index.ts';
import { registerLateCommands } from '../../host/commands/commands.ts';
import { Disposables } from '../../host/disposables.ts';
import { openTree } from '../../host/surface/tree.ts';
import { type CommandId, viewIds } from '../../manifest.ts';
import type { Addresses, AddressesDeps } from './addresses.ts';
import { trackEditor } from './commands/editorContext.ts';
import { registerAddressHover } from './hover/hover.ts';
import type { TreeNode } from './tree/addressNodes.ts';

const commands: readonly CommandId[] = [
  'chainside.lookUpAddress',
  'chainside.watchAddress',
  'chainside.unwatchAddress',
  'chainside.labelAddress',
  'chainside.copyAddress',
  'chainside.openInExplorer',
  'chainside.queryLogsOfAddress',
  'chainside.goToPlace',
  'chainside.watchToken',
  'chainside.unwatchToken',
  'chainside.searchTokens',
  'chainside.showMoreHoldings',
  'chainside.copyRawAmount',
  'chainside.copyContract',
  'chainside.queryTransfersTo',
  'chainside.queryTransfersFrom',
];

export interface AddressesFeature extends Pick<Addresses, 'refresh'>, vscode.Disposable {}

/** The Addresses view, the hover and the commands on an address; what they are made of is loaded with the first use. */
export function registerAddresses(deps: AddressesDeps): AddressesFeature {
  const disposables = new Disposables();
  const addresses = late(async () => {
    const { openAddresses } = await import('./addresses.ts');
    return disposables.add(openAddresses({ ...deps, view }));
  });
  const rows = async () => (await addresses()).tree;
  const view: vscode.TreeView<TreeNode> = disposables.add(
    openTree(viewIds.addresses, rows, { showCollapseAll: true }),
  );
  disposables.add(registerAddressHover({ ...deps, words: async () => (await addresses()).words }));
  disposables.add(registerLateCommands(commands, addresses));
  disposables.add(trackEditor());
  return {
    refresh: async (row) => (await addresses()).refresh(row),
    dispose: () => disposables.dispose(),
  };
}
