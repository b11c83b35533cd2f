import type { Clock } from '../../../base/clock.ts';
import { AppError, isAppError } from '../../../base/errors.ts';
import { createExpiringCache } from '../../../base/expiringCache.ts';
import type { NftContract } from '../../../nfts/nftContract.ts';
import type { NftSource } from '../../../nfts/nftSource.ts';
import type { NftToken } from '../../../nfts/nftToken.ts';
import type { NftTransactions } from '../../../nfts/nftTransactions.ts';
import { arrangeNftTransfers } from '../../../nfts/nftTransfer.ts';
import type { Address } from '../../../values/address.ts';
import type { ExplorerRest, UntilAborted } from '../rest/explorerRest.ts';
import { nftOffers } from '../rest/offers.ts';
import { readWholeList } from '../rest/pager.ts';
import { instanceTransfersList } from './instanceTransfers.ts';
import { readInstance, readNftContract } from './nftInstance.ts';

/** Pages of fifty. A longer history is in the logs, which are read to their end. */
const MOST_TRANSFER_PAGES = 40;
const KEPT_FOR_MS = 15_000;
const KEPT_AT_MOST = 200;

/**
 * NFTs as an explorer knows them: metadata is what its indexer has read where the contract says that it is. A history
 * that it does not give to its end is `tooHeavy`, as the logs have all of it.
 */
export function createExplorerNfts(rest: ExplorerRest, { clock }: { readonly clock: Clock }): NftSource {
  const cache = <T>() => createExpiringCache<T>({ clock, ttlMs: KEPT_FOR_MS, maxEntries: KEPT_AT_MOST });
  const kept = {
    contracts: cache<NftContract | undefined>(),
    tokens: cache<NftToken | undefined>(),
    transfers: cache<NftTransactions>(),
  };

  async function readTransfers(
    contract: Address,
    tokenId: bigint,
    asked: UntilAborted,
  ): Promise<NftTransactions> {
    const list = instanceTransfersList({ contract, tokenId }, () => rest.slices());
    const { rows, skipped, reasons } = await readWholeList(rest, list, {
      ...asked,
      mostPages: MOST_TRANSFER_PAGES,
    });
    if (reasons.length > 0) {
      throw new AppError('tooHeavy', 'The explorer does not give this history to its end.', {
        source: rest.label,
      });
    }
    return {
      ...{ contract: undefined, updatedAt: undefined, failedTransactions: 0, skipped },
      transfers: await arrangeNftTransfers(rows, rest.slices()),
      ...{ source: rest.label, readAt: rest.now() },
    };
  }

  return {
    label: rest.label,
    offers: nftOffers,
    nftContract: (contract, asked) =>
      kept.contracts.get(
        contract,
        async (signal) =>
          readNftContract(await known(rest.get(`/tokens/${contract}`, {}, { signal })), contract),
        asked,
      ),
    nftToken: (contract, tokenId, asked) =>
      kept.tokens.get(
        `${contract} ${tokenId}`,
        async (signal) => {
          const path = `/tokens/${contract}/instances/${tokenId}`;
          const data = await known(rest.get(path, {}, { signal }));
          return await readInstance(data, { contract, tokenId }, rest.slices());
        },
        asked,
      ),
    nftTransfers: (contract, tokenId, asked) =>
      kept.transfers.get(
        `${contract} ${tokenId}`,
        (signal) => readTransfers(contract, tokenId, { signal }),
        asked,
      ),
  };
}

/** Undefined for what the explorer does not know. */
async function known(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (isAppError(error, 'notFound')) return undefined;
    throw error;
  }
}
