import {
  type Address,
  formatUnits,
  type NftCollection,
  type NftHolding,
  type Portfolio,
  type QuoteCurrency,
  type TokenBalance,
  toCompleteness,
} from '../../../core/index.ts';
import { getAvailableValue, type LoadState } from '../../../host/loading.ts';
import type { WorkspaceAddresses } from '../../../host/places/workspaceAddresses.ts';
import {
  getLoadedHoldings,
  type HoldingsResult,
  type LoadedHoldings,
  type NativeBalanceRead,
} from '../balances/balanceReader.ts';
import type { WatchedToken } from '../balances/watchedTokens.ts';
import {
  type AddressNode,
  type AddressRows,
  type AddressTreeNode,
  type CollectionNode,
  type Fold,
  type FoldNode,
  getAddressNodeId,
  groups,
  type NativeNode,
  type NftNode,
  type Note,
  type PagedNode,
  type PlaceNode,
  type TokenNode,
  type WatchedTokenNode,
} from './addressNodes.ts';

export function createNativeNode(
  parent: AddressNode,
  figure: LoadState<NativeBalanceRead>,
  decimals: number,
): NativeNode {
  const balance = getAvailableValue(figure)?.balance;
  const copyText = balance?.state === 'known' ? formatUnits(balance.wei, decimals) : undefined;
  return { kind: 'native', parent, figure, copyText };
}

/** The watched tokens under an address and those of the project, or a note if the endpoint does not support `eth_call`. */
export function createWatchedTokenNodes(
  parent: AddressNode,
  watched: readonly WatchedToken[],
): readonly AddressTreeNode[] {
  if (watched.some(({ figure }) => getAvailableValue(figure)?.balance.state === 'notOffered')) {
    return [{ kind: 'note', parent, content: { note: 'noEthCall' } }];
  }
  return watched.map((token) => createWatchedTokenNode(parent, token));
}

function createWatchedTokenNode(
  parent: AddressNode,
  { contract, isWatched, figure, change }: WatchedToken,
): WatchedTokenNode {
  const balance = getAvailableValue(figure)?.balance;
  const known = balance?.state === 'known' ? balance : undefined;
  return {
    kind: 'watchedToken',
    parent,
    contract,
    account: parent.account,
    isWatched,
    figure,
    change,
    copyText:
      known &&
      (known.decimals === undefined ? known.amount.toString() : formatUnits(known.amount, known.decimals)),
    rawAmount: known?.amount.toString(),
  };
}

/** Rows of a page. */
export const PAGE_SIZE = 200;

interface HoldingsOptions {
  /** Number of tokens on the pages that are shown. */
  readonly shown?: number | undefined;
  /** Values in another currency are marked. */
  readonly currency?: QuoteCurrency;
}

/** The rows of an address's holdings by the data API, or why there are none. */
export function createHoldingsNodes(
  parent: AddressNode,
  holdings: LoadState<HoldingsResult>,
  options: HoldingsOptions = {},
): readonly AddressTreeNode[] {
  const rowsOf = (figure: HoldingsResult) => createResultNodes(parent, figure, options);
  switch (holdings.state) {
    case 'idle':
    case 'loading':
    case 'cancelled':
      return holdings.previous ? rowsOf(holdings.previous) : [createNote(parent, { note: 'tokensLoading' })];
    case 'failed': {
      const { error, previous } = holdings;
      const previousRows = previous ? rowsOf(previous) : [];
      const failed = { note: 'tokensFailed', error, kept: getLoadedHoldings(previous) } as const;
      return [createNote(parent, failed), ...previousRows];
    }
    case 'loaded':
      return rowsOf(holdings.value);
  }
}

function createResultNodes(
  parent: AddressNode,
  figure: HoldingsResult,
  options: HoldingsOptions,
): readonly AddressTreeNode[] {
  if (figure.state !== 'ready') {
    const before = figure.before ? createResultNodes(parent, figure.before, options) : [];
    return [createNote(parent, { note: figure.state }), ...before];
  }
  const { shown = PAGE_SIZE, currency } = options;
  const { portfolio, skipped, nftError } = figure.holdings;
  const isEmpty = countHoldings(portfolio) === 0;
  const { upper, side, lower } = createSurroundingNodes(parent, figure);
  const lacking = createIncompleteNotes(parent, figure.holdings);
  return [
    ...(isEmpty ? [] : [{ kind: 'total', parent, loaded: figure } as const]),
    ...(isEmpty || currency === undefined || figure.currency === currency
      ? []
      : [createNote(parent, { note: 'otherCurrency', is: portfolio.total.quoteCurrency, wanted: currency })]),
    ...(nftError ? [createNote(parent, { note: 'nftsFailed', error: nftError })] : []),
    ...(skipped > 0 ? [createNote(parent, { note: 'tokensSkipped', count: skipped })] : []),
    ...lacking,
    ...(isEmpty && skipped === 0 && lacking.length === 0 ? [createNote(parent, { note: 'noTokens' })] : []),
    ...upper,
    ...createTokenNodes(parent, figure, shown),
    ...side,
    ...lower,
  ];
}

