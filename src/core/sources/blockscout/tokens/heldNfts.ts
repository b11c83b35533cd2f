import * as z from 'zod/mini';
import type { TimeSlices } from '../../../base/timeSlices.ts';
import type { TokenBalance } from '../../../holdings/tokenBalances.ts';
import type { NftBalances, NftCollection, NftHolding } from '../../../nfts/nftBalances.ts';
import type { Address } from '../../../values/address.ts';
import { uint256Field } from '../../../values/chainFields.ts';
import { readItems } from '../../../values/outsideFields.ts';
import { amountField } from '../rest/fields.ts';
import type { PagedList, WholeList } from '../rest/pager.ts';
import { type TokenFacts, tokenFacts, tokenField } from '../rest/tokenFacts.ts';

const Item = z.object({ id: uint256Field, value: amountField, token: tokenField });

/** One token id that is held. */
export interface HeldNft {
  readonly token: TokenFacts;
  readonly tokenId: bigint;
  readonly amount: bigint | undefined;
}

/** `/addresses/{hash}/nft`, for the ids of ERC-721 only: those of ERC-1155 stand among the balances. */
export function heldNftsList(address: Address, slices: () => TimeSlices): PagedList<HeldNft> {
  return {
    ...{ name: 'nfts', path: `/addresses/${address}/nft`, query: { type: 'ERC-721' } },
    async read(items) {
      const { read, skipped } = await readItems(Item, items, { slices: slices() });
      const rows = read.flatMap(({ id, value, token }): HeldNft[] => {
        const facts = tokenFacts(token);
        return facts ? [{ token: facts, tokenId: id, amount: value ?? undefined }] : [];
      });
      return { rows, skipped: skipped + read.length - rows.length };
    },
    keyOf: ({ token, tokenId }) => `${token.contract} ${tokenId}`,
  };
}

/** The ids by contract, each with the number that the balances count of it. */
export function collectionsOf(
  address: Address,
  { rows, skipped }: Pick<WholeList<HeldNft>, 'rows' | 'skipped'>,
  tokens: readonly TokenBalance[],
): NftBalances {
  const counted = new Map(tokens.map(({ contract, amount }) => [contract, amount]));
  const byContract = new Map<Address, NftCollection & { readonly nfts: NftHolding[] }>();
  for (const { token, tokenId, amount } of rows) {
    const { contract, name, symbol, spam } = token;
    const held = byContract.get(contract);
    if (held) held.nfts.push({ tokenId, amount });
    else {
      byContract.set(contract, {
        ...{ contract, standard: 'erc721', name, symbol, spam, lastTransferAt: undefined },
        ...{ amount: counted.get(contract), nfts: [{ tokenId, amount }] },
      });
    }
  }
  return { address, updatedAt: undefined, collections: [...byContract.values()], skipped };
}
