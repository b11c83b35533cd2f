import {
  type Address,
  formatUnits,
  type NftCollection,
  type NftHolding,
  type TokenBalance,
} from '../../../core/index.ts';
import { type LoadState, valueAtHand } from '../../../host/loading/loadState.ts';
import type { HoldingsFigure, NativeFigure, ReadyHoldings } from '../balances/balanceReader.ts';
import type { WatchedTokenFigure } from '../balances/watchedTokens.ts';
import type { Occurrence } from '../places/workspaceAddresses.ts';

export type AddressGroup = 'watched' | 'recent' | 'workspace';

export interface GroupNode {
  readonly kind: 'group';
  readonly group: AddressGroup;
}

export interface AddressNode {
  readonly kind: 'address';
  readonly group: AddressGroup;
  readonly address: Address;
  /** Where it stands, for those found in the workspace. */
  readonly occurrence?: Occurrence;
}

/** The native balance of `parent`; `figure` is drawn by its state. */
export interface NativeNode {
  readonly kind: 'native';
  readonly parent: AddressNode;
  readonly figure: LoadState<NativeFigure>;
  /** The exact number, for *Copy Value*. */
  readonly copyText: string | undefined;
}

/** A watched token, read from its contract; `address` is the contract. */
export interface WatchedTokenNode {
  readonly kind: 'watchedToken';
  readonly parent: AddressNode;
  readonly address: Address;
  readonly holder: Address;
  readonly figure: LoadState<WatchedTokenFigure>;
  /** The exact number, for *Copy Value*: in smallest units where the token does not tell its decimals. */
  readonly copyText: string | undefined;
  /** In smallest units, for *Copy Raw Amount*. */
  readonly rawAmount: string | undefined;
}

/** What the holdings of `parent` are worth together. */
export interface TotalNode {
  readonly kind: 'total';
  readonly parent: AddressNode;
  readonly source: ReadyHoldings;
}

/** Holdings that are folded away under a row with their count. */
export type Fold = 'stablecoins' | 'dust' | 'spam' | 'collections' | 'spamCollections';

export interface FoldNode {
  readonly kind: 'fold';
  readonly fold: Fold;
  readonly parent: AddressNode;
  readonly source: ReadyHoldings;
}

/** A row that the data API may tell twice: `nth` counts from 0 among those of one contract or token id. */
interface Repeatable {
  readonly nth: number;
}

/** One token that an address holds. `address` is the token's contract. */
export interface TokenNode extends Repeatable {
  readonly kind: 'token';
  readonly parent: AddressNode | FoldNode;
  readonly address: Address;
  readonly holder: Address;
  readonly token: TokenBalance;
  readonly source: ReadyHoldings;
  /** The exact number, for *Copy Value*: in smallest units where the token's decimals are not told. */
  readonly copyText: string | undefined;
  /** In smallest units, for *Copy Raw Amount*. */
  readonly rawAmount: string | undefined;
}

/** NFTs of one contract. `address` is the contract. */
export interface CollectionNode extends Repeatable {
  readonly kind: 'collection';
  readonly parent: FoldNode;
  readonly address: Address;
  readonly holder: Address;
  readonly collection: NftCollection;
  readonly source: ReadyHoldings;
}

/** One token id. `address` is the contract. */
export interface NftNode extends Repeatable {
  readonly kind: 'nft';
  readonly parent: CollectionNode;
  readonly address: Address;
  readonly holder: Address;
  readonly nft: NftHolding;
  /** The token id, for *Copy Value*. */
  readonly copyText: string;
  readonly tokenId: string;
}

/** A row whose holdings are shown some at a time. */
export type PagedNode = AddressNode | FoldNode | CollectionNode;

/** Stands for the holdings of `parent` that are not shown yet. */
export interface MoreNode {
  readonly kind: 'more';
  readonly parent: PagedNode;
  readonly remaining: number;
}

/** What stands in place of tokens, or beside them. */
export type WordsNote =
  | { readonly note: 'tokensLoading' | 'noTokens' | 'moreAddresses' | 'moreFiles' | 'noAddress' }
  | { readonly note: Exclude<HoldingsFigure['state'], 'ready'> }
  | { readonly note: 'tokensSkipped'; readonly count: number }
  /** The values below are in `is`, asked for before `wanted` was chosen. */
  | { readonly note: 'otherCurrency'; readonly is: string; readonly wanted: string }
  | { readonly note: 'nftsNotListed' | 'noEthCall' };
export type FailureNote =
  /** `kept`: tokens of an earlier answer stand below. */
  | { readonly note: 'tokensFailed'; readonly error: unknown; readonly kept: boolean }
  | { readonly note: 'nftsFailed'; readonly error: unknown };
export type Note = WordsNote | FailureNote;

export interface NoteNode {
  readonly kind: 'note';
  readonly parent: AddressNode | GroupNode | CollectionNode;
  readonly content: Note;
}

export type TreeNode =
  | GroupNode
  | AddressNode
  | NativeNode
  | WatchedTokenNode
  | TotalNode
  | FoldNode
  | TokenNode
  | CollectionNode
  | NftNode
  | MoreNode
  | NoteNode;

/** The exact native balance beside what is shown of it. */
export function nativeNode(
  parent: AddressNode,
  figure: LoadState<NativeFigure>,
  decimals: number,
): NativeNode {
  const balance = valueAtHand(figure)?.balance;
  const copyText = balance?.state === 'known' ? formatUnits(balance.wei, decimals) : undefined;
  return { kind: 'native', parent, figure, copyText };
}

/** A watched token beside its figure, exact where the contract tells the amount. */
export function watchedTokenNode(
  parent: AddressNode,
  address: Address,
  figure: LoadState<WatchedTokenFigure>,
): WatchedTokenNode {
  const balance = valueAtHand(figure)?.balance;
  const known = balance?.state === 'known' ? balance : undefined;
  return {
    ...{ kind: 'watchedToken', parent, address, holder: parent.address, figure },
    copyText:
      known &&
      (known.decimals === undefined ? known.amount.toString() : formatUnits(known.amount, known.decimals)),
    rawAmount: known?.amount.toString(),
  };
}

/** An id that stays the same for what is the same row, so that the view keeps selection and expansion. */
export function nodeId(node: TreeNode): string {
  switch (node.kind) {
    case 'group':
      return node.group;
    case 'address':
      return `${node.group}/${node.address}`;
    case 'native':
    case 'total':
    case 'more':
      return `${nodeId(node.parent)}/${node.kind}`;
    case 'fold':
      return `${nodeId(node.parent)}/${node.fold}`;
    case 'watchedToken':
      return `${nodeId(node.parent)}/watched/${node.address}`;
    case 'token':
    case 'collection':
      return `${nodeId(node.parent)}/${node.address}${nthMark(node)}`;
    case 'nft':
      return `${nodeId(node.parent)}/${node.tokenId}${nthMark(node)}`;
    case 'note':
      return `${nodeId(node.parent)}/note/${node.content.note}`;
  }
}

/** The address row that `node` is or stands under; undefined outside of any. */
export function addressRowOf(node: TreeNode): AddressNode | undefined {
  if (node.kind === 'address' || node.kind === 'group') return node.kind === 'address' ? node : undefined;
  return addressRowOf(node.parent);
}

function nthMark({ nth }: Repeatable): string {
  return nth === 0 ? '' : `~${nth}`;
}