/** If there are more tokens and collections than this, the collections are collapsed into a row above the tokens. */
const MAX_UNFOLDED_ROWS = 50;

const lowerFolds: readonly Fold[] = ['dust', 'spam', 'spamCollections'];

/** The rows above, beside and below the tokens of an address. */
function createSurroundingNodes(parent: AddressNode, loaded: LoadedHoldings) {
  const { tokens, collections } = loaded.holdings.portfolio;
  const fits = tokens.length + collections.length <= MAX_UNFOLDED_ROWS;
  return {
    upper: fits ? [] : createFoldNodes(parent, loaded, ['collections']),
    side: fits ? createCollectionNodes(parent, loaded) : [],
    lower: createFoldNodes(parent, loaded, lowerFolds),
  };
}

/** Reasons that the note on skipped entries does not give. */
function createIncompleteNotes(
  parent: AddressNode,
  { completeness }: LoadedHoldings['holdings'],
): readonly AddressTreeNode[] {
  const reasons = completeness?.reasons.filter(({ code }) => code !== 'unreadable') ?? [];
  return reasons.length === 0
    ? []
    : [createNote(parent, { note: 'mayLack', completeness: toCompleteness(reasons) })];
}

function countHoldings(portfolio: Portfolio): number {
  const groups = ['tokens', 'collections', ...lowerFolds] as const;
  return groups.reduce((sum, group) => sum + portfolio[group].length, 0);
}

function createFoldNodes(
  parent: AddressNode,
  loaded: LoadedHoldings,
  folds: readonly Fold[],
): readonly FoldNode[] {
  return folds
    .map((fold): FoldNode => ({ kind: 'fold', fold, parent, loaded }))
    .filter((node) => countFold(node) > 0);
}

function createTokenNodes(
  parent: AddressNode,
  loaded: LoadedHoldings,
  shown: number,
): readonly AddressTreeNode[] {
  const { tokens } = loaded.holdings.portfolio;
  const rows = numberDuplicates(tokens.slice(0, shown), getContract).map((token) =>
    createTokenNode(parent, token, loaded),
  );
  return appendMoreNode(parent, rows, tokens.length);
}

function createCollectionNodes(parent: AddressNode, loaded: LoadedHoldings): readonly CollectionNode[] {
  const { collections } = loaded.holdings.portfolio;
  return numberDuplicates(collections, getContract).map((collection) =>
    createCollectionNode(parent, collection, loaded),
  );
}

export function createFoldChildren(parent: FoldNode, shown = PAGE_SIZE): readonly AddressTreeNode[] {
  const { fold, loaded } = parent;
  const { portfolio } = loaded.holdings;
  if (fold === 'collections' || fold === 'spamCollections') {
    const items = numberDuplicates(portfolio[fold].slice(0, shown), getContract);
    const rows = items.map((collection) => createCollectionNode(parent, collection, loaded));
    return appendMoreNode(parent, rows, portfolio[fold].length);
  }
  const items = numberDuplicates(portfolio[fold].slice(0, shown), getContract);
  const rows = items.map((token) => createTokenNode(parent, token, loaded));
  return appendMoreNode(parent, rows, portfolio[fold].length);
}

/** The token IDs under an NFT contract, and a note if the provider lists fewer than the address has. */
export function createCollectionChildren(
  parent: CollectionNode,
  shown = PAGE_SIZE,
): readonly AddressTreeNode[] {
  const { nfts, amount, standard } = parent.collection;
  const { source } = parent.loaded.holdings.balances;
  const listed = nfts ?? [];
  const unlisted = !nfts || (standard === 'erc721' && amount !== undefined && amount > BigInt(listed.length));
  const rows = numberDuplicates(listed.slice(0, shown), ({ tokenId }) => tokenId).map((nft) =>
    createNftNode(parent, nft),
  );
  return [
    ...appendMoreNode(parent, rows, listed.length),
    ...(unlisted ? [{ kind: 'note', parent, content: { note: 'nftsNotListed', source } } as const] : []),
  ];
}

/** Places of one address. */
const MAX_OCCURRENCES = 50;

/** The first `shown` addresses of the workspace, and a row for the rest. */
export function createWorkspaceNodes(
  all: WorkspaceAddresses,
  rows: AddressRows,
  shown: number,
): readonly AddressTreeNode[] {
  const sorted = all.sortedOccurrences();
  const nodes = sorted.slice(0, shown).map((occurrence) => {
    const { address } = occurrence;
    const places = all.occurrencesOf(address);
    return rows.get({ kind: 'address', group: 'workspace', account: address, occurrence, places });
  });
  return appendMoreNode(groups.workspace, nodes, sorted.length);
}

