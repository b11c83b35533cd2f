import * as vscode from 'vscode';
import type { Address, Clock, Network } from '../../core/index.ts';
import { createContextKey } from '../../host/commands.ts';
import type { DeploymentChecks } from '../../host/contracts/deploymentChecks.ts';
import type { WorkspaceContracts } from '../../host/contracts/workspaceContracts.ts';
import { Disposables } from '../../host/disposables.ts';
import { type NamesService, openNamesService } from '../../host/names/nameProviders.ts';
import { WorkspaceSearch } from '../../host/places/workspaceSearch.ts';
import { parseAccountArgument } from '../../host/rowArguments.ts';
import type { Session } from '../../host/session/session.ts';
import type { SettingsService } from '../../host/settings/settings.ts';
import { revealRow } from '../../host/ui/revealRow.ts';
import { withViewProgress } from '../../host/ui/window.ts';
import type { WorkspaceFiles } from '../../host/workspace/workspaceFiles.ts';
import { viewIds } from '../../manifest.ts';
import { AddressBook, createActiveNames, createBookFiles } from './addressBook.ts';
import { createBalanceReader, type SeenBlock } from './balances/balanceReader.ts';
import { BalanceStore, confirmCost } from './balances/balanceStore.ts';
import { createProjectTokens } from './balances/projectTokens.ts';
import {
  createVisibleRows,
  type FollowedHead,
  followBlocks,
  type ViewVisibility,
} from './balances/visibleRows.ts';
import { WatchedTokens } from './balances/watchedTokens.ts';
import {
  registerAddressCommands,
  registerGoToPlace,
  registerSwitchToChain,
} from './commands/addressCommands.ts';
import { registerHistoryCommands } from './commands/historyCommands.ts';
import {
  registerHoldingCommands,
  registerRevealCommands,
  registerTokenCommands,
} from './commands/holdingCommands.ts';
import { registerValueCommands } from './commands/valueCommands.ts';
import { type AddressHoverContent, createAddressHoverContent } from './hover/hoverContent.ts';
import { AddressIdentityCache } from './identityCache.ts';
import { type AddressTreeNode, getAddressNodeId } from './tree/addressNodes.ts';
import { AddressTree } from './tree/addressTree.ts';
import { WatchedValues } from './values/watchedValues.ts';

export interface AddressesDeps {
  readonly session: Session;
  readonly settings: SettingsService;
  readonly storage: vscode.Memento;
  readonly workspaceState: vscode.Memento;
  /** For data shared by all windows; the folder may not exist yet. */
  readonly storageUri: vscode.Uri;
  readonly files: WorkspaceFiles;
  readonly contracts: WorkspaceContracts;
  readonly clock: Clock;
  readonly log: vscode.LogOutputChannel;
  /** The newest block: cached, or fetched now. */
  readonly readHead: () => Promise<SeenBlock>;
  readonly head: FollowedHead;
  /** Receives the watched addresses: contracts there are found by their code. */
  readonly noteAddresses: (addresses: Iterable<Address>, network: Network) => unknown;
  readonly checkDeployments: DeploymentChecks['checkChosen'];
}

export interface Addresses extends vscode.Disposable {
  readonly tree: AddressTree;
  readonly hoverContent: AddressHoverContent;
  readonly names: NamesService;
  readonly identities: AddressIdentityCache;
  /** Reloads the row passed. Without a row, reloads everything shown; token data only if the user accepts its cost. */
  refresh(row: unknown): Promise<void>;
}

