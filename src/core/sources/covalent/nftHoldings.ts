import * as z from 'zod/mini';
import type { TimeSlices } from '../../base/timeSlices.ts';
import type { NftHolding } from '../../nfts/nftBalances.ts';
import type { TokenStandard } from '../../nfts/tokenStandard.ts';
import { uint256Field } from '../../values/chainFields.ts';
import { listField, optionalField, readItems } from '../../values/outsideFields.ts';

const NftData = z.object({
  token_id: uint256Field,
  token_balance: optionalField(uint256Field),
  supports_erc: optionalField(listField),
});

/** `nft_data` of an item; undefined where it was not asked for or the server no longer sends it. */
export async function readNftHoldings(nftData: readonly unknown[] | undefined, slices: TimeSlices) {
  if (!nftData) return { holdings: undefined, standards: [], skipped: 0 };
  const { read, skipped } = await readItems(NftData, nftData, { slices });
  return {
    holdings: read.map((nft): NftHolding => ({ tokenId: nft.token_id, amount: nft.token_balance })),
    standards: read.map((nft) => tokenStandard(nft.supports_erc ?? [])),
    skipped,
  };
}

/**
 * The standard that lists of claimed ones (`supports_erc`) come down to: the service's FAQ ranks ERC-1155 over
 * ERC-721 over ERC-20, which NFT contracts list too. Undefined where none is claimed.
 *
 * @example
 * tokenStandard(['erc20', 'erc721']); // 'erc721'
 */
export function tokenStandard(
  claimed: readonly unknown[],
  more: readonly unknown[] = [],
): TokenStandard | undefined {
  const ranked = ['erc1155', 'erc721', 'erc20'] as const;
  return ranked.find((standard) => claimed.includes(standard) || more.includes(standard));
}
