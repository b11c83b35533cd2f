import { Address, type Hex } from 'ox';
import { type NodeRpc, NodeRpcError } from '../chain/nodeRpc.ts';
import type { Collection } from '../tokens/collection.ts';
import { createContractReader } from '../tokens/contractReader.ts';
import type { Standard } from '../tokens/movements.ts';
import { dollarPrice } from '../tokens/prices.ts';
import { tokenMetadata } from '../tokens/tokenMetadata.ts';
import type { RestCall } from './restCall.ts';

/** What an explorer knows of a token contract. */
export type TokenFacts = {
  readonly address: Hex.Hex;
  readonly type: TokenType;
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  readonly decimals: number | undefined;
  readonly supply: bigint | undefined;
};
export type TokenType = (typeof tokenTypes)[Standard];

export const tokenTypes = { erc20: 'ERC-20', erc721: 'ERC-721', erc1155: 'ERC-1155' } as const;

/** The node behind the explorer, as those ask it who read tokens. */
export function nodeOf({ ask }: RestCall): NodeRpc {
  const call = async (method: string, params: readonly unknown[]) => {
    const result = await ask(method, params);
    if (result === undefined) throw new NodeRpcError(method, { code: -32000, message: 'refused' });
    return result;
  };
  return { call, batch: (calls) => Promise.all(calls.map(([method, params]) => call(method, params))) };
}

export async function readTokenFacts(
  call: RestCall,
  address: Hex.Hex,
  standard: Standard,
): Promise<TokenFacts> {
  const reader = createContractReader(nodeOf(call), address, call.index.head() ?? 0);
  const [name, symbol, decimals, supply] = await Promise.all([
    ...[reader.name(), reader.symbol()],
    standard === 'erc20' ? reader.decimals() : undefined,
    reader.totalSupply(),
  ] as const);
  return { address, type: tokenTypes[standard], name, symbol, decimals, supply };
}

export function isScam({ knobs }: Pick<RestCall, 'knobs'>, address: Hex.Hex): boolean {
  return knobs.scam?.includes(address) ?? false;
}

/** Whether a token stands in no list for who asks so. */
export function isHidden({ era, headers, knobs }: RestCall, address: Hex.Hex): boolean {
  if (!isScam({ knobs }, address) || knobs.hidesScam === undefined) return false;
  if (knobs.hidesScam === 'always') return true;
  const byHeader = era !== 'v5' && era !== 'v8' ? headers['show-scam-tokens'] : undefined;
  return byHeader !== undefined
    ? byHeader !== 'true'
    : !/(?:^|;\s*)show_scam_tokens=true(?:;|$)/.test(headers.cookie ?? '');
}

/** Dollars of a whole token, as a string; null where nobody knows a price. */
export function priceOf({ knobs }: RestCall, symbol: string | undefined): string | null {
  const own = symbol === undefined ? undefined : knobs.prices?.[symbol];
  return own ?? dollarPrice(symbol)?.toString() ?? null;
}

/** A token as it stands in every answer. */
export function tokenJson(call: RestCall, token: TokenFacts) {
  const first = call.era === 'v5';
  const address = Address.checksum(token.address);
  return {
    ...(first
      ? { address, holders: null }
      : { address_hash: address, holders_count: null, volume_24h: null }),
    ...{ name: token.name ?? null, symbol: token.symbol ?? null, type: token.type },
    decimals: token.decimals?.toString() ?? null,
    total_supply: token.supply?.toString() ?? null,
    exchange_rate: priceOf(call, token.symbol),
    ...{ icon_url: `https://icons.example/${address}.png`, circulating_market_cap: null },
    ...(call.era === 'v10' || call.era === 'v12'
      ? { reputation: isScam(call, token.address) ? 'scam' : 'ok' }
      : {}),
  };
}

/** An address as it stands inside of other things. */
export function addressJson({ era }: RestCall, address: Hex.Hex) {
  return {
    ...{ hash: Address.checksum(address), name: null, is_contract: false, is_verified: null },
    ...{ private_tags: [], watchlist_names: [], public_tags: [], ens_domain_name: null },
    ...(era === 'v5'
      ? { implementation_name: null }
      : { implementations: [], proxy_type: null, is_scam: false }),
  };
}

export type InstanceFacts = {
  readonly token: TokenFacts;
  readonly standard: Collection['standard'];
  readonly tokenId: bigint;
  readonly owner: Hex.Hex | undefined;
  /** Held by whom the list is about; null outside of such a list. */
  readonly value: bigint | null;
};

/** One token id. Its metadata is what the indexer has read where the contract says that it is. */
export function instanceJson(call: RestCall, { token, standard, tokenId, owner, value }: InstanceFacts) {
  const metadata = tokenMetadata({ name: token.name, standard }, tokenId);
  return {
    ...{ id: tokenId.toString(), is_unique: standard === 'erc721' },
    owner: owner === undefined ? null : addressJson(call, owner),
    token: tokenJson(call, token),
    ...(value === null ? {} : { token_type: token.type, value: value.toString() }),
    ...{ metadata, image_url: metadata.image, animation_url: null, external_app_url: null },
    ...(call.era === 'v5' ? {} : { thumbnails: null, media_type: 'image', media_url: metadata.image }),
  };
}
