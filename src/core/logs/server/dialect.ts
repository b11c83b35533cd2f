import { PAGE_LIMIT, SURELY_WHOLE } from './pageLimits.ts';
import { isBefore, isWithin, parseRelease, type Release } from './release.ts';

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
  readonly wholeBelow: number;
  /** A full page holds the first rows in order, so that nothing before its last row is missing. */
  readonly ordered: boolean;
  /** The cursor can be followed from block to block without losing rows. */
  readonly cursor: boolean;
  /** A short page may still hide rows: an answer of more than {@link wholeBelow} at one block stays in doubt. */
  readonly shortPages: boolean;
}

/** Whether the server has said what it is, so that what is known of its kind can be relied on. */
export function isIdentified({ family, version, release }: Dialect): boolean {
  if (family === 'portal') return true;
  return family === 'node' ? version !== undefined : release !== undefined;
}

/**
 * What a server is, in its own words where it has some; undefined where it has not shown yet.
 *
 * @example serverName(unknownDialect) // undefined
 */
export function serverName({ family, version }: Dialect): string | undefined {
  if (family === 'unknown') return undefined;
  return version === undefined ? family : `${family} ${version}`;
}

export const unknownDialect: Dialect = { family: 'unknown', prefixedCursor: false };

/** A Blockscout that says no more of itself. */
export const someExplorer: Partial<Dialect> = { family: 'blockscout' };
/** The first that refuses a method in an object with a code. */
export const explorerFromV12: Partial<Dialect> = { family: 'blockscout', release: [12, 0, 0] };

/**
 * The Blockscout that calls its version so; undefined where those are no words for a release.
 *
 * @example explorerOfVersion('soon') // undefined
 */
export function explorerOfVersion(version: string): Partial<Dialect> | undefined {
  const release = parseRelease(version);
  return release && { family: 'blockscout', version, release };
}

/** An SQD Portal: known by its URL, and by its metadata when it is added. */
export const somePortal: Partial<Dialect> = { family: 'portal' };

/** A node, by the name that it has for itself, if it tells one. */
export function nodeOfName(name?: string): Partial<Dialect> {
  return name === undefined ? { family: 'node' } : { family: 'node', version: name };
}

/** `dialect`, read as an explorer's whatever is known of it. */
export function asExplorer(dialect: Dialect): Dialect {
  return { ...dialect, ...someExplorer };
}

/** Whether several calls may go in one request; `unsure` until the server has answered some so, or refused to. */
export function batchSupport({ batches }: Dialect): 'taken' | 'unsure' | 'refused' {
  return batches === 'failedOnce' ? 'unsure' : (batches ?? 'unsure');
}

/** Whether every answer says by itself through which block it is whole. */
export function tellsItsEnd({ family }: Dialect): boolean {
  return family === 'portal';
}

/** Whether an answer comes with a word for which blocks the machine knew that gave it. */
export function tellsItsHead(dialect: Dialect): boolean {
  return tellsItsEnd(dialect) || batchSupport(dialect) === 'taken';
}

export function filterSupport({ family }: Dialect): FilterSupport {
  if (family === 'node' || family === 'portal') return 'whole';
  return family === 'blockscout' ? 'parts' : 'unknown';
}

/**
 * What is known of paging, by Blockscout release (its source and tests, v2 to v12):
 * before v6.10 the cursor drops rows of later blocks; from v6.8 to v10.2 the limit of an address query has no order;
 * from v6.8 to v9.4 that limit is applied before orphaned rows are dropped.
 * A server that is not known gets the least of all.
 */
export function pagingTraits(dialect: Dialect, hasAddress: boolean): PagingTraits {
  if (dialect.family === 'node' || dialect.family === 'portal') {
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

/**
 * Blockscout v6.0 to v6.7, and v12 until a migration of its data ends, look for the logs of an address by the height
 * of the log and show them at that of its transaction, which after a reorg can be another.
 */
export function showsDisplaced({ family, release }: Dialect): boolean {
  if (family === 'node' || family === 'portal') return false;
  return release === undefined || isBefore(release, [6, 8, 0]) || !isBefore(release, [12, 0, 0]);
}

/** Up to v6.7 Blockscout gives the logs of a fork twice: marked as removed, and as if they stood. */
export function passesOrphans({ release }: Dialect): boolean {
  return release !== undefined && isBefore(release, [6, 8, 0]);
}

/** What the shape of an answer tells of its server; undefined for nothing. */
export function dialectByShape(
  known: Dialect,
  { count, bareNumbers }: { readonly count: number; readonly bareNumbers: boolean },
): { readonly contradicts: boolean; readonly told?: Partial<Dialect> } | undefined {
  if (count === 0 || known.family === 'portal') return undefined;
  const isOld = isKnownByShape(known);
  if (bareNumbers) {
    if (isOld) return undefined;
    const contradicts = known.family === 'node' || known.release !== undefined;
    return { contradicts, told: { family: 'blockscout', release: [5, 0, 0] } };
  }
  const isNode = count > PAGE_LIMIT && (isOld || known.family !== 'node');
  return { contradicts: isOld, ...(isNode ? { told: { family: 'node', release: undefined } } : {}) };
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
export function isKnownByShape({ release }: Dialect): boolean {
  return release !== undefined && isBefore(release, [6, 3, 0]);
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
  return release && isBefore(release, [6, 3, 0]) ? { server: family, before: 'v6.3' } : { server: family };
}
