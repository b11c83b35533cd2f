import type { Address } from '../values/address.ts';
import type { TokenStandard } from './tokenStandard.ts';

/** An NFT contract, as far as the source knows it; `undefined` means that it does not say. */
export interface NftContract {
  readonly contract: Address;
  /** Text chosen by whoever deployed the contract: plain and bounded, still not to be read as markup. */
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  /** Everything that the contract is said to support, such as `erc165` and `erc721`; `erc20` proves nothing. */
  readonly standards: readonly string[];
  /** What {@link standards} comes down to. */
  readonly standard: TokenStandard | undefined;
  /** How many tokens there are, by contracts that count them. */
  readonly supply: bigint | undefined;
  /** Told for a few chains only; elsewhere `false` proves nothing. */
  readonly spam: boolean | undefined;
}
