import { type Address, formatUnits, type TokenBalance } from '../../core/index.ts';
import type { NativeFigure, TokensFigure } from './balanceReader.ts';
import { figureAtHand, type Loadable } from './loadables.ts';
import { tokensInOrder } from './tokensInOrder.ts';
import type { Occurrence } from './workspaceAddresses.ts';

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
  readonly figure: Loadable<NativeFigure>;
  /** The exact number, for *Copy Value*. */
  readonly copyText: string | undefined;
}

/** One token that `parent` holds. `address` is the token's contract. */
export interface TokenNode {
  readonly kind: 'token';
  readonly parent: AddressNode;
  readonly address: Address;
  readonly token: TokenBalance;
  readonly source: Extract<TokensFigure, { state: 'ready' }>;
  /** The exact number, for *Copy Value*: in smallest units where the token's decimals are not told. */
  readonly copyText: string | undefined;
}

/** What stands in place of tokens, or beside them. */
export type Note =
  | { readonly note: 'tokensLoading' | 'noTokens' | 'moreAddresses' | 'moreFiles' | 'noAddress' }
  | { readonly note: Exclude<TokensFigure['state'], 'ready'> }
  | { readonly note: 'tokensFailed'; readonly error: unknown }
  | { readonly note: 'tokensSkipped'; readonly count: number };

export interface NoteNode {
  readonly kind: 'note';
  readonly parent: AddressNode | GroupNode;
  readonly content: Note;
}

export type TreeNode = GroupNode | AddressNode | NativeNode | TokenNode | NoteNode;

/** The rows under an address: its native balance, then its tokens or why there are none. */
export function balanceNodes(
  parent: AddressNode,
  native: Loadable<NativeFigure>,
  tokens: Loadable<TokensFigure>,
  nativeDecimals: number,
): readonly TreeNode[] {
  const balance = figureAtHand(native)?.balance;
  const copyText = balance?.state === 'known' ? formatUnits(balance.wei, nativeDecimals) : undefined;
  return [{ kind: 'native', parent, figure: native, copyText }, ...tokenNodes(parent, tokens)];
}

function tokenNodes(parent: AddressNode, tokens: Loadable<TokensFigure>): readonly TreeNode[] {
  const note = (content: Note): NoteNode => ({ kind: 'note', parent, content });
  switch (tokens.state) {
    case 'none':
      return [note({ note: 'tokensLoading' })];
    case 'loading':
      return tokens.before ? figureNodes(parent, tokens.before) : [note({ note: 'tokensLoading' })];
    case 'failed': {
      const failed = note({ note: 'tokensFailed', error: tokens.error });
      return tokens.before ? [failed, ...figureNodes(parent, tokens.before)] : [failed];
    }
    case 'loaded':
      return figureNodes(parent, tokens.value);
  }
}

function figureNodes(parent: AddressNode, figure: TokensFigure): readonly TreeNode[] {
  const note = (content: Note): NoteNode => ({ kind: 'note', parent, content });
  if (figure.state !== 'ready') return [note({ note: figure.state })];
  const { tokens, skipped } = figure.balances;
  const rows = tokensInOrder(tokens).map(
    (token): TokenNode => ({
      kind: 'token',
      parent,
      address: token.contract,
      token,
      source: figure,
      copyText: exactAmount(token),
    }),
  );
  return [
    ...(rows.length === 0 && skipped === 0 ? [note({ note: 'noTokens' })] : rows),
    ...(skipped > 0 ? [note({ note: 'tokensSkipped', count: skipped })] : []),
  ];
}

function exactAmount({ amount, decimals }: TokenBalance): string | undefined {
  return amount === undefined || decimals === undefined ? amount?.toString() : formatUnits(amount, decimals);
}

/** An id that stays the same for what is the same row, so that the view keeps selection and expansion. */
export function nodeId(node: TreeNode): string {
  switch (node.kind) {
    case 'group':
      return node.group;
    case 'address':
      return `${node.group}/${node.address}`;
    case 'native':
      return `${nodeId(node.parent)}/native`;
    case 'token':
      return `${nodeId(node.parent)}/${node.address}`;
    case 'note':
      return `${nodeId(node.parent)}/note/${node.content.note}`;
  }
}
