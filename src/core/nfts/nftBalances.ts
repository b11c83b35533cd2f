import type { Address } from '../values/address.ts';
import type { TokenStandard } from './tokenStandard.ts';

/** The NFTs of an address by collection, as a source tells them. */
export interface NftBalances {
  readonly address: Address;
  /** When the source last looked at the chain, in milliseconds since the Unix epoch. */
  readonly updatedAt: number | undefined;
  readonly collections: readonly NftCollection[];
  /** Entries of the answer that could not be read or went over the bound, and are missing here. */
  readonly skipped: number;
}

/** One NFT contract of which an address holds tokens. `undefined` means that the source does not tell. */
export interface NftCollection {
  readonly contract: Address;
  readonly standard: TokenStandard | undefined;
  /** Text chosen by whoever deployed the contract: plain and bounded, still not to be read as markup. */
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  /** How many tokens are held. */
  readonly amount: bigint | undefined;
  readonly spam: boolean | undefined;
  /** In milliseconds since the Unix epoch. */
  readonly lastTransferAt: number | undefined;
  readonly nfts: readonly NftHolding[] | undefined;
}

/** One NFT, or some copies of one ERC-1155 id, held by an address. */
export interface NftHolding {
  readonly tokenId: bigint;
  /** Copies held; undefined where the answer does not tell. */
  readonly amount: bigint | undefined;
}
