import {
  type Address,
  formatUnits,
  type NftCollection,
  type NftHolding,
  type Portfolio,
  type QuoteCurrency,
  type TokenBalance,
} from '../../../core/index.ts';
import { type LoadState, valueAtHand } from '../../../host/loading/loadState.ts';
import { type HoldingsFigure, type ReadyHoldings, readyOf } from '../balances/balanceReader.ts';
import type { WatchedTokenFigure } from '../balances/watchedTokens.ts';
import {
  type AddressNode,
  type CollectionNode,
  type Fold,
  type FoldNode,
  type NftNode,
  type Note,
  type PagedNode,
  type TokenNode,
  type TreeNode,
  watchedTokenNode,
} from './addressNodes.ts';

/** How many holdings a row shows before it is asked for more. */
export const PAGE = 200;

/** Folds of what may be worth something stand above the tokens, so that thousands of those do not hide them. */
const upperFolds: readonly Fold[] = ['stablecoins', 'collections'];
const lowerFolds: readonly Fold[] = ['dust', 'spam', 'spamCollections'];

/** The rows of watched tokens under an address, or a word that the endpoint does not let them be read. */
export function watchedChildren(
  parent: AddressNode,
  watched: readonly { readonly contract: Address; readonly figure: LoadState<WatchedTokenFigure> }[],
): readonly TreeNode[] {
  if (watched.some(({ figure }) => valueAtHand(figure)?.balance.state === 'notOffered')) {
    return [note(parent, { note: 'noEthCall' })];
  }
  return watched.map(({ contract, figure }) => watchedTokenNode(parent, contract, figure));
}

export interface HoldingsShown {
  /** Tokens that are shown; the others come by a click. */
  readonly shown?: number | undefined;
  /** Values that were asked for in another one are marked. */
  readonly currency?: QuoteCurrency;
}

/** The rows of what an address holds by the data API; or why there is nothing. */
export function holdingsChildren(
  parent: AddressNode,
  holdings: LoadState<HoldingsFigure>,
  options: HoldingsShown = {},
): readonly TreeNode[] {
  const rowsOf = (figure: HoldingsFigure) => figureChildren(parent, figure, options);
  switch (holdings.state) {
    case 'idle':
    case 'loading':
    case 'cancelled':
      return holdings.before ? rowsOf(holdings.before) : [note(parent, { note: 'tokensLoading' })];
    case 'failed': {
      const { error, before } = holdings;
      const kept = before ? rowsOf(before) : [];
      const failed = { note: 'tokensFailed', error, kept: readyOf(before) !== undefined } as const;
      return [note(parent, failed), ...kept];
    }
    case 'loaded':
      return rowsOf(holdings.value);
  }
}

/** The rows under a fold: `shown` of them, and one for those behind. */
export function foldChildren(parent: FoldNode, shown = PAGE): readonly TreeNode[] {
  const { portfolio } = parent.source.holdings;
  const { fold } = parent;
  return fold === 'collections' || fold === 'spamCollections'
    ? paged(parent, portfolio[fold], shown, contractOf, (collection, nth) =>
        collectionNode(parent, collection, nth),
      )
    : paged(parent, portfolio[fold], shown, contractOf, (token, nth) =>
        tokenNode(parent, token, nth, parent.source),
      );
}

/** The token ids under an NFT contract, and a word where the data API lists fewer than are held. */
export function collectionChildren(parent: CollectionNode, shown = PAGE): readonly TreeNode[] {
  const { nfts, amount, standard } = parent.collection;
  const listed = nfts ?? [];
  const unlisted = !nfts || (standard === 'erc721' && amount !== undefined && amount > BigInt(listed.length));
  return [
    ...paged(
      parent,
      listed,
      shown,
      ({ tokenId }) => tokenId,
      (nft, nth) => nftNode(parent, nft, nth),
    ),
    ...(unlisted ? [note(parent, { note: 'nftsNotListed' })] : []),
  ];
}

/** A holding, and its place among those of its row. */
export interface PlacedHolding {
  readonly node: TokenNode | CollectionNode;
  readonly index: number;
}

/** Every holding of an address, in the order that the view has. */
export function everyHolding(parent: AddressNode, source: ReadyHoldings): readonly PlacedHolding[] {
  const all = Number.POSITIVE_INFINITY;
  const [upper, lower] = [upperFolds, lowerFolds].map((folds) =>
    foldNodes(parent, source, folds).flatMap((fold) => placed(foldChildren(fold, all))),
  );
  return [...(upper ?? []), ...placed(tokenRows(parent, source, all)), ...(lower ?? [])];
}

