import { type Clock, createRequestThrottle, type RequestThrottle } from '../base/clock.ts';
import type { Cost, KeyPlace, Offers } from '../base/provenance.ts';
import type { HttpDeps } from '../http/exchange.ts';
import type { IdentityMethod, IdentityProvider } from '../identity/identity.ts';
import { type Network, SECRET_PLACEHOLDER } from '../networks/network.ts';
import type { NftMethod, NftProvider } from '../nfts/nft.ts';
import type { HistoryMethod, HistoryProvider } from '../tokens/history.ts';
import type { HoldingsMethod, HoldingsProvider } from '../tokens/holdings.ts';
import type { TransactionMethod, TransactionProvider } from '../transactions/transaction.ts';
import type { SignatureMethod, SignatureProvider } from '../verified/signatureCache.ts';
import type { VerifiedMethod, VerifiedProvider } from '../verified/verifiedContract.ts';
import type { KeyPlaceFinder } from './covalent/keyPlace.ts';

export interface ProviderPorts {
  readonly holdings: HoldingsProvider;
  readonly nfts: NftProvider;
  readonly identity: IdentityProvider;
  readonly verified: VerifiedProvider;
  readonly signatures: SignatureProvider;
  readonly history: HistoryProvider;
  readonly transactions: TransactionProvider;
}

interface ProviderMethods {
  readonly holdings: HoldingsMethod;
  readonly nfts: NftMethod;
  readonly identity: IdentityMethod;
  readonly verified: VerifiedMethod;
  readonly signatures: SignatureMethod;
  readonly history: HistoryMethod;
  readonly transactions: TransactionMethod;
}

export type PortOffers<Port extends keyof ProviderPorts> = Offers<ProviderMethods[Port]>;

export interface ProviderOptions extends HttpDeps {
  readonly url: string;
  readonly chainId: number;
  readonly key: { readonly text: string; readonly place: KeyPlace | KeyPlaceFinder } | undefined;
  /** Shared by all clients of one origin. */
  readonly throttle: RequestThrottle;
  /** When it aborts, no more requests are sent and pending ones are cancelled. */
  readonly revoked: AbortSignal;
}

export interface Provider {
  readonly name: string;
  readonly takesKey: boolean;
  /** Whether its data comes from an index rather than from the contracts. */
  readonly hasIndex?: boolean;
  /** The URL for the chain of `network`; undefined if the network has no such service. */
  urlFor(network: Network): string | undefined;
  /**
   * The methods by port, each with its cost, known before the provider is opened. A port that is missing is
   * not served.
   */
  readonly offers: { readonly [Port in keyof ProviderPorts]?: PortOffers<Port> };
  /** The rate limit of the service; one throttle per origin. */
  createThrottle(deps: { readonly clock: Clock }): RequestThrottle;
  /**
   * Creates the clients, and may first request what the server supports. A port missing from the result falls
   * back to the next provider.
   *
   * @throws AppError as a first request does; `badInput` for an unusable URL or key.
   */
  open(options: ProviderOptions): Promise<Partial<ProviderPorts>>;
}

/** Without `verifiedOn`: an explorer serves only its own chain. */
export const explorerContractOffers: Offers<VerifiedMethod> = {
  verifiedContract: 'free',
  proxyAt: 'free',
  verifiedSources: 'free',
};

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

/** No balances over time. */
export const etherscanHistoryOffers: Offers<HistoryMethod> = { transfers: 'free' };

/**
 * Prices in credits (GoldRush documentation and SDK 2.3.8, 2026). Holdings take a second request if the
 * server does not return NFTs with the tokens.
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

/**
 * The lowest plan allows 4 requests per second. The window is slightly longer because the server counts
 * arrivals.
 */
export function createDataApiThrottle({ clock }: { readonly clock: Clock }): RequestThrottle {
  return createRequestThrottle({ clock, count: 4, windowMs: 1_100 });
}

/** The only URL that the Etherscan key of a user is sent to. */
export const ETHERSCAN_URL = 'https://api.etherscan.io/v2/api';

/**
 * Etherscan as the endpoint of a chain, with a placeholder for the key.
 *
 * @example getEtherscanEndpoint(10) // 'https://api.etherscan.io/v2/api?chainid=10&apikey=${key}'
 */
export function getEtherscanEndpoint(chainId: number): string {
  return `${ETHERSCAN_URL}?chainid=${chainId}&apikey=${SECRET_PLACEHOLDER}`;
}

export const sourcifyOffers: Offers<VerifiedMethod> = {
  verifiedContract: 'free',
  proxyAt: 'free',
  verifiedSources: 'free',
  verifiedOn: 'free',
};
