import { type Clock, createRequestThrottle, type RequestThrottle } from '../base/clock.ts';
import type { Cost, KeyPlace, Offers } from '../base/provenance.ts';
import type { HttpDeps } from '../http/exchange.ts';
import type { IdentityMethod, IdentityProvider } from '../identity/identity.ts';
import type { Network } from '../networks/network.ts';
import type { NftMethod, NftProvider } from '../nfts/nft.ts';
import type { HistoryMethod, HistoryProvider } from '../tokens/history.ts';
import type { HoldingsMethod, HoldingsProvider } from '../tokens/holdings.ts';
import type { TransactionMethod, TransactionProvider } from '../transactions/transaction.ts';
import type { SignatureMethod, SignatureProvider } from '../verified/signatureCache.ts';
import type { VerifiedMethod, VerifiedProvider } from '../verified/verifiedContract.ts';

/** What a source tells of, by the port that it is asked through. */
export interface ProviderPorts {
  readonly holdings: HoldingsProvider;
  readonly nfts: NftProvider;
  readonly identity: IdentityProvider;
  readonly verified: VerifiedProvider;
  readonly signatures: SignatureProvider;
  readonly history: HistoryProvider;
  readonly transactions: TransactionProvider;
}

/** Everything that can be asked through a port. */
interface ProviderMethods {
  readonly holdings: HoldingsMethod;
  readonly nfts: NftMethod;
  readonly identity: IdentityMethod;
  readonly verified: VerifiedMethod;
  readonly signatures: SignatureMethod;
  readonly history: HistoryMethod;
  readonly transactions: TransactionMethod;
}

/** What can be asked through a port, with what it costs. */
export type PortOffers<Port extends keyof ProviderPorts> = Offers<ProviderMethods[Port]>;

export interface ProviderOptions extends HttpDeps {
  readonly url: string;
  readonly chainId: number;
  /** Undefined for a source that takes none. */
  readonly key: { readonly text: string; readonly place: KeyPlace } | undefined;
  /** Shared by all that are open at one origin. */
  readonly throttle: RequestThrottle;
  /** Once it aborts, nothing is sent any more and what is on its way is cancelled. */
  readonly revoked: AbortSignal;
}

/** One way to facts about addresses and tokens, not opened yet. */
export interface Provider {
  readonly name: string;
  /** Whether it is asked with a key only. */
  readonly takesKey: boolean;
  /** Whether it answers from an index of its own, and not from the contracts. */
  readonly hasIndex?: boolean;
  /** Where it is asked about the chain of `network`; undefined where the network has no such service. */
  urlFor(network: Network): string | undefined;
  /** What it can be asked, by port, with what that costs: known before it is opened. No port, no such source. */
  readonly offers: { readonly [Port in keyof ProviderPorts]?: PortOffers<Port> };
  /** The pace that the service allows; one for each origin. */
  createThrottle(deps: { readonly clock: Clock }): RequestThrottle;
  /**
   * Opens it, and may ask the server what it can do: a port that is missing is looked for at the next source.
   *
   * @throws AppError as a first question does; `badInput` for a URL or key of no use.
   */
  open(options: ProviderOptions): Promise<Partial<ProviderPorts>>;
}

/** An explorer knows its own chain only. */
export const explorerContractOffers: Offers<VerifiedMethod> = {
  verifiedContract: 'free',
  proxyAt: 'free',
  verifiedSources: 'free',
};

/** What an explorer tells everyone. */
export const explorerHoldingsOffers: Offers<HoldingsMethod> = { tokenBalances: 'free', holdings: 'free' };

export const explorerNftOffers: Offers<NftMethod> = {
  nftContract: 'free',
  nftToken: 'free',
  nftTransfers: 'free',
};

export const explorerHistoryOffers: Offers<HistoryMethod> = {
  transfers: 'free',
  coinBalances: 'free',
  coinBalancesByDay: 'free',
};

/**
 * What the service answers, at its prices (GoldRush documentation and SDK 2.3.8, 2026). What an address holds takes a
 * second request where NFTs do not come with the tokens.
 */
export const dataApiHoldingsOffers: Offers<HoldingsMethod> = {
  tokenBalances: perRequest(1, 1),
  holdings: perRequest(1, 2),
};

export const dataApiNftOffers: Offers<NftMethod> = {
  nftTransfers: { unit: 'credits', min: 0.1, max: 0.1, per: 'entry' },
  nftContract: 'unpublished',
  nftToken: 'unpublished',
};

function perRequest(min: number, max: number): Cost {
  return { unit: 'credits', min, max, per: 'question' };
}

/** A gate for the lowest plan's 4 requests a second. Its second is a little longer, as the server counts arrivals. */
export function createDataApiThrottle({ clock }: { readonly clock: Clock }): RequestThrottle {
  return createRequestThrottle({ clock, count: 4, windowMs: 1_100 });
}

export const sourcifyOffers: Offers<VerifiedMethod> = {
  verifiedContract: 'free',
  proxyAt: 'free',
  verifiedSources: 'free',
  verifiedOn: 'free',
};
