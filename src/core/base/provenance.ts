/** A service that facts are read from. */
export interface ProviderLabel {
  /** Its name in the code: the folder that it has in `core/sources`. */
  readonly name: string;
  /** Scheme, host and port that it is asked at. */
  readonly origin: string;
  /** Whether it is asked with a key, so that a refusal can be the key's fault. */
  readonly takesKey: boolean;
}

/** What a kind of source is called to whoever reads JSON: by what it is, not by who makes it. */
export type ProviderId = 'calls' | 'dataApi' | 'explorer' | 'signatures' | 'sourcify';

const providerIds: Readonly<Record<string, ProviderId>> = {
  ...{ blockscout: 'explorer', calls: 'calls', covalent: 'dataApi' },
  ...{ signatures: 'signatures', sourcify: 'sourcify' },
};

/**
 * The word for a source in JSON that is printed; undefined where it is none of the built-in ones.
 *
 * @example getProviderId({ name: 'blockscout' }) // 'explorer'
 */
export function getProviderId({ name }: Pick<ProviderLabel, 'name'>): ProviderId | undefined {
  return Object.hasOwn(providerIds, name) ? providerIds[name] : undefined;
}

/** Where an answer came from, and when. */
export interface Provenance {
  readonly source: ProviderLabel;
  /** When the answer arrived, in milliseconds since the Unix epoch. An answer that was kept keeps its time. */
  readonly readAt: number;
}

/** What a question to a source takes of what its key has. */
export interface Cost {
  readonly unit: 'credits';
  /** Least and most differ where a question may take a second request. */
  readonly min: number;
  readonly max: number;
  /** `entry`: for each entry of the answer, whose number is not known before. */
  readonly per: 'question' | 'entry';
}

/** What a question costs: `unpublished` where it has a price that nobody tells. */
export type Price = Cost | 'free' | 'unpublished';

/** The questions that a source answers, each with its price. Asked any other, it throws `notServed`. */
export type Offers<Question extends string> = Readonly<Partial<Record<Question, Price>>>;

/** What every question to a source can be asked with. */
export interface FetchOptions {
  /** Passes over an answer kept from a moment ago. */
  readonly fresh?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Where the key travels: as a bearer token in the `Authorization` header, or as `key` in the query, where whoever logs
 * addresses on the way sees it.
 */
export type KeyPlace = 'header' | 'query';

/** Entries of one list of an answer that are read. The largest holders of tokens hold some thousands. */
export const MAX_LIST_ITEMS = 20_000;
