import * as z from 'zod/mini';
import type { Clock } from '../../base/clock.ts';
import { type AppError, asAppError, isAppError } from '../../base/errors.ts';
import { createExpiringCache } from '../../base/expiringCache.ts';
import type { FetchOptions } from '../../base/provenance.ts';
import type { TimeSlices } from '../../base/timeSlices.ts';
import type { Address } from '../../eth/hex.ts';
import { listField, optionalField, parseItems, uint256Field } from '../../http/fields.ts';
import type { NftHolding } from '../../nfts/nft.ts';
import { type CompletenessReason, toCompleteness } from '../../tokens/completeness.ts';
import {
  computeHoldingValue,
  type Holdings,
  type HoldingsProvider,
  mergeHoldings,
  NATIVE_TOKEN_ADDRESS,
  type TokenBalance,
  type TokenBalances,
} from '../../tokens/holdings.ts';
import { explorerHoldingsOffers } from '../provider.ts';
import { amountField, countField, moneyField, type TokenFacts, tokenField, toTokenFacts } from './fields.ts';
import { createOwnedNftsList, type OwnedNft, toNftCollections } from './nfts.ts';
import {
  type ExplorerRest,
  fetchWholeList,
  parseIndexingStatus,
  type UntilAborted,
  type WholeList,
} from './rest.ts';

/**
 * Holdings as an explorer has indexed them, in US dollars whatever currency is requested. Tokens come as one
 * list, or by pages if the release has no such list or fails to make it; NFTs by pages. `completeness` says what may be
 * missing.
 */
export function createExplorerHoldings(
  rest: ExplorerRest,
  { clock }: { readonly clock: Clock },
): HoldingsProvider {
  const createCache = <T>(ttlMs = CACHE_TTL_MS) =>
    createExpiringCache<T>({ clock, ttlMs, maxEntries: MAX_CACHE_ENTRIES });
  const caches = {
    balances: createCache<TokenBalances>(),
    holdings: createCache<Holdings>(),
    indexing: createCache<CompletenessReason | undefined>(STATUS_CACHE_TTL_MS),
  };
  const fetchIndexingStatus = (options: FetchOptions) =>
    caches.indexing.get(
      '',
      async (signal) =>
        parseIndexingStatus(await getOptional(rest, '/main-page/indexing-status', { signal })),
      options,
    );

  async function readBalances(address: Address, options: FetchOptions): Promise<TokenBalances> {
    const path = `/addresses/${address}`;
    const [list, coin, counters, status] = await Promise.all([
      readTokens(rest, address, options),
      getOptional(rest, path, options),
      getOptional(rest, `${path}/tabs-counters`, options),
      fetchIndexingStatus(options),
    ]);
    const { rows, skipped } = list;
    const reasons = [
      status,
      parseTokenCount(counters, rows.length + skipped),
      coin === undefined || hasUnreadableCoin(coin) ? ({ code: 'coinUnread' } as const) : undefined,
      skipped > 0 ? ({ code: 'unreadable', count: skipped } as const) : undefined,
    ].filter((reason) => reason !== undefined);
    const native = parseCoinBalance(coin);
    const tokens = await toTokenBalances(rows, rest.slices());
    return {
      address,
      quoteCurrency: EXPLORER_CURRENCY,
      updatedAt: undefined,
      includesNfts: true,
      skipped,
      tokens: [...(native ? [native] : []), ...tokens],
      completeness: toCompleteness([...list.reasons, ...reasons]),
      source: rest.label,
      readAt: rest.now(),
    };
  }

  return {
    label: rest.label,
    offers: explorerHoldingsOffers,
    tokenBalances: (address, options) =>
      caches.balances.get(
        address,
        (signal) => readBalances(address, { signal, fresh: options.fresh === true }),
        options,
      ),
    holdings: (address, options) =>
      caches.holdings.get(
        address,
        async (signal) => {
          const balances = await caches.balances.get(
            address,
            (innerSignal) => readBalances(address, { signal: innerSignal, fresh: options.fresh === true }),
            { ...options, signal },
          );
          return await addNfts(rest, balances, { signal });
        },
        options,
      ),
  };
}

/** Pages of fifty, where a single list of all tokens is not served; the limit on entries is the same. */
const MAX_TOKEN_PAGES = 400;
/** Pages of fifty token IDs. A collection with more still reports its total. */
const MAX_NFT_PAGES = 40;

