import type { AskOptions, Offers, SourceLabel } from '../base/source.ts';
import type { Address } from '../values/address.ts';
import type { NftContract } from './nftContract.ts';
import type { NftToken } from './nftToken.ts';
import type { NftTransactions } from './nftTransactions.ts';

/** The questions of {@link NftSource}. */
export type NftSourceQuestion = 'nftContract' | 'nftToken' | 'nftTransfers';

/**
 * Who tells of NFT contracts and tokens on one chain. Answers are shared and kept for a moment, as those of a
 * `HoldingsSource` are.
 *
 * @throws AppError, each question, of any network kind, and of `creditsUsedUp`, `forbidden`, `notServed`, `tooHeavy`,
 *   `unauthorized`; `aborted` when the signal fires or the key is taken away.
 */
export interface NftSource {
  readonly label: SourceLabel;
  readonly offers: Offers<NftSourceQuestion>;
  /** The history of one token id. */
  nftTransfers(contract: Address, tokenId: bigint, options?: AskOptions): Promise<NftTransactions>;
  /** An NFT contract; undefined where the source knows none of its tokens. */
  nftContract(contract: Address, options?: AskOptions): Promise<NftContract | undefined>;
  /** One token with its metadata; undefined where the source knows no such token. */
  nftToken(contract: Address, tokenId: bigint, options?: AskOptions): Promise<NftToken | undefined>;
}
