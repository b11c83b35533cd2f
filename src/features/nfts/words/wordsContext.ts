import type { Address, Network, PortOffers, ProviderLabel } from '../../../core/index.ts';
import type { Localizer } from '../../../host/words/localizer.ts';
import type { NftAnswers } from '../answers/nftAnswers.ts';

/** What the source of NFTs offers, or why it is not asked. */
export type NftsOffered =
  | {
      readonly state: 'ready';
      readonly label: ProviderLabel;
      readonly offers: PortOffers<'nfts'>;
      /** What a preferred source would offer, for which no key is stored. */
      readonly withoutKey?: PortOffers<'nfts'> | undefined;
    }
  | { readonly state: 'noKey' | 'notServed' | 'notWanted' };

/** What words are made from, beside an answer. */
export interface WordsContext {
  readonly answers: NftAnswers;
  /** The one that would be asked now. */
  readonly activeNetwork: Network;
  /** Whether it has a source of NFTs that can be asked; undefined while that is looked up. */
  readonly nfts: NftsOffered | undefined;
  readonly ipfsGateway: string | undefined;
  /** What an address is called on the network that was asked. */
  readonly nameOf: (address: Address) => string | undefined;
  readonly l10n: Localizer;
  readonly locale: string;
}