// The explorer's balances date from its last visit to the address, which a request triggers.
const CACHE_TTL_MS = 15_000;
const MAX_CACHE_ENTRIES = 200;
/** Indexing takes days. */
const STATUS_CACHE_TTL_MS = 60_000;

/** The tokens of an address; none if an old release has never seen the address. */
async function readTokens(
  rest: ExplorerRest,
  address: Address,
  options: UntilAborted,
): Promise<WholeList<BalanceRow>> {
  const path = `/addresses/${address}`;
  try {
    const items = listField.safeParse(await rest.get(`${path}/token-balances`, {}, options));
    if (items.success) {
      const { rows, skipped } = await parseBalanceRows(items.data, rest.slices());
      return { rows: keepDistinct(rows), skipped, reasons: [] };
    }
  } catch (error) {
    if (isAppError(error, 'notFound')) return { rows: [], skipped: 0, reasons: [] };
    // Making the whole list can take the server too long.
    if (!isAppError(error, 'notServed', 'server', 'timeout', 'tooLarge', 'unavailable')) throw error;
  }
  const read = (items: readonly unknown[]) => parseBalanceRows(items, rest.slices());
  const list = { name: 'tokens', path: `${path}/tokens`, query: {}, read, keyOf: getBalanceKey } as const;
  return await fetchWholeList(rest, list, { ...options, maxPages: MAX_TOKEN_PAGES });
}

/** A list may have a row twice; its length is compared with a count. */
function keepDistinct(rows: readonly BalanceRow[]): readonly BalanceRow[] {
  return [...new Map(rows.map((row) => [getBalanceKey(row), row])).values()];
}

async function addNfts(
  rest: ExplorerRest,
  balances: TokenBalances,
  options: UntilAborted,
): Promise<Holdings> {
  const { address, tokens } = balances;
  if (!tokens.some(({ standard, nfts }) => standard === 'erc721' && !nfts)) return mergeHoldings(balances);
  try {
    const list = createOwnedNftsList(address, () => rest.slices());
    const read = await fetchWholeList(rest, list, { ...options, maxPages: MAX_NFT_PAGES });
    return mergeHoldings(balances, {
      balances: toNftCollections(address, read, tokens),
      reasons: read.reasons.length > 0 ? read.reasons : compareNftCounts(read, tokens),
    });
  } catch (error) {
    if (isAppError(error, 'aborted')) throw error;
    return mergeHoldings(balances, toNftError(asAppError(error)));
  }
}

/** Compares the numbers of tokens in the balances with the token IDs that are listed. */
function compareNftCounts(
  { rows, skipped }: Awaited<ReturnType<typeof fetchWholeList<OwnedNft>>>,
  tokens: readonly TokenBalance[],
): readonly CompletenessReason[] {
  const listed = new Map<Address, number>();
  for (const { token } of rows) listed.set(token.contract, (listed.get(token.contract) ?? 0) + 1);
  let missing = 0;
  for (const { contract, standard, nfts, amount } of tokens) {
    if (standard !== 'erc721' || nfts || amount === undefined) continue;
    missing += Math.max(0, Number(amount) - (listed.get(contract) ?? 0));
  }
  // Unreadable entries have a reason of their own.
  return missing > skipped ? [{ code: 'nftsMissing', listed: rows.length, missing }] : [];
}

/** Without the route, a release lists collections without token IDs, and each collection shows that. */
function toNftError(error: AppError): { readonly error?: AppError } {
  return isAppError(error, 'notServed', 'notFound') ? {} : { error };
}

/** For optional data: undefined if the request fails. @throws AppError `aborted`. */
async function getOptional(rest: ExplorerRest, path: string, options: UntilAborted): Promise<unknown> {
  try {
    return await rest.get(path, {}, options);
  } catch (error) {
    if (isAppError(error, 'aborted') || !isAppError(error)) throw error;
    // An old release has never seen the address, which is a result.
    return error.kind === 'notFound' ? null : undefined;
  }
}

const BalanceItem = z.object({ value: amountField, token_id: amountField, token: tokenField });

/** A row of the explorer's table of balances: a token, or copies of one token ID. */
interface BalanceRow {
  readonly token: TokenFacts;
  /** For ERC-721, the number of tokens. */
  readonly amount: bigint | undefined;
  readonly tokenId: bigint | undefined;
}