/** The places of an address; none if there is only one. */
export function createOccurrenceNodes(parent: AddressNode): readonly PlaceNode[] {
  const { places = [] } = parent;
  if (places.length < 2) return [];
  return places
    .slice(0, MAX_OCCURRENCES)
    .map((occurrence, nth) => ({ kind: 'place', parent, occurrence, nth }));
}

/** A holding, and its index among those of its parent. */
export interface PositionedHolding {
  readonly node: TokenNode | CollectionNode;
  readonly index: number;
}

/** All holdings of an address, in the order of the view. */
export function listHoldings(parent: AddressNode, loaded: LoadedHoldings): readonly PositionedHolding[] {
  const all = Number.POSITIVE_INFINITY;
  const { upper, side, lower } = createSurroundingNodes(parent, loaded);
  const inFolds = (folds: readonly FoldNode[]) =>
    folds.flatMap((fold) => toPositioned(createFoldChildren(fold, all)));
  // Collections beside the tokens are not paged.
  const sideHoldings = side.map((node) => ({ node, index: 0 }));
  return [
    ...inFolds(upper),
    ...toPositioned(createTokenNodes(parent, loaded, all)),
    ...sideHoldings,
    ...inFolds(lower),
  ];
}

function toPositioned(nodes: readonly AddressTreeNode[]): readonly PositionedHolding[] {
  return nodes
    .filter((node) => node.kind === 'token' || node.kind === 'collection')
    .map((node, index) => ({ node, index }));
}

export function countFold({ fold, loaded }: FoldNode): number {
  return loaded.holdings.portfolio[fold].length;
}

/** An item, and its number from 0 among those with the same key. */
interface Numbered<T> {
  readonly item: T;
  readonly nth: number;
}

function numberDuplicates<T>(items: readonly T[], keyOf: (item: T) => unknown): readonly Numbered<T>[] {
  const counts = new Map<unknown, number>();
  return items.map((item) => {
    const key = keyOf(item);
    const nth = counts.get(key) ?? 0;
    counts.set(key, nth + 1);
    return { item, nth };
  });
}

/** Appends a row for the rest, if there is one. */
function appendMoreNode(
  parent: PagedNode,
  rows: readonly AddressTreeNode[],
  total: number,
): readonly AddressTreeNode[] {
  const remaining = total - rows.length;
  return remaining > 0 ? [...rows, { kind: 'more', parent, remaining }] : rows;
}

function getContract({ contract }: { readonly contract: Address }): Address {
  return contract;
}

function createTokenNode(
  parent: AddressNode | FoldNode,
  { item: token, nth }: Numbered<TokenBalance>,
  loaded: LoadedHoldings,
): TokenNode {
  const { amount, decimals, contract } = token;
  const { account } = parent.kind === 'address' ? parent : parent.parent;
  const rawAmount = amount?.toString();
  const copyText = amount === undefined || decimals === undefined ? rawAmount : formatUnits(amount, decimals);
  return { kind: 'token', parent, contract, nth, account, token, loaded, copyText, rawAmount };
}

function createCollectionNode(
  parent: AddressNode | FoldNode,
  { item: collection, nth }: Numbered<NftCollection>,
  loaded: LoadedHoldings,
): CollectionNode {
  const { account } = parent.kind === 'address' ? parent : parent.parent;
  const { contract, standard } = collection;
  return { kind: 'collection', parent, contract, nth, account, collection, standard, loaded };
}

function createNftNode(parent: CollectionNode, { item: nft, nth }: Numbered<NftHolding>): NftNode {
  const { contract, account, standard } = parent;
  const tokenId = nft.tokenId.toString();
  return { kind: 'nft', parent, contract, nth, account, nft, standard, copyText: tokenId, tokenId };
}

function createNote(parent: AddressNode, content: Note) {
  return { kind: 'note', parent, content } as const;
}

/** How many children each paged row shows, by the ID of the row. */
export class Pages {
  /** `row`: the object that VS Code has. */
  readonly #pages = new Map<string, { readonly row: PagedNode | undefined; readonly shown: number }>();

  /** The number of children to show under `row`, which is being drawn. */
  shownUnder(row: PagedNode): number {
    const id = getAddressNodeId(row);
    const shown = this.shown(id);
    this.#pages.set(id, { row, shown });
    return shown;
  }

  shown(rowId: string): number {
    return this.#pages.get(rowId)?.shown ?? PAGE_SIZE;
  }

  /** The node that was last drawn. */
  rowOf(rowId: string): PagedNode | undefined {
    return this.#pages.get(rowId)?.row;
  }

  show(rowId: string, shown: number): void {
    this.#pages.set(rowId, { row: this.rowOf(rowId), shown });
  }

  clear(): void {
    this.#pages.clear();
  }
}
