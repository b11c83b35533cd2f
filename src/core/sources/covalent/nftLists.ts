import * as z from 'zod/mini';
import type { NftContract } from '../../nfts/nftContract.ts';
import type { Address } from '../../values/address.ts';
import { type AskedContract, readContractData } from './contractData.ts';
import { addressField, optionalField, readItems, textField, uint256Field } from './fields.ts';
import { type ListEnd, type PagedList, readPages } from './pages.ts';

/** The token ids of an NFT contract, as far as they were read. */
export interface NftTokenIds {
  /** What the answer says of the contract; undefined where the list is empty. */
  readonly contract: NftContract | undefined;
  /** In the server's order, none twice. */
  readonly tokenIds: readonly bigint[];
  /** Why reading ended: only `complete` means that these are all. */
  readonly end: ListEnd;
  /** Entries that could not be read, and are missing here. */
  readonly skipped: number;
}

/** NFT contracts of a chain, as far as the list was read. */
export interface NftCollections {
  readonly collections: readonly ListedCollection[];
  /** Why reading ended: only `complete` means that these are all. */
  readonly end: ListEnd;
  /** Entries that could not be read, and are missing here. */
  readonly skipped: number;
}

/** One NFT contract in the list of a chain's. */
export interface ListedCollection {
  readonly contract: Address;
  readonly name: string | undefined;
  readonly spam: boolean | undefined;
  readonly supply: bigint | undefined;
}

const TokenIdItem = z.object({ token_id: uint256Field });

/** Reads `nft_token_ids`. @throws AppError `badResponse` for a page that is no such answer. */
export async function readNftTokenIds(asked: AskedContract, list: PagedList): Promise<NftTokenIds> {
  const tokenIds = new Set<bigint>();
  let contract: NftContract | undefined;
  let skipped = 0;
  const end = await readPages(list, async (items, data) => {
    contract ??= readContractData(data, asked).items[0]?.facts;
    const page = await readItems(TokenIdItem, items, list.slices);
    const before = tokenIds.size;
    for (const item of page.read) tokenIds.add(item.token_id);
    skipped += page.skipped;
    return tokenIds.size - before;
  });
  return { contract, tokenIds: [...tokenIds], end, skipped };
}

const CollectionItem = z.object({
  contract_address: addressField,
  contract_name: optionalField(textField),
  is_spam: optionalField(z.boolean()),
  token_total_supply: optionalField(uint256Field),
});

/** Reads `nft/collections`. @throws AppError `badResponse` for a page that is no such answer. */
export async function readNftCollections(list: PagedList): Promise<NftCollections> {
  const collections = new Map<Address, ListedCollection>();
  let skipped = 0;
  const end = await readPages(list, async (items) => {
    const page = await readItems(CollectionItem, items, list.slices);
    const before = collections.size;
    for (const item of page.read) {
      collections.set(item.contract_address, {
        contract: item.contract_address,
        name: item.contract_name,
        spam: item.is_spam,
        supply: item.token_total_supply,
      });
    }
    skipped += page.skipped;
    return collections.size - before;
  });
  return { collections: [...collections.values()], end, skipped };
}