const EXPLORER_CURRENCY = 'USD';

/** Confidential tokens: the amount is meaningless. */
const CONFIDENTIAL = 'ERC-7984';

/**
 * Parses the rows of `token-balances` or of a page of `tokens`. Rows without a contract or with an invalid
 * amount are skipped.
 */
async function parseBalanceRows(items: readonly unknown[], slices: TimeSlices) {
  const { read, skipped } = await parseItems(BalanceItem, items, { slices });
  const rows = read.flatMap((row): BalanceRow[] => {
    const token = toTokenFacts(row.token);
    if (!token) return [];
    const amount = token.type === CONFIDENTIAL ? undefined : (row.value ?? undefined);
    return [{ token, amount, tokenId: row.token_id ?? undefined }];
  });
  return { rows, skipped: skipped + read.length - rows.length };
}

function getBalanceKey({ token, tokenId }: BalanceRow): string {
  return `${token.contract} ${tokenId ?? ''}`;
}

/** Converts rows; the IDs of one contract become one collection. Duplicates are dropped. */
async function toTokenBalances(
  rows: readonly BalanceRow[],
  slices: TimeSlices,
): Promise<readonly TokenBalance[]> {
  const seenKeys = new Set<string>();
  const ids = new Map<Address, NftHolding[]>();
  const tokens: TokenBalance[] = [];
  for (const row of rows) {
    const key = getBalanceKey(row);
    if (slices.isOver()) await slices.rest();
    if (seenKeys.has(key)) continue;
    seenKeys.add(key);
    const { token, amount, tokenId } = row;
    if (tokenId === undefined) {
      tokens.push(toTokenBalance(token, amount, undefined));
      continue;
    }
    const existing = ids.get(token.contract);
    if (existing) {
      existing.push({ tokenId, amount });
      continue;
    }
    const nfts: NftHolding[] = [{ tokenId, amount }];
    ids.set(token.contract, nfts);
    tokens.push(toTokenBalance(token, undefined, nfts));
  }
  return tokens;
}

function toTokenBalance(
  { contract, standard, name, symbol, decimals, rate, spam }: TokenFacts,
  amount: bigint | undefined,
  nfts: readonly NftHolding[] | undefined,
): TokenBalance {
  const isNft = nfts !== undefined || standard === 'erc721' || standard === 'erc1155';
  return {
    contract,
    native: false,
    standard,
    name,
    symbol,
    decimals,
    amount,
    spam,
    nfts,
    ...computeHoldingValue(isNft ? undefined : rate, { amount, decimals }, { currency: EXPLORER_CURRENCY }),
    category: undefined,
    lastTransferAt: undefined,
  };
}

const AddressFacts = z.object({ coin_balance: optionalField(uint256Field), exchange_rate: moneyField });

/** The explorer counts every coin in wei. */
const COIN_DECIMALS = 18;

/**
 * The coin of `/addresses/{hash}`; undefined if the response has no balance, as for an address that it has
 * never seen.
 */
function parseCoinBalance(data: unknown): TokenBalance | undefined {
  const facts = AddressFacts.safeParse(data).data;
  const amount = facts?.coin_balance;
  if (amount === undefined) return undefined;
  const balance = { amount, decimals: COIN_DECIMALS };
  return {
    contract: NATIVE_TOKEN_ADDRESS,
    native: true,
    standard: undefined,
    name: undefined,
    symbol: undefined,
    ...balance,
    ...computeHoldingValue(facts?.exchange_rate, balance, { currency: EXPLORER_CURRENCY }),
    category: undefined,
    spam: undefined,
    lastTransferAt: undefined,
    nfts: undefined,
  };
}

/** A balance that is there and no amount, which is not the same as none. */
function hasUnreadableCoin(data: unknown): boolean {
  const raw = z.object({ coin_balance: z.unknown() }).safeParse(data).data?.coin_balance;
  return raw !== undefined && raw !== null && parseCoinBalance(data) === undefined;
}

const Counters = z.object({ token_balances_count: optionalField(countField) });

/** Compares the count of `tabs-counters` with the list: the count, up to 51, includes tokens hidden as scams. */
function parseTokenCount(data: unknown, listed: number): CompletenessReason | undefined {
  const counted = Counters.safeParse(data).data?.token_balances_count;
  return counted !== undefined && counted > listed ? { code: 'scamHidden', listed, counted } : undefined;
}
