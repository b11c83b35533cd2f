import type { AppError } from '../base/errors.ts';
import type { NftBalances } from '../nfts/nftBalances.ts';
import {
  type Completeness,
  type CompletenessReason,
  completenessOf,
  joinCompleteness,
} from './completeness.ts';
import { arrangePortfolio, type Portfolio } from './portfolio.ts';
import type { TokenBalances } from './tokenBalances.ts';

/** What an address holds, NFTs included where the source can tell of them. */
export interface Holdings {
  readonly balances: TokenBalances;
  readonly portfolio: Portfolio;
  /** Entries of the answers, NFTs included, that could not be read or went over the bound, and are missing here. */
  readonly skipped: number;
  /** Why NFTs are missing; undefined where they are all there. */
  readonly nftProblem: AppError | undefined;
  /** What tokens and NFTs together are worth, where the source can be asked for that. */
  readonly completeness?: Completeness | undefined;
}

/**
 * Tokens and NFTs of one address put together.
 *
 * @param nfts NFTs that came by requests of their own, why they did not come, and why not all of them did; left out
 *   where `balances` has them.
 * @example
 * const { portfolio } = joinHoldings(balances, nftBalances);
 * portfolio.total.value; // 1234.5, in portfolio.total.quoteCurrency
 */
export function joinHoldings(
  balances: TokenBalances,
  nfts: {
    readonly balances?: NftBalances;
    readonly problem?: AppError | undefined;
    readonly reasons?: readonly CompletenessReason[];
  } = {},
): Holdings {
  return {
    balances,
    portfolio: arrangePortfolio(balances, nfts.balances),
    skipped: balances.skipped + (nfts.balances?.skipped ?? 0),
    nftProblem: nfts.problem,
    completeness: joinCompleteness([balances.completeness, nfts.reasons && completenessOf(nfts.reasons)]),
  };
}
