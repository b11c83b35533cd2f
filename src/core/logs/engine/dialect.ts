/** How a server answers `eth_getLogs`, as far as it has shown. */
export interface Dialect {
  /**
   * `node`: an Ethereum node or a provider of one, which answers whole or refuses. `portal`: an SQD Portal, which says
   * in every answer through which block it is whole.
   */
  readonly family: 'unknown' | 'blockscout' | 'node' | 'portal';
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
  /** Whether it takes several calls in one request, as far as that was tried. */
  readonly batches?: 'taken' | 'failedOnce' | 'refused';
}

/**
 * How much of a filter may be sent: all of it; what an explorer understands; or, of a server that is not known, what
 * each understands alike.
 */
type FilterSupport = 'whole' | 'parts' | 'unknown';

/** What a query may rely on. */
export interface PagingTraits {
  /** An answer with fewer entries than this is whole. */
  readonly completeBelow: number;
  /** A full page holds the first rows in order, so that nothing before its last row is missing. */
  readonly isOrdered: boolean;
  /** The cursor can be followed from block to block without losing rows. */
  readonly hasReliableCursor: boolean;
  /** A short page may still hide rows: an answer of more than {@link completeBelow} at one block stays in doubt. */
  readonly hasShortPages: boolean;
}

/** Whether the server has said what it is, so that what is known of its kind can be relied on. */
export function isIdentified({ family, version, release }: Dialect): boolean {
  if (family === 'portal') return true;
  return family === 'node' ? version !== undefined : release !== undefined;
}

/**
 * What a server is, in its own words where it has some; undefined where it has not shown yet.
 *
 * @example getServerName(unknownDialect) // undefined
 */
export function getServerName({ family, version }: Dialect): string | undefined {
  if (family === 'unknown') return undefined;
  return version === undefined ? family : `${family} ${version}`;
}

export const unknownDialect: Dialect = { family: 'unknown', prefixedCursor: false };

/** A Blockscout that says no more of itself. */
export const genericExplorer: Partial<Dialect> = { family: 'blockscout' };
/** The first that refuses a method in an object with a code. */
export const explorerFromV12: Partial<Dialect> = { family: 'blockscout', release: [12, 0, 0] };

/**
 * The Blockscout that calls its version so; undefined where those are no words for a release.
 *
 * @example parseExplorerVersion('soon') // undefined
 */
export function parseExplorerVersion(version: string): Partial<Dialect> | undefined {
  const release = parseRelease(version);
  return release && { family: 'blockscout', version, release };
}

/** An SQD Portal: known by its URL, and by its metadata when it is added. */
export const portalDialect: Partial<Dialect> = { family: 'portal' };

/** A node, by the name that it has for itself, if it tells one. */
export function parseNodeName(name?: string): Partial<Dialect> {
  return name === undefined ? { family: 'node' } : { family: 'node', version: name };
}

/** `dialect`, read as an explorer's whatever is known of it. */
export function asExplorer(dialect: Dialect): Dialect {
  return { ...dialect, ...genericExplorer };
}

/** Whether several calls may go in one request; `unsure` until the server has answered some so, or refused to. */
export function getBatchSupport({ batches }: Dialect): 'taken' | 'unsure' | 'refused' {
  return batches === 'failedOnce' ? 'unsure' : (batches ?? 'unsure');
}

/** Whether every answer says by itself through which block it is whole. */
export function reportsCoverage({ family }: Dialect): boolean {
  return family === 'portal';
}

/** Whether an answer comes with a word for which blocks the machine knew that gave it. */
export function reportsHead(dialect: Dialect): boolean {
  return reportsCoverage(dialect) || getBatchSupport(dialect) === 'taken';
}

export function getFilterSupport({ family }: Dialect): FilterSupport {
  if (family === 'node' || family === 'portal') return 'whole';
  return family === 'blockscout' ? 'parts' : 'unknown';
}

/**
 * What is known of paging, by Blockscout release (its source and tests, v2 to v12):
 * before v6.10 the cursor drops rows of later blocks; from v6.8 to v10.2 the limit of an address query has no order;
 * from v6.8 to v9.4 that limit is applied before orphaned rows are dropped.
 * A server that is not known gets the least of all.
 */
export function getPagingTraits(dialect: Dialect, hasAddress: boolean): PagingTraits {
  if (dialect.family === 'node' || dialect.family === 'portal') {
    return {
      completeBelow: Number.POSITIVE_INFINITY,
      isOrdered: false,
      hasReliableCursor: false,
      hasShortPages: false,
    };
  }
  const { release } = dialect;
  if (!release)
    return {
      completeBelow: SURELY_COMPLETE_ROWS,
      isOrdered: false,
      hasReliableCursor: false,
      hasShortPages: hasAddress,
    };
  const unorderedLimit = hasAddress && isReleaseWithin(release, [6, 8, 0], [11, 0, 0]);
  const shortPages = hasAddress && isReleaseWithin(release, [6, 8, 0], [10, 0, 0]);
  return {
    completeBelow: shortPages ? SURELY_COMPLETE_ROWS : PAGE_LIMIT,
    isOrdered: !unorderedLimit,
    hasReliableCursor: !unorderedLimit && !isReleaseBefore(release, [6, 10, 0]),
    hasShortPages: shortPages,
  };
}