/** The whole feature but its registrations in the editor; registers the commands. */
export function openAddresses(
  deps: AddressesDeps & { readonly view: vscode.TreeView<AddressTreeNode> },
): Addresses {
  const { view } = deps;
  const disposables = new Disposables();
  const book = disposables.add(new AddressBook({ ...deps, files: createBookFiles(deps.storageUri) }));
  const setListed = createContextKey('chainside.addresses.listed');
  const updateListed = () => setListed(book.watched.length + book.recent.length > 0);
  const update = () => {
    updateListed();
    deps.noteAddresses(book.watched, deps.session.network);
  };
  disposables.add(book.onDidChange(update));
  void book.ready.then(update);
  const reader = disposables.add(createBalanceReader(deps));
  const balances = disposables.add(new BalanceStore({ ...deps, reader }));
  const identities = disposables.add(new AddressIdentityCache(deps));
  const projectTokens = createProjectTokens({ ...deps, identities });
  const watchedTokens = disposables.add(new WatchedTokens({ ...deps, book, projectTokens }));
  const search = disposables.add(new WorkspaceSearch(deps));
  const values = disposables.add(new WatchedValues(deps));
  const visibleRows = createVisibleRows({ balances, watchedTokens, identities, values });
  const names = disposables.add(openNamesService({ ...deps, mine: book, search }));
  const active = createActiveNames(names, deps.session);
  const hoverContent = disposables.add(
    createAddressHoverContent({ ...deps, book, reader, identities, projectTokens, active }),
  );
  const tree = disposables.add(
    new AddressTree({
      ...deps,
      book,
      balances,
      watchedTokens,
      values,
      identities,
      search,
      visibleRows,
      names,
    }),
  );

  async function show(address: Address): Promise<void> {
    const row = tree.unfold(address);
    await book.remember(address);
    // The view fires no event for a row that first appears expanded.
    visibleRows.unfold(getAddressNodeId(row));
    await revealRow(view, row, { select: true, focus: true, expand: true });
    void identities.load(address, 'recent');
    await Promise.all([balances.load(address, 'recent'), watchedTokens.load(address, { again: true })]);
  }

  const follower = disposables.add(
    followBlocks({
      ...deps,
      visibility: createViewVisibility(view),
      visibleRows,
      balances,
      watchedTokens,
      values,
      reader,
    }),
  );
  /** What was not on the active network before may have been deployed now. */
  async function refreshMissingDeployments(): Promise<void> {
    const { network } = deps.session;
    const due = (deps.contracts.known?.deployments ?? []).filter(
      ({ address, chainId }) =>
        chainId === String(network.chainId) && identities.get(address)?.kind === 'account',
    );
    await identities.refresh(due.map(({ address }) => address));
    for (const holder of visibleRows.holders) void watchedTokens.load(holder);
  }
  disposables.add(deps.contracts.onDidRead(() => void refreshMissingDeployments()));
  disposables.add(
    view.onDidExpandElement(({ element }) => {
      if (visibleRows.unfold(getAddressNodeId(element))) follower.onUnfold();
      if (element.kind === 'address') void balances.load(element.account, 'recent');
    }),
  );
  disposables.add(view.onDidCollapseElement(({ element }) => visibleRows.fold(getAddressNodeId(element))));
  disposables.add(registerAddressCommands({ ...deps, book, show, active }));
  disposables.add(registerGoToPlace());
  disposables.add(registerSwitchToChain({ ...deps, active }));
  disposables.add(registerHoldingCommands(view));
  disposables.add(registerTokenCommands({ ...deps, book, active }));
  disposables.add(registerValueCommands({ ...deps, values }));
  disposables.add(registerHistoryCommands({ ...deps, book, active, view }));
  disposables.add(registerRevealCommands({ ...deps, book, balances, tree, view, show, active }));
  return {
    tree,
    names,
    identities,
    hoverContent,
    async refresh(row) {
      const account = parseAccountArgument(row);
      if (account) {
        await busyWhile(
          balances.load(account, 'fresh'),
          watchedTokens.load(account, { again: true }),
          identities.load(account, 'fresh'),
        );
        return;
      }
      deps.files.refresh();
      const { signal } = deps.session.connection;
      const tokens = watchedTokens.refresh();
      const access = await deps.session.provider('holdings');
      const price = access.state === 'ready' ? access.provider.offers.holdings : 'free';
      const holdings = await confirmCost(balances.holdingsCount, price);
      // The user accepted the price of that network only.
      if (signal.aborted) return;
      await busyWhile(
        tokens,
        balances.refresh({ holdings }),
        identities.refresh(visibleRows.accounts),
        values.load({ again: true }),
      );
    },
    dispose: () => disposables.dispose(),
  };
}

async function busyWhile(...reads: readonly Promise<void>[]): Promise<void> {
  await withViewProgress(viewIds.addresses, Promise.all(reads));
}

function createViewVisibility(view: vscode.TreeView<unknown>): ViewVisibility {
  return {
    get view() {
      return view.visible;
    },
    get window() {
      return vscode.window.state.focused;
    },
    onDidChange: (listener) =>
      vscode.Disposable.from(
        view.onDidChangeVisibility(() => listener(undefined)),
        vscode.window.onDidChangeWindowState(() => listener(undefined)),
      ),
  };
}
