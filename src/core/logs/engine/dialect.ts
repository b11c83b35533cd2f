/** How a server responds to `eth_getLogs`, as far as it has shown. */
export interface Dialect {
  /**
   * `node`: an Ethereum node or a provider of nodes; its responses are complete, or errors. `portal`: an SQD Portal;
   * every response says which blocks it covers.
   */
  readonly family: 'unknown' | 'blockscout' | 'node' | 'portal';
  /** The version that the server reports, short and sanitized. Untrusted text. */
  readonly version?: string | undefined;
  /** Of Blockscout, reported or implied by the shape of its responses. */
  readonly release?: Release | undefined;
  /** Widest accepted block range, if the server has reported it. */
  readonly maxBlocks?: bigint | undefined;
  /** Most logs in one response, if the server has reported it. */
  readonly maxLogs?: number | undefined;
  /** Most addresses, or topics in one position, that a request may have, if the server has refused more. */
  readonly maxValues?: number | undefined;
  /** From this block on, a node has shown logs of some contracts at least. */
  readonly logsFrom?: bigint | undefined;
  /** It has the logs of every contract from the first block on. */
  readonly hasAllLogs?: true;
  /** A block whose logs the node leaves out without an error. */
  readonly prunedAt?: bigint | undefined;
  /** Whether numbers in a cursor need `0x`. No Blockscout so far does. */
  readonly prefixedCursor: boolean;
  /** Whether it takes several calls in one request, if tried. */
  readonly batches?: 'taken' | 'failedOnce' | 'refused';
  /** Methods whose results are those of the requested block, as it has shown. */
  readonly stateMethods?: readonly string[];
  /** Whether it takes the tag `latest` in place of the number of a block, and no number. */
  readonly takesLatestOnly?: boolean;
  /** Whether it writes the number of the latest block as decimal text. */
  readonly writesDecimals?: boolean;
  /** Most calls in one request, if it has refused more. */
  readonly maxBatch?: number | undefined;
}

/** Of Blockscout. */
type Release = readonly [major: number, minor: number, patch: number];

export const unknownDialect: Dialect = { family: 'unknown', prefixedCursor: false };

/** A Blockscout that does not report its release. */
export const genericExplorer: Partial<Dialect> = { family: 'blockscout' };

/** The first release that refuses a method with an error object that has a code. */
export const explorerFromV12: Partial<Dialect> = { family: 'blockscout', release: [12, 0, 0] };

/**
 * The Blockscout of this version; undefined if the text is not a release.
 *
 * @example parseExplorerVersion('soon') // undefined
 */
export function parseExplorerVersion(version: string): Partial<Dialect> | undefined {
  const release = parseRelease(version);
  return release && { family: 'blockscout', version, release };
}

/** An SQD Portal: recognized by its URL, and by its metadata when it is added. */
export const portalDialect: Partial<Dialect> = { family: 'portal' };

/**
 * Etherscan's API V2 behind `createEtherscanRpc`: complete or an error, as of a node. It has logs from the first block,
 * takes one address and one value for each topic, and no batches.
 */
export const etherscanDialect: Partial<Dialect> = {
  ...{ family: 'node', version: 'Etherscan API V2', hasAllLogs: true },
  ...{ maxLogs: 1000, maxValues: 1, batches: 'refused' },
};

/** A node, with the name that it reports, if any. */
export function toNodeDialect(name?: string): Partial<Dialect> {
  return name === undefined ? { family: 'node' } : { family: 'node', version: name };
}

/** `dialect` with the family of an explorer, whatever it was. */
export function asExplorer(dialect: Dialect): Dialect {
  return { ...dialect, ...genericExplorer };
}

/** Whether the server has reported what it is, so that the guarantees of its kind apply. */
export function isIdentified({ family, version, release }: Dialect): boolean {
  if (family === 'portal') return true;
  return family === 'node' ? version !== undefined : release !== undefined;
}

/**
 * The name of a server, with its version if reported; undefined if it is not identified.
 *
 * @example getServerName() // undefined
 */
export function getServerName({ family, version }: Dialect = unknownDialect): string | undefined {
  if (family === 'unknown') return undefined;
  return version === undefined ? family : `${family} ${version}`;
}

/** A server's identity for people. */
export interface ServerDescription {
  readonly server: Dialect['family'];
  /** As the server reports it, `v11.2.7` or `anvil/v1.7.1`. Untrusted text. */
  readonly version?: string;
  /** The release that it is older than, if nothing more is known. */
  readonly before?: string;
}

/**
 * What is known of a server so far.
 *
 * @example describeDialect() // { server: 'unknown' }
 */
export function describeDialect({ family, version, release }: Dialect = unknownDialect): ServerDescription {
  if (family === 'unknown') return { server: family };
  if (version) return { server: family, version };
  return release && isReleaseBefore(release, [6, 3, 0])
    ? { server: family, before: 'v6.3' }
    : { server: family };
}

/** Whether several calls may go in one request; `unsure` until the server has accepted or refused a batch. */
export function getBatchSupport({ batches }: Dialect): 'taken' | 'unsure' | 'refused' {
  return batches === 'failedOnce' ? 'unsure' : (batches ?? 'unsure');
}

/** Whether every response says which blocks it covers. */
export function reportsCoverage({ family }: Dialect): boolean {
  return family === 'portal';
}

/** Whether a response comes with the head of its replica, or says which blocks it covers. */
export function reportsHead(dialect: Dialect): boolean {
  return reportsCoverage(dialect) || getBatchSupport(dialect) === 'taken';
}

/**
 * How much of a filter may be sent: all of it, the parts that an explorer understands, or, to an unidentified
 * server, what both interpret alike.
 */
