/** A service that data is fetched from. */
export interface ProviderLabel {
  /** Its name in the code: its folder in `core/providers`. */
  readonly name: string;
  /** Scheme, host and port that requests go to. */
  readonly origin: string;
  /** Whether requests carry a key, so that a refusal can be due to the key. */
  readonly takesKey: boolean;
}

/** A kind of provider in printed JSON: named by what it is, not by who makes it. */
export type ProviderId = 'calls' | 'dataApi' | 'etherscan' | 'explorer' | 'signatures' | 'sourcify';

/**
 * The name of a provider in printed JSON; undefined if it is not built in.
 *
 * @example getProviderId({ name: 'blockscout' }) // 'explorer'
 */
export function getProviderId({ name }: Pick<ProviderLabel, 'name'>): ProviderId | undefined {
  return Object.hasOwn(providerIds, name) ? providerIds[name] : undefined;
}

const providerIds: Readonly<Record<string, ProviderId>> = {
  blockscout: 'explorer',
  calls: 'calls',
  covalent: 'dataApi',
  etherscan: 'etherscan',
  signatures: 'signatures',
  sourcify: 'sourcify',
};

export interface Provenance {
  readonly source: ProviderLabel;
  /** When the response arrived, in milliseconds since the Unix epoch. A cached result keeps its time. */
  readonly readAt: number;
}

export interface Cost {
  readonly unit: 'credits';
  /** `min` and `max` differ where a second request may be needed. */
  readonly min: number;
  readonly max: number;
  /** `entry`: for each entry of the result, whose number is not known in advance. */
  readonly per: 'question' | 'entry';
}

/** `unpublished`: it has a price, which is not published. */
export type Price = Cost | 'free' | 'unpublished';

/** The methods that a provider offers, each with its price. Any other method throws `notServed`. */
export type Offers<Method extends string> = Readonly<Partial<Record<Method, Price>>>;

export interface FetchOptions {
  /** Ignores a cached result. */
  readonly fresh?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Where the key is sent: as a bearer token in the `Authorization` header, or as `key` in the query, where logs of URLs
 * can expose it.
 */
export type KeyPlace = 'header' | 'query';

/** Entries that are read from one list in a response. The largest holders own some thousands of tokens. */
export const MAX_LIST_ITEMS = 20_000;
