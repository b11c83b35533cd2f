/** How a server answers `eth_getLogs`, as far as it has shown. */
export interface Dialect {
  /** `node`: an Ethereum node or a provider of one, which answers whole or refuses. */
  readonly family: 'unknown' | 'blockscout' | 'node';
  /** The server's own words about its version, plain and short. Text from outside. */
  readonly version?: string | undefined;
  /** Major, minor and patch of a Blockscout release, where known or implied by the shape of its answers. */
  readonly release?: Release | undefined;
  /** Widest block range that the server takes, where it has said so. */
  readonly maxBlocks?: bigint | undefined;
  /** The most logs that the server gives in one answer, where it has said so. */
  readonly maxLogs?: number | undefined;
  /** Whether cursor numbers go with `0x`. Every Blockscout known wants them without. */
  readonly prefixedCursor: boolean;
}

export type Release = readonly [major: number, minor: number, patch: number];

/** What a query may rely on. */
export interface PagingTraits {
  /** An answer with fewer entries than this is whole. */
  readonly wholeBelow: number;
  /** A full page holds the first rows in order, so that nothing before its last row is missing. */
  readonly ordered: boolean;
  /** The cursor can be followed from block to block without losing rows. */
  readonly cursor: boolean;
  /** A short page may still hide rows: an answer of more than {@link wholeBelow} at one block stays in doubt. */
  readonly shortPages: boolean;
}

/** Entries in a full page of Blockscout, a constant of every version. */
export const PAGE_LIMIT = 1000;

/**
 * Share of a page taken as surely whole where the limit is applied before orphaned rows are dropped: holds as
 * long as a range has no more than three orphaned rows for each of the main chain.
 */
export const SURELY_WHOLE = PAGE_LIMIT / 4;

/**
 * Whether an answer of `count` entries may have been cut off there without a word: at a number that people choose for
 * a limit. Taken as whole it would be wrong for ever; asking again for less costs two requests in the few cases where
 * it was whole.
 */
export function mayBeCutOff(count: number): boolean {
  return count >= 100 && (count % 100 === 0 || count % 1024 === 0 || count === 512 || count === 256);
}

/** Whether the server has said what it is, so that what is known of its kind can be relied on. */
export function isTold({ family, version, release }: Dialect): boolean {
  return family === 'node' ? version !== undefined : release !== undefined;
}

export const unknownDialect: Dialect = { family: 'unknown', prefixedCursor: false };

/**
 * What is known of paging, by Blockscout release (its source and tests, v2 to v12):
 * before v6.10 the cursor drops rows of later blocks; from v6.8 to v10.2 the limit of an address query has no order;
 * from v6.8 to v9.4 that limit is applied before orphaned rows are dropped.
 * A server that is not known gets the least of all.
 */
export function pagingTraits(dialect: Dialect, hasAddress: boolean): PagingTraits {
  if (dialect.family === 'node') {
    return { wholeBelow: Number.POSITIVE_INFINITY, ordered: false, cursor: false, shortPages: false };
  }
  const { release } = dialect;
  if (!release) return { wholeBelow: SURELY_WHOLE, ordered: false, cursor: false, shortPages: hasAddress };
  const unorderedLimit = hasAddress && isWithin(release, [6, 8, 0], [11, 0, 0]);
  const shortPages = hasAddress && isWithin(release, [6, 8, 0], [10, 0, 0]);
  return {
    wholeBelow: shortPages ? SURELY_WHOLE : PAGE_LIMIT,
    ordered: !unorderedLimit,
    cursor: !unorderedLimit && !isBefore(release, [6, 10, 0]),
    shortPages,
  };
}

/** `v6.10.1.+commit.8aff9e50` as 6, 10, 1; undefined if it does not begin like a release. */
export function parseRelease(version: string): Release | undefined {
  const match = /^v?(\d{1,4})\.(\d{1,4})(?:\.(\d{1,4}))?/.exec(version.trim());
  return match ? [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)] : undefined;
}

export function isBefore(release: Release, other: Release): boolean {
  const [major, minor, patch] = release;
  if (major !== other[0]) return major < other[0];
  if (minor !== other[1]) return minor < other[1];
  return patch < other[2];
}

/** Blockscout before v6.3 shows in the form of every log, so that it need not be asked what it is. */
export function isKnownByShape({ release }: Dialect): boolean {
  return release !== undefined && isBefore(release, [6, 3, 0]);
}

function isWithin(release: Release, first: Release, end: Release): boolean {
  return !isBefore(release, first) && isBefore(release, end);
}

/** What a server is, for people. */
export interface ServerDescription {
  readonly server: Dialect['family'];
  /** As the server says it, `v11.2.7` or `anvil/v1.7.1`: text from outside. */
  readonly version?: string;
  /** The release that it is older than, where no more is known. */
  readonly before?: string;
}

/** What is known of a server so far. */
export function describeDialect({ family, version, release }: Dialect): ServerDescription {
  if (family === 'unknown') return { server: family };
  if (version) return { server: family, version };
  return release && isBefore(release, [6, 3, 0]) ? { server: family, before: 'v6.3' } : { server: family };
}

/** What has been learnt about one server, for as long as a client of it lives. */
export interface DialectMemory {
  current(): Dialect;
  /** Adds what was learnt. */
  learn(change: Partial<Dialect>): void;
  /** Forgets all: the server is not the one that it was. */
  forget(): void;
  /** How many times the server turned out to be another. */
  changes(): number;
}

export function createDialectMemory(): DialectMemory {
  let dialect = unknownDialect;
  let changes = 0;
  return {
    current: () => dialect,
    learn: (change) => {
      dialect = { ...dialect, ...change };
    },
    forget: () => {
      dialect = unknownDialect;
      changes++;
    },
    changes: () => changes,
  };
}