/** How many holdings a fold has. */
export function foldCount({ fold, source }: FoldNode): number {
  return source.holdings.portfolio[fold].length;
}

function placed(nodes: readonly TreeNode[]): readonly PlacedHolding[] {
  return nodes
    .filter((node) => node.kind === 'token' || node.kind === 'collection')
    .map((node, index) => ({ node, index }));
}

function figureChildren(
  parent: AddressNode,
  figure: HoldingsFigure,
  options: HoldingsShown,
): readonly TreeNode[] {
  if (figure.state !== 'ready') {
    const before = figure.before ? figureChildren(parent, figure.before, options) : [];
    return [note(parent, { note: figure.state }), ...before];
  }
  const { shown = PAGE, currency } = options;
  const { portfolio, skipped, nftProblem } = figure.holdings;
  const nothing = holdingCount(portfolio) === 0;
  return [
    ...(nothing ? [] : [{ kind: 'total', parent, source: figure } as const]),
    ...(nothing || currency === undefined || figure.askedIn === currency
      ? []
      : [note(parent, { note: 'otherCurrency', is: portfolio.total.quoteCurrency, wanted: currency })]),
    ...(nftProblem ? [note(parent, { note: 'nftsFailed', error: nftProblem })] : []),
    ...(skipped > 0 ? [note(parent, { note: 'tokensSkipped', count: skipped })] : []),
    ...(nothing && skipped === 0 ? [note(parent, { note: 'noTokens' })] : []),
    ...foldNodes(parent, figure, upperFolds),
    ...tokenRows(parent, figure, shown),
    ...foldNodes(parent, figure, lowerFolds),
  ];
}

function foldNodes(parent: AddressNode, source: ReadyHoldings, folds: readonly Fold[]): readonly FoldNode[] {
  return folds
    .map((fold): FoldNode => ({ kind: 'fold', fold, parent, source }))
    .filter((node) => foldCount(node) > 0);
}

function holdingCount(portfolio: Portfolio): number {
  return [...upperFolds, ...lowerFolds].reduce(
    (sum, fold) => sum + portfolio[fold].length,
    portfolio.tokens.length,
  );
}

function tokenRows(parent: AddressNode, source: ReadyHoldings, shown: number): readonly TreeNode[] {
  const { tokens } = source.holdings.portfolio;
  return paged(parent, tokens, shown, contractOf, (token, nth) => tokenNode(parent, token, nth, source));
}

function paged<T>(
  parent: PagedNode,
  held: readonly T[],
  shown: number,
  keyOf: (item: T) => unknown,
  toNode: (item: T, nth: number) => TreeNode,
): readonly TreeNode[] {
  const met = new Map<unknown, number>();
  const rows = held.slice(0, shown).map((item) => {
    const key = keyOf(item);
    const nth = met.get(key) ?? 0;
    met.set(key, nth + 1);
    return toNode(item, nth);
  });
  const remaining = held.length - rows.length;
  return remaining > 0 ? [...rows, { kind: 'more', parent, remaining }] : rows;
}

function contractOf({ contract }: { readonly contract: Address }): Address {
  return contract;
}

function tokenNode(
  parent: AddressNode | FoldNode,
  token: TokenBalance,
  nth: number,
  source: ReadyHoldings,
): TokenNode {
  const { amount, decimals, contract: address } = token;
  const holder = parent.kind === 'address' ? parent.address : parent.parent.address;
  const rawAmount = amount?.toString();
  const copyText = amount === undefined || decimals === undefined ? rawAmount : formatUnits(amount, decimals);
  return { kind: 'token', parent, address, nth, holder, token, source, copyText, rawAmount };
}

function collectionNode(parent: FoldNode, collection: NftCollection, nth: number): CollectionNode {
  const { source } = parent;
  const holder = parent.parent.address;
  return { kind: 'collection', parent, address: collection.contract, nth, holder, collection, source };
}

function nftNode(parent: CollectionNode, nft: NftHolding, nth: number): NftNode {
  const { address, holder } = parent;
  const tokenId = nft.tokenId.toString();
  return { kind: 'nft', parent, address, nth, holder, nft, copyText: tokenId, tokenId };
}

function note(parent: AddressNode | CollectionNode, content: Note) {
  return { kind: 'note', parent, content } as const;
}
