import { type AppError, asAppError, isAppError } from '../base/errors.ts';
import type { DataApiClient, TokenBalancesOptions } from '../sources/covalent/dataApiClient.ts';
import type { NftBalances } from '../sources/covalent/nftBalances.ts';
import type { TokenBalances } from '../sources/covalent/tokenBalances.ts';
import type { Address } from '../values/address.ts';
import { arrangePortfolio, type Portfolio } from './portfolio.ts';

/** What an address holds, NFTs included where the server can tell of them. */
export interface Holdings {
  readonly balances: TokenBalances;
  readonly portfolio: Portfolio;
  /** Entries of the answers, NFTs included, that could not be read or went over the bound, and are missing here. */
  readonly skipped: number;
  /** Why NFTs are missing; undefined where they are all there. */
  readonly nftProblem: AppError | undefined;
}

export type HoldingsOptions = Pick<TokenBalancesOptions, 'fresh' | 'quoteCurrency' | 'signal'>;

/**
 * What `address` holds: tokens and NFTs in one request where the server still sends NFTs with balances, in a second
 * one (`balances_nft`) where it does not, as for keys made after 2026-04-01. Where the request with NFTs is too much
 * for the server, tokens are asked for alone.
 *
 * @throws AppError as {@link DataApiClient} does, when not even the tokens can be had.
 */
export async function readHoldings(
  client: Pick<DataApiClient, 'nftBalances' | 'tokenBalances'>,
  address: Address,
  options: HoldingsOptions,
): Promise<Holdings> {
  try {
    const balances = await client.tokenBalances(address, { ...options, nft: true, noNftFetch: true });
    if (balances.tellsNfts) return describe(balances, undefined, undefined);
    return await addNfts(client, balances, options);
  } catch (error) {
    if (!isAppError(error, 'server', 'timeout', 'tooHeavy', 'tooLarge')) throw error;
    return describe(await client.tokenBalances(address, options), undefined, error);
  }
}

async function addNfts(
  client: Pick<DataApiClient, 'nftBalances'>,
  balances: TokenBalances,
  options: HoldingsOptions,
): Promise<Holdings> {
  try {
    return describe(balances, await client.nftBalances(balances.address, options), undefined);
  } catch (error) {
    if (isAppError(error, 'aborted')) throw error;
    return describe(balances, undefined, asAppError(error));
  }
}

function describe(
  balances: TokenBalances,
  nfts: NftBalances | undefined,
  nftProblem: AppError | undefined,
): Holdings {
  const skipped = balances.skipped + (nfts?.skipped ?? 0);
  return { balances, portfolio: arrangePortfolio(balances, nfts), skipped, nftProblem };
}
