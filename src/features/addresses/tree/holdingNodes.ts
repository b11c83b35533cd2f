import type { Portfolio, QuoteCurrency } from '../../../core/index.ts';
import type { LoadState } from '../../../host/loading/loadState.ts';
import { type HoldingsFigure, type ReadyHoldings, readyOf } from '../balances/balanceReader.ts';
import type {
  AddressNode,
  CollectionNode,
  Fold,
  FoldNode,
  Note,
  TokenNode,
  TreeNode,
} from './addressNodes.ts';
import { foldChildren, PAGE, tokenRows } from './heldNodes.ts';

/** Folds of what may be worth something stand above the tokens, so that thousands of those do not hide them. */
const upperFolds: readonly Fold[] = ['stablecoins', 'collections'];
const lowerFolds: readonly Fold[] = ['dust', 'spam', 'spamCollections'];

interface HoldingsShown {
  /** How many tokens are shown; a click shows more. */
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

function note(parent: AddressNode, content: Note) {
  return { kind: 'note', parent, content } as const;
}
