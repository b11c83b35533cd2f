import type { TimeSlices } from '../../../base/timeSlices.ts';
import type { NftTransfer } from '../../../nfts/nftTransfer.ts';
import type { Address } from '../../../values/address.ts';
import { readTransferItems } from '../history/transferItem.ts';
import type { PagedList } from '../rest/pager.ts';

/** `/tokens/{hash}/instances/{id}/transfers` */
export function instanceTransfersList(
  { contract, tokenId }: { readonly contract: Address; readonly tokenId: bigint },
  slices: () => TimeSlices,
): PagedList<NftTransfer> {
  return {
    ...{ name: 'transfers', path: `/tokens/${contract}/instances/${tokenId}/transfers`, query: {} },
    async read(items, asked) {
      const { rows, skipped } = await readTransferItems(items, { asked, slices: slices() });
      const read = rows.flatMap((row): NftTransfer[] => {
        const { standard, amount } = row;
        if (row.contract !== contract || row.tokenId !== tokenId || amount === undefined) return [];
        if (standard !== 'erc721' && standard !== 'erc1155') return [];
        const { transactionHash, blockNumber, logIndex, position, time, from, to } = row;
        return [
          { transactionHash, blockNumber, logIndex, position, time, from, to, standard, tokenId, amount },
        ];
      });
      return { rows: read, skipped: skipped + rows.length - read.length };
    },
    keyOf: ({ transactionHash, logIndex, position }) => `${transactionHash} ${logIndex} ${position}`,
  };
}
