import type { Hex } from 'ox';
import type { HeldContract, Holdings } from '../tokens/holdings.ts';
import { type Currency, category, prettyQuote, quote } from '../tokens/prices.ts';
import { logoUrl } from './contractFields.ts';
import type { Generation } from './keys.ts';
import { classicNftData } from './nftData.ts';
import type { BalancesQuery } from './query.ts';
import type { ServedChain } from './servedChains.ts';
import { nanoseconds, seconds } from './times.ts';

export type BalancesQuestion = {
  readonly chain: ServedChain;
  readonly address: Hex.Hex;
  readonly generation: Generation;
  readonly query: BalancesQuery;
  readonly now: Date;
};

/** An item before it takes the shape of a generation. */
type Item = Omit<HeldContract, 'standard' | 'lastTransfer'> & {
  readonly standards: readonly string[] | null;
  readonly native: boolean;
  readonly decimals: number;
  readonly type: string;
  readonly balance: bigint | null;
  readonly lastTransfer: Date | undefined;
  readonly nftData: readonly unknown[] | null;
};

const nativeAddress = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
const updateMs = 5 * 60 * 1000;

/** `data` of `balances_v2`, in the shape that a generation of keys gets. */
export function balancesData(holdings: Holdings, question: BalancesQuestion) {
  const { chain, address, generation, query, now } = question;
  const items = listItems(holdings, question).map((item) => shapeItem(item, holdings, question));
  return {
    address,
    updated_at: nanoseconds(now),
    ...(generation === 'current' ? {} : { next_update_at: nanoseconds(new Date(now.getTime() + updateMs)) }),
    quote_currency: query.currency,
    chain_id: chain.id,
    ...(generation === 'early' ? {} : { chain_name: chain.name }),
    ...(generation === 'current' && {
      chain_tip_height: holdings.blockNumber,
      chain_tip_signed_at: seconds(holdings.blockTime),
    }),
    items,
    pagination: null,
  };
}

function listItems(holdings: Holdings, { chain, generation, query }: BalancesQuestion): readonly Item[] {
  const { name, symbol } = chain.coin;
  const native: Item = {
    ...{ address: nativeAddress, name, symbol, decimals: 18, native: true, balance: holdings.wei },
    standards: generation === 'early' ? null : ['erc20'],
    ...{ type: category(symbol, holdings.wei, 18), lastTransfer: undefined, nftData: null },
  };
  const tokens = holdings.tokens.map((token): Item => {
    const type = category(token.symbol, token.balance, token.decimals);
    return { ...token, native: false, standards: ['erc20'], type, nftData: null };
  });
  // NFTs have a call of their own by the time of the current generation.
  if (!query.nft || generation === 'current') return [native, ...tokens];
  const collections = holdings.collections.map((collection): Item => {
    const nftData = classicNftData(collection, query.noNftFetch);
    const standards = ['erc20', collection.standard];
    return { ...collection, native: false, decimals: 0, standards, type: 'nft', balance: null, nftData };
  });
  return [native, ...tokens, ...collections];
}

function shapeItem(item: Item, holdings: Holdings, { chain, generation, query }: BalancesQuestion) {
  const logo = logoUrl(chain, item.address);
  const contract = {
    contract_decimals: item.decimals,
    contract_name: item.name ?? null,
    contract_ticker_symbol: item.symbol ?? null,
    contract_address: item.address,
  };
  const held = { type: item.type, balance: item.balance?.toString() ?? null };
  const price = quoteFields(item, query.currency);
  if (generation === 'early') {
    const { quote_rate, quote } = price;
    return {
      ...contract,
      ...{ supports_erc: item.standards, logo_url: logo },
      ...{ ...held, quote_rate, quote, nft_data: item.nftData },
    };
  }
  const later = {
    contract_display_name: item.name ?? null,
    supports_erc: item.standards,
    logo_urls: { token_logo_url: logo, protocol_logo_url: null, chain_logo_url: null },
    last_transferred_at: item.lastTransfer ? seconds(item.lastTransfer) : null,
    is_spam: false,
    ...{ ...held, balance_24h: null },
    ...{ ...price, quote_rate_24h: null, quote_24h: null, pretty_quote_24h: null },
  };
  if (generation === 'current') {
    return { ...contract, ...later, is_native_token: item.native, block_height: holdings.blockNumber };
  }
  const gone = { logo_url: logo, protocol_metadata: null, nft_data: item.nftData };
  return { ...contract, ...later, ...gone, native_token: item.native };
}

function quoteFields({ symbol, balance, decimals }: Item, currency: Currency) {
  const quoted = balance === null ? undefined : quote(symbol, balance, decimals, currency);
  // Without a rate the service sends now null and now 0; both stand for no price.
  if (!quoted) return { quote_rate: null, quote: 0, pretty_quote: null };
  return { quote_rate: quoted.rate, quote: quoted.value, pretty_quote: prettyQuote(quoted.value, currency) };
}
