import { type Portfolio, type QuoteCurrency, toCompleteness } from '../../../core/index.ts';
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
import { collectionRows, foldChildren, PAGE, tokenRows } from './heldNodes.ts';

/** So many tokens and collections stand side by side; of more the collections are folded away, above the tokens. */
const MOST_IN_SIGHT = 50;
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
      const failed = { note: 'tokensFailed', error, kept: readyOf(before) } as const;
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
  const { upper, side, lower } = around(parent, source);
  const inFolds = (folds: readonly FoldNode[]) => folds.flatMap((fold) => placed(foldChildren(fold, all)));
  // Collections beside the tokens are all in sight: none has a place to be paged to.
  const inSight = side.map((node) => ({ node, index: 0 }));
  return [...inFolds(upper), ...placed(tokenRows(parent, source, all)), ...inSight, ...inFolds(lower)];
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
  const { upper, side, lower } = around(parent, figure);
  return [
    ...(nothing ? [] : [{ kind: 'total', parent, source: figure } as const]),
    ...(nothing || currency === undefined || figure.askedIn === currency
      ? []
      : [note(parent, { note: 'otherCurrency', is: portfolio.total.quoteCurrency, wanted: currency })]),
    ...(nftProblem ? [note(parent, { note: 'nftsFailed', error: nftProblem })] : []),
    ...(skipped > 0 ? [note(parent, { note: 'tokensSkipped', count: skipped })] : []),
    ...lackNotes(parent, figure.holdings),
    ...(nothing && skipped === 0 ? [note(parent, { note: 'noTokens' })] : []),
    ...upper,
    ...tokenRows(parent, figure, shown),
    ...side,
    ...lower,
  ];
}

/** What stands above, beside and below the tokens of an address. */
function around(parent: AddressNode, source: ReadyHoldings) {
  const { tokens, collections } = source.holdings.portfolio;
  const fits = tokens.length + collections.length <= MOST_IN_SIGHT;
  return {
    upper: fits ? [] : foldNodes(parent, source, ['collections']),
    side: fits ? collectionRows(parent, source) : [],
    lower: foldNodes(parent, source, lowerFolds),
  };
}

/** What the note of entries left out does not say. */
function lackNotes(parent: AddressNode, { completeness }: ReadyHoldings['holdings']): readonly TreeNode[] {
  const reasons = completeness?.reasons.filter(({ code }) => code !== 'unreadable') ?? [];
  return reasons.length === 0
    ? []
    : [note(parent, { note: 'mayLack', completeness: toCompleteness(reasons) })];
}

function foldNodes(parent: AddressNode, source: ReadyHoldings, folds: readonly Fold[]): readonly FoldNode[] {
  return folds
    .map((fold): FoldNode => ({ kind: 'fold', fold, parent, source }))
    .filter((node) => foldCount(node) > 0);
}

function holdingCount(portfolio: Portfolio): number {
  const held = ['tokens', 'collections', ...lowerFolds] as const;
  return held.reduce((sum, group) => sum + portfolio[group].length, 0);
}

function note(parent: AddressNode, content: Note) {
  return { kind: 'note', parent, content } as const;
}
