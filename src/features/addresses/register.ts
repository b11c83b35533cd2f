import * as vscode from 'vscode';
import type { Address, Clock } from '../../core/index.ts';
import { Disposables } from '../../host/disposables.ts';
import type { Session } from '../../host/session.ts';
import type { SettingsService } from '../../host/settings.ts';
import { viewIds } from '../../manifest.ts';
import { AddressBook } from './addressBook.ts';
import { AddressTree } from './addressTree.ts';
import { createBalanceReader, type SeenBlock } from './balanceReader.ts';
import { BalanceStore } from './balanceStore.ts';
import { registerAddressCommands } from './commands.ts';
import { trackEditor } from './editorContext.ts';
import { registerAddressHover } from './hover.ts';

export interface AddressesDeps {
  readonly session: Session;
  readonly settings: SettingsService;
  readonly storage: vscode.Memento;
  readonly clock: Clock;
  readonly log: vscode.LogOutputChannel;
  /** The newest block as known at the moment, or asked for. */
  readonly readHead: () => Promise<SeenBlock>;
}

/** The Addresses view, the hover and the commands on an address. */
export function registerAddresses(deps: AddressesDeps): vscode.Disposable & { refresh(): Promise<void> } {
  const disposables = new Disposables();
  const book = disposables.add(new AddressBook(deps));
  const reader = disposables.add(createBalanceReader(deps));
  const balances = disposables.add(new BalanceStore({ ...deps, reader }));
  const tree = disposables.add(new AddressTree({ ...deps, book, balances }));
  const view = disposables.add(
    vscode.window.createTreeView(viewIds.addresses, { treeDataProvider: tree, showCollapseAll: true }),
  );

  async function show(address: Address): Promise<void> {
    await book.remember(address);
    await view.reveal(tree.nodeOf(address), { select: true, focus: true, expand: true });
    await balances.load(address, 'recent');
  }

  disposables.add(
    view.onDidExpandElement(({ element }) => {
      if (element.kind === 'address') void balances.load(element.address, 'recent');
    }),
  );
  disposables.add(registerAddressHover({ ...deps, book, reader }));
  disposables.add(registerAddressCommands({ ...deps, book, show }));
  disposables.add(trackEditor());
  return {
    async refresh() {
      tree.searchAgain();
      await balances.refresh();
    },
    dispose: () => disposables.dispose(),
  };
}
