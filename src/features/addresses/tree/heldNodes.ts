import {
  type Address,
  formatUnits,
  type NftCollection,
  type NftHolding,
  type TokenBalance,
} from '../../../core/index.ts';
import type { ReadyHoldings } from '../balances/balanceReader.ts';
import type {
  AddressNode,
  CollectionNode,
  FoldNode,
  NftNode,
  PagedNode,
  TokenNode,
  TreeNode,
} from './addressNodes.ts';

/** How many holdings a row shows before it is asked for more. */
export const PAGE = 200;

/** The tokens that stand right under an address: `shown` of them, and a row for those behind. */
export function tokenRows(parent: AddressNode, source: ReadyHoldings, shown: number): readonly TreeNode[] {
  const { tokens } = source.holdings.portfolio;
  const rows = numbered(tokens.slice(0, shown), contractOf).map((token) => tokenNode(parent, token, source));
  return withMore(parent, rows, tokens.length);
}

/** The NFTs that stand right under an address, by collection. */
export function collectionRows(parent: AddressNode, source: ReadyHoldings): readonly CollectionNode[] {
  const { collections } = source.holdings.portfolio;
  return numbered(collections, contractOf).map((collection) => collectionNode(parent, collection, source));
}

/** The rows under a fold: `shown` of them, and one for those behind. */
export function foldChildren(parent: FoldNode, shown = PAGE): readonly TreeNode[] {
  const { fold, source } = parent;
  const { portfolio } = source.holdings;
  if (fold === 'collections' || fold === 'spamCollections') {
    const held = numbered(portfolio[fold].slice(0, shown), contractOf);
    const rows = held.map((collection) => collectionNode(parent, collection, source));
    return withMore(parent, rows, portfolio[fold].length);
  }
  const held = numbered(portfolio[fold].slice(0, shown), contractOf);
  const rows = held.map((token) => tokenNode(parent, token, source));
  return withMore(parent, rows, portfolio[fold].length);
}

/** The token ids under an NFT contract, and a note where the source lists fewer than are held. */
export function collectionChildren(parent: CollectionNode, shown = PAGE): readonly TreeNode[] {
  const { nfts, amount, standard } = parent.collection;
  const { source } = parent.source.holdings.balances;
  const listed = nfts ?? [];
  const unlisted = !nfts || (standard === 'erc721' && amount !== undefined && amount > BigInt(listed.length));
  const rows = numbered(listed.slice(0, shown), ({ tokenId }) => tokenId).map((nft) => nftNode(parent, nft));
  return [
    ...withMore(parent, rows, listed.length),
    ...(unlisted ? [{ kind: 'note', parent, content: { note: 'nftsNotListed', source } } as const] : []),
  ];
}

/** Something held, and its number from 0 among those with the same key. */
interface Numbered<T> {
  readonly item: T;
  readonly nth: number;
}

function numbered<T>(held: readonly T[], keyOf: (item: T) => unknown): readonly Numbered<T>[] {
  const met = new Map<unknown, number>();
  return held.map((item) => {
    const key = keyOf(item);
    const nth = met.get(key) ?? 0;
    met.set(key, nth + 1);
    return { item, nth };
  });
}

/** The rows, and one for those behind. */
export function withMore(parent: PagedNode, rows: readonly TreeNode[], held: number): readonly TreeNode[] {
  const remaining = held - rows.length;
  return remaining > 0 ? [...rows, { kind: 'more', parent, remaining }] : rows;
}

function contractOf({ contract }: { readonly contract: Address }): Address {
  return contract;
}

function tokenNode(
  parent: AddressNode | FoldNode,
  { item: token, nth }: Numbered<TokenBalance>,
  source: ReadyHoldings,
): TokenNode {
  const { amount, decimals, contract } = token;
  const { account } = parent.kind === 'address' ? parent : parent.parent;
  const rawAmount = amount?.toString();
  const copyText = amount === undefined || decimals === undefined ? rawAmount : formatUnits(amount, decimals);
  return { kind: 'token', parent, contract, nth, account, token, source, copyText, rawAmount };
}

function collectionNode(
  parent: AddressNode | FoldNode,
  { item: collection, nth }: Numbered<NftCollection>,
  source: ReadyHoldings,
): CollectionNode {
  const { account } = parent.kind === 'address' ? parent : parent.parent;
  const { contract, standard } = collection;
  return { kind: 'collection', parent, contract, nth, account, collection, standard, source };
}

function nftNode(parent: CollectionNode, { item: nft, nth }: Numbered<NftHolding>): NftNode {
  const { contract, account, standard } = parent;
  const tokenId = nft.tokenId.toString();
  return { kind: 'nft', parent, contract, nth, account, nft, standard, copyText: tokenId, tokenId };
}
