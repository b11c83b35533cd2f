import type { Address } from '../values/address.ts';
import type { NftContract } from './nftContract.ts';
import type { AssetUrl } from './pictures/assetUrl.ts';

/** One token of an NFT contract. `undefined` means that the source does not tell. */
export interface NftToken {
  readonly contract: NftContract;
  readonly tokenId: bigint;
  /** Where the contract says that the metadata is. */
  readonly tokenUrl: AssetUrl | undefined;
  readonly owner: Address | undefined;
  readonly originalOwner: Address | undefined;
  /** Undefined where the source has not read the token's metadata. */
  readonly metadata: NftMetadata | undefined;
  /**
   * Why the contract leads to no metadata: it has no URI for the token, one that may not be asked for, or one that has
   * something else in it. Undefined where it does, or where that is not known.
   */
  readonly whyNoMetadata: 'noUri' | 'notMetadata' | 'uriRefused' | undefined;
}

/** What the metadata of a token says: text from outside the chain even, plain and bounded. */
export interface NftMetadata {
  readonly name: string | undefined;
  readonly description: string | undefined;
  /** A picture, the one of about 512 pixels where there are several. Nothing has been fetched. */
  readonly image: AssetUrl | undefined;
  readonly animation: AssetUrl | undefined;
  readonly externalUrl: AssetUrl | undefined;
  readonly attributes: readonly NftAttribute[];
  /** Attributes that could not be read or went over the bound, and are missing here. */
  readonly attributesSkipped: number;
}

export interface NftAttribute {
  readonly trait: string | undefined;
  readonly value: string;
  /** How the value is meant, such as `date` (seconds since the Unix epoch) or `boost_percentage`. */
  readonly display: string | undefined;
}
