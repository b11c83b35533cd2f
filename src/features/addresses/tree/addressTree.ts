import * as vscode from 'vscode';
import type { Address, Clock } from '../../../core/index.ts';
import { Disposables } from '../../../host/disposables.ts';
import type { AddressNames } from '../../../host/names/addressNames.ts';
import type { WorkspaceSearch } from '../../../host/places/workspaceSearch.ts';
import type { Session } from '../../../host/session/session.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';
import type { RowProvider, TreeRow } from '../../../host/surface/tree.ts';
import type { BalanceStore } from '../balances/balanceStore.ts';
import type { InSight } from '../balances/inSight.ts';
import type { WatchedTokens } from '../balances/watchedTokens.ts';
import type { AddressBook } from '../book/addressBook.ts';
import type { Identities } from '../identity/identities.ts';
import { identityFacts } from '../identity/identityFacts.ts';
import { addressItem } from './addressItems.ts';
import type { AddressNode, FactNode, TreeNode } from './addressNodes.ts';
import { AddressRows, groups } from './addressRows.ts';
import { nativeNode, watchedChildren } from './chainNodes.ts';
import { groupMembers, groupsShown } from './groupMembers.ts';
import { collectionChildren, foldChildren, PAGE } from './heldNodes.ts';
import { holdingsChildren, type PlacedHolding } from './holdingNodes.ts';
import { nodeId } from './nodeId.ts';
import { Pages } from './pages.ts';
import { placeRows, rowsOfFile } from './placedNodes.ts';

interface AddressTreeDeps {
  readonly session: Session;
  readonly book: AddressBook;
  readonly balances: BalanceStore;
  readonly watchedTokens: WatchedTokens;
  readonly identities: Identities;
  readonly search: WorkspaceSearch;
  readonly inSight: InSight;
  readonly settings: SettingsService;
  readonly names: AddressNames;
  readonly clock: Clock;
}

/** A tooltip with an age in it is made anew after so long. */
const TOOLTIP_MS = 30_000;

/**
 * Watched and recent addresses and those of the workspace, with what they hold, as the stores have it. The tree says
 * what is in sight; it loads nothing.
 */
export class AddressTree implements RowProvider<TreeNode>, vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<TreeNode | undefined>());
  readonly #deps: AddressTreeDeps;
  readonly #rows = new AddressRows();
  readonly #pages = new Pages();
  readonly #shown = new Set<AddressNode>();
  readonly #ended = new AbortController();
  #unfolded: string | undefined;

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
    this.#disposables.add(balances.onDidChange((address) => this.#showChange(address)));
    this.#disposables.add(deps.watchedTokens.onDidChange((address) => this.#showChange(address)));
    this.#disposables.add(deps.identities.onDidChange((address) => this.#showChange(address)));
    this.#disposables.add(deps.search.onDidChange(() => this.#changed.fire(groups.workspace)));
    this.#disposables.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#changed.fire(undefined)));
  }

  /**
   * The row to reveal for `address`, which from now on is unfolded where it comes into the view: one that is drawn anew
   * while the editor reveals it would stay folded.
   */
  unfold(address: Address): AddressNode {
    const row = this.nodeOf(address);
    this.#unfolded = nodeId(row);
    return row;
  }

  /** The row to reveal for `address`. */
  nodeOf(address: Address): AddressNode {
    const group = this.#deps.book.isWatched(address) ? 'watched' : 'recent';
    return this.#rows.get({ kind: 'address', group, account: address });
  }

  /** Shows the next holdings under the row with the id `rowId`; returns the first of them. */
  async showMore(rowId: string): Promise<TreeNode | undefined> {
    const row = this.#pages.rowOf(rowId);
    if (!row) return undefined;
    const before = await this.getChildren(row);
    this.#show(rowId, this.#pages.shown(rowId) + PAGE);
    const after = await this.getChildren(row);
    return after[before.findIndex(({ kind }) => kind === 'more')];
  }

  /** Shows as many holdings as it takes for this one to be among them; returns its row, to be revealed. */
  placeHolding({ node, index }: PlacedHolding): TreeNode {
    const id = nodeId(node.parent);
    if (index >= this.#pages.shown(id)) this.#show(id, Math.ceil((index + 1) / PAGE) * PAGE);
    return node;
  }

  getTreeItem(node: TreeNode): TreeRow {
    return addressItem(node, {
      ...this.#deps,
      startsUnfolded: (row) => nodeId(row) === this.#unfolded,
      onTooltip: (row) => this.#renewTooltip(row),
    });
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    if (!node) {
      await this.#deps.book.ready;
      return [...groupsShown(this.#deps.book)];
    }
    switch (node.kind) {
      case 'group':
        return [
          ...(await groupMembers(node, {
            ...this.#deps,
            rows: this.#rows,
            shown: this.#pages.shownUnder(node),
          })),
        ];
      case 'file':
        return [...rowsOfFile(node, this.#rows, this.#pages.shownUnder(node))];
      case 'address':
        return [...this.#underAddress(node)];
      case 'fold':
        return [...foldChildren(node, this.#pages.shownUnder(node))];
      case 'collection':
        return [...collectionChildren(node, this.#pages.shownUnder(node))];
      default:
        return [];
    }
  }

  getParent(node: TreeNode): TreeNode | undefined {
    switch (node.kind) {
      case 'group':
        return undefined;
      case 'address':
        return node.placed?.file ?? groups[node.group];
      default:
        return node.parent;
    }
  }

  dispose(): void {
    this.#ended.abort();
    this.#disposables.dispose();
  }

  #underAddress(node: AddressNode): readonly TreeNode[] {
    const { balances, session, watchedTokens, inSight } = this.#deps;
    const { account } = node;
    if (!session.isChosen) {
      return [{ kind: 'note', parent: node, content: { note: 'noNetwork' } }, ...placeRows(node)];
    }
    inSight.opened(nodeId(node), account);
    const { decimals } = session.network;
    return [
      ...this.#facts(node),
      nativeNode(node, balances.native(account), decimals),
      ...watchedChildren(node, watchedTokens.of(account)),
      ...holdingsChildren(node, balances.holdings(account), {
        shown: this.#pages.shownUnder(node),
        currency: balances.quoteCurrency,
      }),
      ...placeRows(node),
    ];
  }

  /** What is known of the contract at an address, a row each. */
  #facts(parent: AddressNode): readonly FactNode[] {
    const { identities, names, session } = this.#deps;
    const identity = identities.of(parent.account);
    if (!identity) return [];
    const nameOf = (address: Address) => names.nameOf(address, session.network.chainId)?.name;
    return identityFacts(identity, nameOf).map((fact) => ({ kind: 'fact', parent, fact, identity }));
  }

  #show(rowId: string, shown: number): void {
    this.#pages.show(rowId, shown);
    const row = this.#pages.rowOf(rowId);
    if (row) this.#changed.fire(row);
  }

  /** The editor keeps a tooltip that it has shown for as long as the row is not drawn again. */
  #renewTooltip(row: AddressNode): void {
    if (this.#shown.has(row)) return;
    this.#shown.add(row);
    void this.#deps.clock.sleep(TOOLTIP_MS, this.#ended).then(
      () => {
        this.#shown.delete(row);
        this.#changed.fire(row);
      },
      () => undefined,
    );
  }

  #showChange(address: Address | undefined): void {
    if (address === undefined) {
      this.#changed.fire(undefined);
      return;
    }
    for (const row of this.#rows.of(address)) this.#changed.fire(row);
  }
}
