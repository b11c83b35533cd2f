import type { Provenance } from '../base/source.ts';
import type { NftHolding } from '../nfts/nftBalances.ts';
import type { TokenStandard } from '../nfts/tokenStandard.ts';
import type { Address } from '../values/address.ts';
import type { Completeness } from './completeness.ts';

/** The tokens of an address, as a source tells them. */
export interface TokenBalances extends Provenance {
  readonly address: Address;
  /** The currency of every price and value: the source's word, which may differ from what was asked. */
  readonly quoteCurrency: string;
  /** When the source last looked at the chain, in milliseconds since the Unix epoch. */
  readonly updatedAt: number | undefined;
  readonly tokens: readonly TokenBalance[];
  /** Whether NFTs are, or would be, among the tokens. */
  readonly tellsNfts: boolean;
  /** Entries of the answer that could not be read or went over the bound, and are missing here. */
  readonly skipped: number;
  /** What the list is worth, where the source can be asked for that. */
  readonly completeness?: Completeness | undefined;
}

/** Stands for the chain's own coin, as data APIs of most chains write it. */
export const NATIVE_STAND_IN: Address = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';

/** One token held. `undefined` means that the source does not tell, which is never the same as zero. */
export interface TokenBalance {
  readonly contract: Address;
  /** Whether it is the chain's own coin, whose `contract` is a stand-in that differs by chain. */
  readonly native: boolean;
  readonly standard: TokenStandard | undefined;
  /** Text chosen by whoever deployed the contract: plain and bounded, still not to be read as markup. */
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  readonly decimals: number | undefined;
  /** In smallest units. */
  readonly amount: bigint | undefined;
  /** Price of a whole token, above zero; undefined where the source gives none, zero, or one that cannot be true. */
  readonly price: number | undefined;
  /** Value of the holding; undefined where there is no price. */
  readonly value: number | undefined;
  /** The price told, or the value at it, is beyond belief: to be shown with a mark and left out of sums. */
  readonly absurdPrice: boolean;
  /** The source's class: `cryptocurrency`, `stablecoin`, `nft`, `dust` (worth less than 0.10 USD), or a later one. */
  readonly category: string | undefined;
  /** Told for a few chains only; elsewhere `false` proves nothing. */
  readonly spam: boolean | undefined;
  /** In milliseconds since the Unix epoch. */
  readonly lastTransferAt: number | undefined;
  /** Undefined where NFTs were not asked for or the source does not tell them with balances. */
  readonly nfts: readonly NftHolding[] | undefined;
}
