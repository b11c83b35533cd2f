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
import { createOwnedNftsList, toNftCollections } from './nfts.ts';
import {
  type ExplorerRest,
  fetchWholeList,
  parseIndexingStatus,
  type UntilAborted,
  type WholeList,
} from './rest.ts';

/** Pages of fifty, where there is no list of all tokens at once: as many entries as are read of that. */
const MAX_TOKEN_PAGES = 400;
/** Pages of fifty token ids. Of more, the collection says how many it has. */
const MAX_NFT_PAGES = 40;

// The explorer's balances are those of its last look at the address, which a question renews.
const CACHE_TTL_MS = 15_000;
const MAX_CACHE_ENTRIES = 200;
/** Indexing takes days. */
const STATUS_CACHE_TTL_MS = 60_000;

/**
 * What an address holds as an explorer knows it, in dollars whatever is asked. Tokens come as one list, or by pages
 * where the release has no such; NFTs by pages. What the answer is worth is in its `completeness`.
 */
export function createExplorerHoldings(
  rest: ExplorerRest,
  { clock }: { readonly clock: Clock },
): HoldingsProvider {
  const cache = <T>(ttlMs = CACHE_TTL_MS) =>
    createExpiringCache<T>({ clock, ttlMs, maxEntries: MAX_CACHE_ENTRIES });
  const kept = {
    balances: cache<TokenBalances>(),
    holdings: cache<Holdings>(),
    indexing: cache<CompletenessReason | undefined>(STATUS_CACHE_TTL_MS),
  };
  const indexing = (asked: FetchOptions) =>
    kept.indexing.get(
      '',
      async (signal) => parseIndexingStatus(await tried(rest, '/main-page/indexing-status', { signal })),
      asked,
    );

  async function readBalances(address: Address, asked: FetchOptions): Promise<TokenBalances> {
    const path = `/addresses/${address}`;
    const [list, coin, counters, status] = await Promise.all([
      readTokens(rest, address, asked),
      tried(rest, path, asked),
      tried(rest, `${path}/tabs-counters`, asked),
      indexing(asked),
    ]);
    const { rows, skipped } = list;
    const reasons = [
      status,
      parseTokenCount(counters, rows.length + skipped),
      coin === undefined ? ({ code: 'coinUnread' } as const) : undefined,
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
    tokenBalances: (address, asked) =>
      kept.balances.get(
        address,
        (signal) => readBalances(address, { signal, fresh: asked.fresh === true }),
        asked,
      ),
    holdings: (address, asked) =>
      kept.holdings.get(
        address,
        async (signal) => {
          const balances = await kept.balances.get(
            address,
            (wanted) => readBalances(address, { signal: wanted, fresh: asked.fresh === true }),
            { ...asked, signal },
          );
          return await addNfts(rest, balances, { signal });
        },
        asked,
      ),
  };
}

/** The tokens of an address: none of one that an old release has never met. */
async function readTokens(
  rest: ExplorerRest,
  address: Address,
  asked: UntilAborted,
): Promise<WholeList<BalanceRow>> {
  const path = `/addresses/${address}`;
  try {
    const all = listField.safeParse(await rest.get(`${path}/token-balances`, {}, asked));
    if (all.success) return { ...(await parseBalanceRows(all.data, rest.slices())), reasons: [] };
  } catch (error) {
    if (isAppError(error, 'notFound')) return { rows: [], skipped: 0, reasons: [] };
    if (!isAppError(error, 'notServed', 'timeout', 'tooLarge')) throw error;
  }
  const read = (items: readonly unknown[]) => parseBalanceRows(items, rest.slices());
  const list = { name: 'tokens', path: `${path}/tokens`, query: {}, read, keyOf: getBalanceKey } as const;
  return await fetchWholeList(rest, list, { ...asked, mostPages: MAX_TOKEN_PAGES });
}

async function addNfts(rest: ExplorerRest, balances: TokenBalances, asked: UntilAborted): Promise<Holdings> {
  const { address, tokens } = balances;
  if (!tokens.some(({ standard, nfts }) => standard === 'erc721' && !nfts)) return mergeHoldings(balances);
  try {
    const list = createOwnedNftsList(address, () => rest.slices());
    const read = await fetchWholeList(rest, list, { ...asked, mostPages: MAX_NFT_PAGES });
    return mergeHoldings(balances, {
      balances: toNftCollections(address, read, tokens),
      reasons: read.reasons,
    });
  } catch (error) {
    if (isAppError(error, 'aborted')) throw error;
    return mergeHoldings(balances, toNftProblem(asAppError(error)));
  }
}

/** A release without the route lists collections without their ids, which each of them says. */
function toNftProblem(error: AppError): { readonly problem?: AppError } {
  return isAppError(error, 'notServed', 'notFound') ? {} : { problem: error };
}

/** What the answer can do without; undefined where it does not come. @throws AppError `aborted`. */
async function tried(rest: ExplorerRest, path: string, asked: UntilAborted): Promise<unknown> {
  try {
    return await rest.get(path, {}, asked);
  } catch (error) {
    if (isAppError(error, 'aborted') || !isAppError(error)) throw error;
    // An old release has never met the address, which is an answer.
    return error.kind === 'notFound' ? null : undefined;
  }
}

const Row = z.object({ value: amountField, token_id: amountField, token: tokenField });

/** One token, or some copies of one token id, in the explorer's table of balances. */
interface BalanceRow {
  readonly token: TokenFacts;
  /** Of ERC-721 how many are held. */
  readonly amount: bigint | undefined;
  readonly tokenId: bigint | undefined;
}

/** What the explorer prices in. */
const EXPLORER_CURRENCY = 'USD';

/** Of what is confidential the amount says nothing. */
const CONFIDENTIAL = 'ERC-7984';

/**
 * The rows of `token-balances` or of a page of `tokens`. Without a contract or with an amount that is none they are
 * skipped.
 */
async function parseBalanceRows(items: readonly unknown[], slices: TimeSlices) {
  const { read, skipped } = await parseItems(Row, items, { slices });
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

/** Rows as tokens: the ids of one contract become one of its collection. None is told twice. */
async function toTokenBalances(
  rows: readonly BalanceRow[],
  slices: TimeSlices,
): Promise<readonly TokenBalance[]> {
  const known = new Set<string>();
  const ids = new Map<Address, NftHolding[]>();
  const tokens: TokenBalance[] = [];
  for (const row of rows) {
    const key = getBalanceKey(row);
    if (slices.isOver()) await slices.rest();
    if (known.has(key)) continue;
    known.add(key);
    const { token, amount, tokenId } = row;
    if (tokenId === undefined) {
      tokens.push(tokenOf(token, amount, undefined));
      continue;
    }
    const held = ids.get(token.contract);
    if (held) {
      held.push({ tokenId, amount });
      continue;
    }
    const nfts: NftHolding[] = [{ tokenId, amount }];
    ids.set(token.contract, nfts);
    tokens.push(tokenOf(token, undefined, nfts));
  }
  return tokens;
}

function tokenOf(
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

/** The coins of `/addresses/{hash}`; undefined where the answer tells of none, as of an address that it has not met. */
function parseCoinBalance(data: unknown): TokenBalance | undefined {
  const facts = AddressFacts.safeParse(data).data;
  const amount = facts?.coin_balance;
  if (amount === undefined) return undefined;
  const held = { amount, decimals: COIN_DECIMALS };
  return {
    contract: NATIVE_TOKEN_ADDRESS,
    native: true,
    standard: undefined,
    name: undefined,
    symbol: undefined,
    ...held,
    ...computeHoldingValue(facts?.exchange_rate, held, { currency: EXPLORER_CURRENCY }),
    category: undefined,
    spam: undefined,
    lastTransferAt: undefined,
    nfts: undefined,
  };
}

const Counters = z.object({ token_balances_count: optionalField(countField) });

/**
 * Whether `tabs-counters` counts more tokens than are listed: what is hidden for scam is counted there, up to 51.
 */
function parseTokenCount(data: unknown, listed: number): CompletenessReason | undefined {
  const counted = Counters.safeParse(data).data?.token_balances_count;
  return counted !== undefined && counted > listed ? { code: 'scamHidden', listed, counted } : undefined;
}
