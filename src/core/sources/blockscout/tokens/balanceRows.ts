import * as z from 'zod/mini';
import type { TimeSlices } from '../../../base/timeSlices.ts';
import { holdingWorth } from '../../../holdings/holdingWorth.ts';
import type { TokenBalance } from '../../../holdings/tokenBalances.ts';
import type { NftHolding } from '../../../nfts/nftBalances.ts';
import type { Address } from '../../../values/address.ts';
import { readItems } from '../../../values/outsideFields.ts';
import { amountField } from '../rest/fields.ts';
import { type TokenFacts, tokenFacts, tokenField } from '../rest/tokenFacts.ts';

const Row = z.object({ value: amountField, token_id: amountField, token: tokenField });

/** One token, or some copies of one token id, in the explorer's table of balances. */
export interface BalanceRow {
  readonly token: TokenFacts;
  /** Of ERC-721 how many are held. */
  readonly amount: bigint | undefined;
  readonly tokenId: bigint | undefined;
}

/** What the explorer prices in. */
export const EXPLORER_CURRENCY = 'USD';

/** Of what is confidential the amount says nothing. */
const CONFIDENTIAL = 'ERC-7984';

/**
 * The rows of `token-balances` or of a page of `tokens`. Without a contract or with an amount that is none they are
 * skipped.
 */
export async function readBalanceRows(items: readonly unknown[], slices: TimeSlices) {
  const { read, skipped } = await readItems(Row, items, { slices });
  const rows = read.flatMap((row): BalanceRow[] => {
    const token = tokenFacts(row.token);
    if (!token) return [];
    const amount = token.type === CONFIDENTIAL ? undefined : (row.value ?? undefined);
    return [{ token, amount, tokenId: row.token_id ?? undefined }];
  });
  return { rows, skipped: skipped + read.length - rows.length };
}

export function balanceKey({ token, tokenId }: BalanceRow): string {
  return `${token.contract} ${tokenId ?? ''}`;
}

/** Rows as tokens: the ids of one contract become one of its collection. None is told twice. */
export async function tokensOf(
  rows: readonly BalanceRow[],
  slices: TimeSlices,
): Promise<readonly TokenBalance[]> {
  const known = new Set<string>();
  const ids = new Map<Address, NftHolding[]>();
  const tokens: TokenBalance[] = [];
  for (const row of rows) {
    const key = balanceKey(row);
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
    ...{ contract, native: false, standard, name, symbol, decimals, amount, spam, nfts },
    ...holdingWorth(isNft ? undefined : rate, { amount, decimals }, { currency: EXPLORER_CURRENCY }),
    ...{ category: undefined, lastTransferAt: undefined },
  };
}
