import { asAppError, isAppError } from '../../base/errors.ts';
import { type Holdings, joinHoldings } from '../../holdings/holdings.ts';
import type { TokenBalances } from '../../holdings/tokenBalances.ts';
import type { NftBalances } from '../../nfts/nftBalances.ts';

/** The requests that tell what one address holds. */
interface HoldingsRequests {
  /** `withNfts`: slow, and not honoured by every server. */
  tokenBalances(options: { readonly withNfts: boolean }): Promise<TokenBalances>;
  nftBalances(): Promise<NftBalances>;
}

/**
 * What an address holds: tokens and NFTs in one request where the server still sends NFTs with balances, in a second
 * one (`balances_nft`) where it does not, as for keys made after 2026-04-01. Where the request with NFTs is too much
 * for the server, tokens are asked for alone.
 *
 * @throws AppError as the requests do, when not even the tokens can be had.
 * @example
 * const { portfolio, nftProblem } = await askHoldings({ tokenBalances, nftBalances });
 */
export async function askHoldings(requests: HoldingsRequests): Promise<Holdings> {
  try {
    const balances = await requests.tokenBalances({ withNfts: true });
    return balances.tellsNfts ? joinHoldings(balances) : await addNfts(requests, balances);
  } catch (error) {
    if (!isAppError(error, 'server', 'timeout', 'tooHeavy', 'tooLarge')) throw error;
    return joinHoldings(await requests.tokenBalances({ withNfts: false }), { problem: error });
  }
}

async function addNfts(requests: HoldingsRequests, balances: TokenBalances): Promise<Holdings> {
  try {
    return joinHoldings(balances, { balances: await requests.nftBalances() });
  } catch (error) {
    if (isAppError(error, 'aborted')) throw error;
    return joinHoldings(balances, { problem: asAppError(error) });
  }
}
