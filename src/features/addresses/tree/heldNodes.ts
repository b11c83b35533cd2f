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
  return paged(parent, tokens, shown, contractOf, (token, nth) => tokenNode(parent, token, nth, source));
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
    ...(unlisted ? [{ kind: 'note', parent, content: { note: 'nftsNotListed' } } as const] : []),
  ];
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
  const { amount, decimals, contract } = token;
  const { account } = parent.kind === 'address' ? parent : parent.parent;
  const rawAmount = amount?.toString();
  const copyText = amount === undefined || decimals === undefined ? rawAmount : formatUnits(amount, decimals);
  return { kind: 'token', parent, contract, nth, account, token, source, copyText, rawAmount };
}

function collectionNode(parent: FoldNode, collection: NftCollection, nth: number): CollectionNode {
  const { source } = parent;
  const { account } = parent.parent;
  const { contract, standard } = collection;
  return { kind: 'collection', parent, contract, nth, account, collection, standard, source };
}

function nftNode(parent: CollectionNode, nft: NftHolding, nth: number): NftNode {
  const { contract, account, standard } = parent;
  const tokenId = nft.tokenId.toString();
  return { kind: 'nft', parent, contract, nth, account, nft, standard, copyText: tokenId, tokenId };
}