type FilterSupport = 'whole' | 'parts' | 'unknown';

export function getFilterSupport({ family }: Dialect): FilterSupport {
  if (family === 'node' || family === 'portal') return 'whole';
  return family === 'blockscout' ? 'parts' : 'unknown';
}

/** Entries in a full page of Blockscout, a constant in every version. */
export const PAGE_LIMIT = 1000;

/**
 * Entries below which a page is complete even if the limit is applied before orphaned rows are dropped. Holds while
 * a range has at most three orphaned rows for each canonical one.
 */
export const SURELY_COMPLETE_ROWS = PAGE_LIMIT / 4;

/**
 * Whether a response of `count` entries may be silently truncated: the count is a number that people choose as a
 * limit. A wrong guess that it is complete would lose rows permanently; a wrong guess that it is not costs two
 * requests.
 *
 * @example mayBeTruncated(2000) // true
 */
export function mayBeTruncated(count: number): boolean {
  return count >= 100 && (count % 100 === 0 || count % 1024 === 0 || count === 512 || count === 256);
}

/** Guarantees that a query may rely on. */
export interface PagingTraits {
  /** A response with fewer entries is complete. */
  readonly completeBelow: number;
  /** A full page holds the first rows in order, so nothing before its last row is missing. */
  readonly isOrdered: boolean;
  /** The cursor can be followed from block to block without losing rows. */
  readonly hasReliableCursor: boolean;
  /**
   * A short page may still hide rows: a response for one block with at least {@link completeBelow} entries stays
   * uncertain.
   */
  readonly hasShortPages: boolean;
}

/**
 * Paging by Blockscout release (from its source code and tests, v2 to v12): before v6.10 the cursor drops rows of
 * later blocks; from v6.8 to v10.2 the limit of an address query has no order; from v6.8 to v9.4 that limit is
 * applied before orphaned rows are dropped. An unidentified server gets the weakest guarantees.
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
 * Blockscout v6.0 to v6.7, and v12 until a migration of its data ends, find the logs of an address by the height of
 * the log, but return them with the height of the transaction, which may differ after a reorg.
 */
export function misplacesLogs({ family, release }: Dialect): boolean {
  if (family === 'node' || family === 'portal') return false;
  return (
    release === undefined || isReleaseBefore(release, [6, 8, 0]) || !isReleaseBefore(release, [12, 0, 0])
  );
}

/** Whether two logs at one index may be a log and an orphaned copy of it, as on some releases of Blockscout. */
export function mayRepeatOrphans({ family }: Dialect): boolean {
  return family === 'blockscout' || family === 'unknown';
}

/** Whether two logs at one index are one log and its copy, so that one of them is left out. */
export function repeatsOrphans({ family }: Dialect): boolean {
  return family === 'blockscout';
}

/** Whether the server may leave out logs, as it has pruned their receipts, and the headers of the chain can show it. */
export function mayLackLogs({ family, hasAllLogs }: Dialect): boolean {
  return !hasAllLogs && (family === 'node' || family === 'unknown');
}

/** Whether the cost of a range is that of its rows, however many blocks it has: the server has an index of logs. */
export function costsByRows({ family }: Dialect): boolean {
  return family === 'blockscout' || family === 'portal';
}

/** Up to v6.7, Blockscout returns the logs of a fork twice: marked as removed, and as canonical ones. */
export function includesOrphans({ release }: Dialect): boolean {
  return release !== undefined && isReleaseBefore(release, [6, 8, 0]);
}

/** What the shape of a response reveals about its server; undefined if nothing. */
export function inferDialect(
  current: Dialect,
  { count, hasBareNumbers }: { readonly count: number; readonly hasBareNumbers: boolean },
): { readonly contradicts: boolean; readonly dialect?: Partial<Dialect> } | undefined {
  if (count === 0 || current.family === 'portal') return undefined;
  const isOld = isInferable(current);
  if (hasBareNumbers) {
    if (isOld) return undefined;
    const contradicts = current.family === 'node' || current.release !== undefined;
    return { contradicts, dialect: { family: 'blockscout', release: [5, 0, 0] } };
  }
  const isNode = count > PAGE_LIMIT && (isOld || current.family !== 'node');
  return { contradicts: isOld, ...(isNode ? { dialect: { family: 'node', release: undefined } } : {}) };
}

/**
 * Whether `reported` is a server other than `remembered`. The name of a node does not count: a provider has several
 * kinds of nodes behind one endpoint.
 *
 * @param isConclusive whether the probe was conclusive: what the server did not report does not exist.
 */
export function isOtherServer(
  remembered: Dialect,
  reported: Partial<Dialect>,
  isConclusive: boolean,
): boolean {
  if (remembered.family === 'unknown' || reported.family === undefined) return false;
  if (remembered.family !== reported.family) return true;
  if (reported.family === 'node') return false;
  const otherVersion =
    remembered.version !== undefined &&
    (reported.version === undefined ? isConclusive : remembered.version !== reported.version);
  const isOtherEra =
    remembered.release !== undefined &&
    reported.release !== undefined &&
    !isSameEra(remembered.release, reported.release);
  return otherVersion || isOtherEra;
}

/** Releases at which the form of responses changes. A release that was inferred from the form only names its era. */
const ERA_STARTS: readonly Release[] = [
  [6, 3, 0],
  [12, 0, 0],
];

function isSameEra(a: Release, b: Release): boolean {
  return ERA_STARTS.every((start) => isReleaseBefore(a, start) === isReleaseBefore(b, start));
}

/** Blockscout before v6.3 is recognizable by the form of every log, so it needs no probe. */
export function isInferable({ release }: Dialect): boolean {
  return release !== undefined && isReleaseBefore(release, [6, 3, 0]);
}

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
