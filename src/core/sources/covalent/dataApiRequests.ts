import { isAppError, safeUrl, withSource } from '../../base/errors.ts';
import type { SourceLabel } from '../../base/source.ts';
import { createTimeSlices } from '../../base/timeSlices.ts';
import type { QuoteCurrency } from '../../holdings/quoteCurrency.ts';
import type { TokenBalances } from '../../holdings/tokenBalances.ts';
import type { NftBalances } from '../../nfts/nftBalances.ts';
import type { NftContract } from '../../nfts/nftContract.ts';
import type { NftToken } from '../../nfts/nftToken.ts';
import type { NftTransactions } from '../../nfts/nftTransactions.ts';
import type { Address } from '../../values/address.ts';
import { readContractData } from './contractData.ts';
import { readNftBalances } from './nftBalances.ts';
import { readNftToken } from './nftToken.ts';
import { readNftTransactions } from './nftTransactions.ts';
import { readTokenBalances } from './tokenBalances.ts';
import { createTransport, type TransportOptions } from './transport.ts';

export interface DataApiRequestsOptions extends TransportOptions {
  readonly chainId: number;
}

interface UntilAborted {
  readonly signal?: AbortSignal | undefined;
}

interface BalancesOptions extends UntilAborted {
  readonly quoteCurrency: QuoteCurrency;
  /** Asks for NFTs as well, without what of them is outside the chain; slow, and not honoured by every server. */
  readonly withNfts?: boolean;
}

/** The routes of the data API for one chain and key, each a request of its own. */
interface DataApiRequests {
  readonly label: SourceLabel;
  /** `balances_v2` */
  tokenBalances(address: Address, options: BalancesOptions): Promise<TokenBalances>;
  /** `balances_nft` */
  nftBalances(address: Address, options: UntilAborted): Promise<NftBalances>;
  /** `nft_transactions` */
  nftTransfers(contract: Address, tokenId: bigint, options: UntilAborted): Promise<NftTransactions>;
  /** The first entry of `nft_token_ids`. */
  nftContract(contract: Address, options: UntilAborted): Promise<NftContract | undefined>;
  /** `nft_metadata` or, where that is not served, the newer `nft/…/metadata`. */
  nftToken(contract: Address, tokenId: bigint, options: UntilAborted): Promise<NftToken | undefined>;
}

/** @throws AppError `badInput` for `key` or `dataApiUrl`. */
export function createDataApiRequests(options: DataApiRequestsOptions): DataApiRequests {
  const { chainId, clock, baseUrl } = options;
  const { get } = createTransport(options);
  const label = { name: 'covalent', origin: safeUrl(baseUrl), takesKey: true };
  const slices = () => createTimeSlices(clock);

  /** Reads what a route answers; an error says whom it is of. */
  async function ask<T>(
    route: string,
    { query = {}, signal }: UntilAborted & { readonly query?: Readonly<Record<string, string>> },
    read: (data: unknown, of: { readonly source: SourceLabel; readonly readAt: number }) => T,
  ): Promise<Awaited<T>> {
    try {
      const data = await get(`${chainId}/${route}/`, query, { signal });
      return await read(data, { source: label, readAt: clock.now() });
    } catch (error) {
      throw isAppError(error) ? withSource(error, label) : error;
    }
  }

  return {
    label,
    tokenBalances(address, { quoteCurrency, withNfts = false, signal }) {
      const query = {
        'quote-currency': quoteCurrency,
        format: 'JSON',
        nft: `${withNfts}`,
        'no-nft-fetch': `${withNfts}`,
      };
      const asked = { address, chainId, quoteCurrency };
      return ask(`address/${address}/balances_v2`, { query, signal }, async (data, of) => ({
        ...(await readTokenBalances(data, asked, slices())),
        ...of,
      }));
    },
    nftBalances: (address, { signal }) =>
      ask(`address/${address}/balances_nft`, { signal }, (data) =>
        readNftBalances(data, { address, chainId }, slices()),
      ),
    nftTransfers: (contract, tokenId, { signal }) =>
      ask(`tokens/${contract}/nft_transactions/${tokenId}`, { signal }, async (data, of) => ({
        ...(await readNftTransactions(data, { contract, chainId, tokenId }, slices())),
        ...of,
      })),
    nftContract(contract, { signal }) {
      const query = { 'page-size': '1', 'page-number': '0' };
      const read = (data: unknown) => readContractData(data, { contract, chainId }).items[0]?.facts;
      return ask(`tokens/${contract}/nft_token_ids`, { query, signal }, read);
    },
    async nftToken(contract, tokenId, { signal }) {
      const read = (data: unknown) => readNftToken(data, { contract, chainId, tokenId }, slices());
      try {
        return await ask(`tokens/${contract}/nft_metadata/${tokenId}`, { signal }, read);
      } catch (error) {
        if (!isAppError(error, 'notServed')) throw error;
        // Chains without the service's cache of NFTs are refused without this parameter.
        const query = { 'with-uncached': 'true' };
        return await ask(`nft/${contract}/metadata/${tokenId}`, { query, signal }, read);
      }
    },
  };
}
