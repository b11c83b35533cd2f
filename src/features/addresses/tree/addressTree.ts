import * as vscode from 'vscode';
import type { Address, Clock } from '../../../core/index.ts';
import { Disposables } from '../../../host/disposables.ts';
import type { AddressNames } from '../../../host/names/addressNames.ts';
import type { WorkspaceSearch } from '../../../host/places/workspaceSearch.ts';
import type { Session } from '../../../host/session/session.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';
import type { TreeRow, TreeRowProvider } from '../../../host/ui/tree.ts';
import type { AddressBook } from '../addressBook.ts';
import type { BalanceStore } from '../balances/balanceStore.ts';
import type { VisibleRows } from '../balances/visibleRows.ts';
import type { WatchedTokens } from '../balances/watchedTokens.ts';
import type { AddressIdentityCache } from '../identityCache.ts';
import { listIdentityFacts } from '../identityFacts.ts';
import type { WatchedValues } from '../values/watchedValues.ts';
import { createNodeRow } from './addressItems.ts';
import {
  type AddressGroupNode,
  type AddressNode,
  AddressRows,
  type AddressTreeNode,
  type FactNode,
  getAddressNodeId,
  groups,
  type ValueGroupNode,
  valueGroup,
} from './addressNodes.ts';
import {
  createCollectionChildren,
  createFoldChildren,
  createHoldingsNodes,
  createNativeNode,
  createOccurrenceNodes,
  createWatchedTokenNodes,
  createWorkspaceNodes,
  PAGE_SIZE,
  Pages,
  type PositionedHolding,
} from './holdingNodes.ts';
import { createValueNode } from './valueItems.ts';

interface AddressTreeDeps {
  readonly session: Session;
  readonly book: AddressBook;
  readonly balances: BalanceStore;
  readonly watchedTokens: WatchedTokens;
  readonly values: WatchedValues;
  readonly identities: AddressIdentityCache;
  readonly search: WorkspaceSearch;
  readonly visibleRows: VisibleRows;
  readonly settings: SettingsService;
  readonly names: AddressNames;
  readonly clock: Clock;
}

/** Tooltips that show an age are refreshed after this time. */
const TOOLTIP_MS = 30_000;

/**
 * Watched values, watched and recent addresses and those of the workspace, with the holdings in the stores. The tree
 * reports which rows are visible; it loads nothing.
 */
