import type { Clock } from '../../../base/clock.ts';
import { type AppError, asAppError, isAppError } from '../../../base/errors.ts';
import { createExpiringCache } from '../../../base/expiringCache.ts';
import type { AskOptions } from '../../../base/source.ts';
import { type CompletenessReason, completenessOf } from '../../../holdings/completeness.ts';
import { type Holdings, joinHoldings } from '../../../holdings/holdings.ts';
import type { HoldingsSource } from '../../../holdings/holdingsSource.ts';
import type { TokenBalances } from '../../../holdings/tokenBalances.ts';
import type { Address } from '../../../values/address.ts';
import { listField } from '../../../values/outsideFields.ts';
import type { ExplorerRest, UntilAborted } from '../rest/explorerRest.ts';
import { readIndexing } from '../rest/indexing.ts';
import { holdingsOffers } from '../rest/offers.ts';
import { readWholeList, type WholeList } from '../rest/pager.ts';
import { type BalanceRow, balanceKey, EXPLORER_CURRENCY, readBalanceRows, tokensOf } from './balanceRows.ts';
import { readCoin } from './coin.ts';
import { collectionsOf, heldNftsList } from './heldNfts.ts';
import { readTokenCount } from './tokenCount.ts';

/** Pages of fifty, where there is no list of all tokens at once: as many entries as are read of that. */
const MOST_TOKEN_PAGES = 400;
/** Pages of fifty token ids. Of more, the collection says how many it has. */
const MOST_NFT_PAGES = 40;

// The explorer's balances are those of its last look at the address, which a question renews.
const KEPT_FOR_MS = 15_000;
const KEPT_AT_MOST = 200;
/** Indexing takes days. */
const STATUS_FOR_MS = 60_000;

/**
 * What an address holds as an explorer knows it, in dollars whatever is asked. Tokens come as one list, or by pages
 * where the release has no such; NFTs by pages. What the answer is worth is in its `completeness`.
 */
export function createExplorerHoldings(
  rest: ExplorerRest,
  { clock }: { readonly clock: Clock },
): HoldingsSource {
  const cache = <T>(ttlMs = KEPT_FOR_MS) =>
    createExpiringCache<T>({ clock, ttlMs, maxEntries: KEPT_AT_MOST });
  const kept = {
    balances: cache<TokenBalances>(),
    holdings: cache<Holdings>(),
    indexing: cache<CompletenessReason | undefined>(STATUS_FOR_MS),
  };
  const indexing = (asked: AskOptions) =>
    kept.indexing.get(
      '',
      async (signal) => readIndexing(await tried(rest, '/main-page/indexing-status', { signal })),
      asked,
    );

  async function readBalances(address: Address, asked: AskOptions): Promise<TokenBalances> {
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
      readTokenCount(counters, rows.length + skipped),
      coin === undefined ? ({ code: 'coinUnread' } as const) : undefined,
      skipped > 0 ? ({ code: 'unreadable', count: skipped } as const) : undefined,
    ].filter((reason) => reason !== undefined);
    const native = readCoin(coin);
    const tokens = await tokensOf(rows, rest.slices());
    return {
      ...{ address, quoteCurrency: EXPLORER_CURRENCY, updatedAt: undefined, tellsNfts: true, skipped },
      tokens: [...(native ? [native] : []), ...tokens],
      completeness: completenessOf([...list.reasons, ...reasons]),
      ...{ source: rest.label, readAt: rest.now() },
    };
  }

  return {
    label: rest.label,
    offers: holdingsOffers,
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
    if (all.success) return { ...(await readBalanceRows(all.data, rest.slices())), reasons: [] };
  } catch (error) {
    if (isAppError(error, 'notFound')) return { rows: [], skipped: 0, reasons: [] };
    if (!isAppError(error, 'notServed', 'timeout', 'tooLarge')) throw error;
  }
  const read = (items: readonly unknown[]) => readBalanceRows(items, rest.slices());
  const list = { name: 'tokens', path: `${path}/tokens`, query: {}, read, keyOf: balanceKey } as const;
  return await readWholeList(rest, list, { ...asked, mostPages: MOST_TOKEN_PAGES });
}

async function addNfts(rest: ExplorerRest, balances: TokenBalances, asked: UntilAborted): Promise<Holdings> {
  const { address, tokens } = balances;
  if (!tokens.some(({ standard, nfts }) => standard === 'erc721' && !nfts)) return joinHoldings(balances);
  try {
    const list = heldNftsList(address, () => rest.slices());
    const read = await readWholeList(rest, list, { ...asked, mostPages: MOST_NFT_PAGES });
    return joinHoldings(balances, { balances: collectionsOf(address, read, tokens), reasons: read.reasons });
  } catch (error) {
    if (isAppError(error, 'aborted')) throw error;
    return joinHoldings(balances, problemOf(asAppError(error)));
  }
}

/** A release without the route lists collections without their ids, which each of them says. */
function problemOf(error: AppError): { readonly problem?: AppError } {
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
