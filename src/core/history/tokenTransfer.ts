import type { TokenStandard } from '../nfts/tokenStandard.ts';
import type { Address } from '../values/address.ts';
import type { Hex } from '../values/hex.ts';

/** Tokens that went from one address to another, as a source tells it. `undefined` means that it does not tell. */
export interface TokenTransfer {
  readonly transactionHash: Hex;
  readonly blockNumber: bigint;
  /** Position of the log in the block. */
  readonly logIndex: number;
  /** Place among the ids of a batch, in the order of the source; 0 elsewhere. */
  readonly position: number;
  /** Of the block, in milliseconds since the Unix epoch. */
  readonly time: number | undefined;
  /** The zero address when tokens were minted. */
  readonly from: Address;
  /** The zero address when tokens were burned. */
  readonly to: Address;
  readonly contract: Address;
  readonly standard: TokenStandard | undefined;
  /** Text chosen by whoever deployed the contract: plain and bounded, still not to be read as markup. */
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  readonly decimals: number | undefined;
  /** Of an NFT. */
  readonly tokenId: bigint | undefined;
  /** In smallest units; of an NFT its copies. */
  readonly amount: bigint | undefined;
  readonly spam: boolean | undefined;
}