export class AddressTree implements TreeRowProvider<AddressTreeNode>, vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<AddressTreeNode | undefined>());
  readonly #deps: AddressTreeDeps;
  readonly #rows = new AddressRows();
  readonly #pages = new Pages();
  readonly #tooltipRows = new Set<AddressNode | ValueGroupNode>();
  readonly #ended = new AbortController();
  #expanded: string | undefined;
  #valueCount: number;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(deps: AddressTreeDeps) {
    this.#deps = deps;
    const { book, balances, session } = deps;
    this.#disposables.add(book.onDidChange(() => this.#changed.fire(undefined)));
    this.#disposables.add(deps.names.onDidChange(() => this.#changed.fire(undefined)));
    this.#disposables.add(
      session.onDidChange(() => {
        this.#pages.clear();
        this.#changed.fire(undefined);
      }),
    );
    this.#disposables.add(balances.onDidChange((address) => this.#redraw(address)));
    this.#disposables.add(deps.watchedTokens.onDidChange((address) => this.#redraw(address)));
    this.#valueCount = deps.values.list.length;
    this.#disposables.add(deps.values.onDidChange(() => this.#redrawValues()));
    this.#disposables.add(deps.identities.onDidChange((address) => this.#redraw(address)));
    this.#disposables.add(deps.search.onDidChange(() => this.#changed.fire(groups.workspace)));
    this.#disposables.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#changed.fire(undefined)));
  }

  /**
   * The row to reveal for `address`. It starts expanded when it next appears: a row that is redrawn while VS Code
   * reveals it would stay collapsed.
   */
  unfold(address: Address): AddressNode {
    const row = this.getNode(address);
    this.#expanded = getAddressNodeId(row);
    return row;
  }

  getNode(address: Address): AddressNode {
    const group = this.#deps.book.isWatched(address) ? 'watched' : 'recent';
    return this.#rows.get({ kind: 'address', group, account: address });
  }

  /** Shows one more page under the row with the ID `rowId`; returns the first of its nodes. */
  async showMore(rowId: string): Promise<AddressTreeNode | undefined> {
    const row = this.#pages.rowOf(rowId);
    if (!row) return undefined;
    const before = await this.getChildren(row);
    this.#setShown(rowId, this.#pages.shown(rowId) + PAGE_SIZE);
    const after = await this.getChildren(row);
    return after[before.findIndex(({ kind }) => kind === 'more')];
  }

  /** Shows as many pages as the holding needs to be visible; returns its node, to be revealed. */
  showHolding({ node, index }: PositionedHolding): AddressTreeNode {
    const id = getAddressNodeId(node.parent);
    if (index >= this.#pages.shown(id)) this.#setShown(id, Math.ceil((index + 1) / PAGE_SIZE) * PAGE_SIZE);
    return node;
  }

  getTreeItem(node: AddressTreeNode): TreeRow {
    return createNodeRow(node, {
      ...this.#deps,
      startsUnfolded: (row) => getAddressNodeId(row) === this.#expanded,
      onTooltip: (row) => this.#refreshTooltipLater(row),
    });
  }

  async getChildren(node?: AddressTreeNode): Promise<AddressTreeNode[]> {
    if (!node) {
      await this.#deps.book.ready;
      return [...listShownGroups(this.#deps)];
    }
    switch (node.kind) {
      case 'group':
        if (node.group === 'values') return this.#createValueNodes();
        return [
          ...(await listGroupMembers(node, {
            ...this.#deps,
            rows: this.#rows,
            shown: this.#pages.shownUnder(node),
          })),
        ];
      case 'address':
        return [...this.#createAddressChildren(node)];
      case 'fold':
        return [...createFoldChildren(node, this.#pages.shownUnder(node))];
      case 'collection':
        return [...createCollectionChildren(node, this.#pages.shownUnder(node))];
      default:
        return [];
    }
  }

  getParent(node: AddressTreeNode): AddressTreeNode | undefined {
    switch (node.kind) {
      case 'group':
        return undefined;
      case 'address':
        return groups[node.group];
      case 'value':
        return valueGroup;
      default:
        return node.parent;
    }
  }

  dispose(): void {
    this.#ended.abort();
    this.#disposables.dispose();
  }

  #createValueNodes(): AddressTreeNode[] {
    const { values, visibleRows } = this.#deps;
    visibleRows.listedValues(getAddressNodeId(valueGroup));
    return values.list.map((view) => createValueNode(view, values));
  }

  /** The group itself comes with the first value, goes with the last one, and shows how many there are. */
  #redrawValues(): void {
    const { length } = this.#deps.values.list;
    const isSame = length === this.#valueCount;
    this.#valueCount = length;
    this.#changed.fire(isSame ? valueGroup : undefined);
  }

  #createAddressChildren(node: AddressNode): readonly AddressTreeNode[] {
    const { balances, session, watchedTokens, visibleRows } = this.#deps;
    const { account } = node;
    if (!session.isChosen) {
      return [{ kind: 'note', parent: node, content: { note: 'noNetwork' } }, ...createOccurrenceNodes(node)];
    }
    visibleRows.opened(getAddressNodeId(node), account);
    const { decimals } = session.network;
    const listed = balances.availableHoldings(account)?.holdings.balances.tokens ?? [];
    const isListed = new Set(listed.map(({ contract }) => contract));
    const tokens = createWatchedTokenNodes(
      node,
      watchedTokens.list(account).filter(({ contract, isWatched }) => isWatched || !isListed.has(contract)),
    );
    const holdings = createHoldingsNodes(node, balances.holdings(account), {
      shown: this.#pages.shownUnder(node),
      currency: balances.quoteCurrency,
    });
    const hasToken = tokens.some(({ kind }) => kind === 'watchedToken');
    return [
      ...this.#createFactNodes(node),
      createNativeNode(node, balances.native(account), decimals),
      ...tokens,
      ...holdings.filter((row) => !(hasToken && row.kind === 'note' && row.content.note === 'notServed')),
      ...createOccurrenceNodes(node),
    ];
  }

  #createFactNodes(parent: AddressNode): readonly FactNode[] {
    const { identities, names, session } = this.#deps;
    const identity = identities.get(parent.account);
    if (!identity) return [];
    const nameOf = (address: Address) => names.nameOf(address, session.network.chainId)?.name;
    return listIdentityFacts(identity, nameOf).map((fact) => ({ kind: 'fact', parent, fact, identity }));
  }

  #setShown(rowId: string, shown: number): void {
    this.#pages.show(rowId, shown);
    const row = this.#pages.rowOf(rowId);
    if (row) this.#changed.fire(row);
  }

  /** VS Code caches a tooltip until the row is redrawn. */
  #refreshTooltipLater(row: AddressNode | ValueGroupNode): void {
    if (this.#tooltipRows.has(row)) return;
    this.#tooltipRows.add(row);
    void this.#deps.clock.sleep(TOOLTIP_MS, this.#ended).then(
      () => {
        this.#tooltipRows.delete(row);
        this.#changed.fire(row);
      },
      () => undefined,
    );
  }

  #redraw(address: Address | undefined): void {
    if (address === undefined) {
      this.#changed.fire(undefined);
      return;
    }
    for (const row of this.#rows.list(address)) this.#changed.fire(row);
  }
}

const moreNotes = { addresses: 'moreAddresses', files: 'moreFiles' } as const;

/** Groups that are not empty, or may not be. */
function listShownGroups({
  book,
  values,
}: Pick<AddressTreeDeps, 'book' | 'values'>): readonly (AddressGroupNode | ValueGroupNode)[] {
  const hasWorkspace = (vscode.workspace.workspaceFolders?.length ?? 0) > 0;
  return [
    ...(values.list.length > 0 ? [valueGroup] : []),
    ...(book.watched.length > 0 ? [groups.watched] : []),
    ...(book.recent.length > 0 ? [groups.recent] : []),
    ...(hasWorkspace ? [groups.workspace] : []),
  ];
}

async function listGroupMembers(
  { group }: AddressGroupNode,
  stores: {
    readonly book: AddressBook;
    readonly search: WorkspaceSearch;
    readonly visibleRows: VisibleRows;
    readonly rows: AddressRows;
    readonly shown: number;
  },
): Promise<readonly AddressTreeNode[]> {
  const { book, search, visibleRows, rows, shown } = stores;
  if (group !== 'workspace') {
    const accounts = book[group];
    visibleRows.listed(group, accounts);
    return accounts.map((account) => rows.get({ kind: 'address', group, account }));
  }
  const found = await search.found();
  const nodes = createWorkspaceNodes(found, rows, shown);
  const accounts = nodes.flatMap((node) => (node.kind === 'address' ? node.account : []));
  visibleRows.listed(group, accounts.slice(0, MAX_LISTED_BALANCES));
  const note = found.cut ? moreNotes[found.cut] : nodes.length === 0 ? 'noAddress' : undefined;
  return note ? [...nodes, { kind: 'note', parent: groups.workspace, content: { note } }] : nodes;
}

/** Addresses of the workspace whose balances are read because they are listed. The others are when they are expanded. */
const MAX_LISTED_BALANCES = 50;