/**
 * Blockscout v6.0 to v6.7, and v12 until a migration of its data ends, look for the logs of an address by the height
 * of the log and show them at that of its transaction, which after a reorg can be another.
 */
export function misplacesLogs({ family, release }: Dialect): boolean {
  if (family === 'node' || family === 'portal') return false;
  return (
    release === undefined || isReleaseBefore(release, [6, 8, 0]) || !isReleaseBefore(release, [12, 0, 0])
  );
}

/** Up to v6.7 Blockscout gives the logs of a fork twice: marked as removed, and as if they stood. */
export function includesOrphans({ release }: Dialect): boolean {
  return release !== undefined && isReleaseBefore(release, [6, 8, 0]);
}

/** What the shape of an answer tells of its server; undefined for nothing. */
export function inferDialect(
  known: Dialect,
  { count, hasBareNumbers }: { readonly count: number; readonly hasBareNumbers: boolean },
): { readonly contradicts: boolean; readonly dialect?: Partial<Dialect> } | undefined {
  if (count === 0 || known.family === 'portal') return undefined;
  const isOld = isInferable(known);
  if (hasBareNumbers) {
    if (isOld) return undefined;
    const contradicts = known.family === 'node' || known.release !== undefined;
    return { contradicts, dialect: { family: 'blockscout', release: [5, 0, 0] } };
  }
  const isNode = count > PAGE_LIMIT && (isOld || known.family !== 'node');
  return { contradicts: isOld, ...(isNode ? { dialect: { family: 'node', release: undefined } } : {}) };
}

/**
 * Whether a server that says `told` of itself is another than the one that is `known`. A node is not held to its name: a
 * provider has several kinds of them behind one address.
 *
 * @param sure whether what the server did not say is not there.
 */
export function isOtherServer(known: Dialect, told: Partial<Dialect>, sure: boolean): boolean {
  if (known.family === 'unknown' || told.family === undefined) return false;
  if (known.family !== told.family) return true;
  if (told.family === 'node') return false;
  const otherVersion =
    known.version !== undefined && (told.version === undefined ? sure : known.version !== told.version);
  const otherRelease = known.release && told.release && String(known.release) !== String(told.release);
  return otherVersion || Boolean(otherRelease);
}

/** Blockscout before v6.3 shows in the form of every log, so that it need not be asked what it is. */
export function isInferable({ release }: Dialect): boolean {
  return release !== undefined && isReleaseBefore(release, [6, 3, 0]);
}

/** What a server is, for people. */
export interface ServerDescription {
  readonly server: Dialect['family'];
  /** As the server says it, `v11.2.7` or `anvil/v1.7.1`: text from outside. */
  readonly version?: string;
  /** The release that it is older than, where no more is known. */
  readonly before?: string;
}

/**
 * What is known of a server so far.
 *
 * @example describeDialect(unknownDialect) // { server: 'unknown' }
 */
export function describeDialect({ family, version, release }: Dialect): ServerDescription {
  if (family === 'unknown') return { server: family };
  if (version) return { server: family, version };
  return release && isReleaseBefore(release, [6, 3, 0])
    ? { server: family, before: 'v6.3' }
    : { server: family };
}

/** Of Blockscout. */
type Release = readonly [major: number, minor: number, patch: number];

/**
 * Major, minor and patch; undefined if `version` does not begin like a release.
 *
 * @example parseRelease('v6.10.1.+commit.8aff9e50') // [6, 10, 1]
 */
export function parseRelease(version: string): Release | undefined {
  const match = /^v?(\d{1,4})\.(\d{1,4})(?:\.(\d{1,4}))?/.exec(version.trim());
  return match ? [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)] : undefined;
}

/** @example isReleaseBefore([6, 3, 0], [6, 10, 0]) // true */
export function isReleaseBefore(release: Release, other: Release): boolean {
  const [major, minor, patch] = release;
  if (major !== other[0]) return major < other[0];
  if (minor !== other[1]) return minor < other[1];
  return patch < other[2];
}

/**
 * Whether `release` is `first` or later, and before `end`.
 *
 * @example isReleaseWithin([6, 8, 0], [6, 8, 0], [11, 0, 0]) // true
 */
export function isReleaseWithin(release: Release, first: Release, end: Release): boolean {
  return !isReleaseBefore(release, first) && isReleaseBefore(release, end);
}

/** Entries in a full page of Blockscout, a constant of every version. */
export const PAGE_LIMIT = 1000;

/**
 * Share of a page taken as surely whole where the limit is applied before orphaned rows are dropped: holds as
 * long as a range has no more than three orphaned rows for each of the main chain.
 */
export const SURELY_COMPLETE_ROWS = PAGE_LIMIT / 4;

/**
 * Whether an answer of `count` entries may have been cut off there without a word: at a number that people choose for
 * a limit. Taken as whole it would be wrong for ever; asking again for less costs two requests in the few cases where
 * it was whole.
 *
 * @example mayBeTruncated(2000) // true
 */
export function mayBeTruncated(count: number): boolean {
  return count >= 100 && (count % 100 === 0 || count % 1024 === 0 || count === 512 || count === 256);
}
