import { formatIsoTime } from '../../eth/time.ts';
import type { BlockAtTime } from '../../rpc/blockTimes.ts';
import type { LogOrder } from '../log.ts';

/**
 * Why a result may be incomplete, or stops short.
 *
 * - `beyondHead`: the range begins above the server's newest block, `block`, so there are no logs yet.
 * - `cancelled`: cancelled by the caller; everything through `block` is loaded.
 * - `blockNotWhole`: `block` holds more matching logs than the server returns.
 * - `shortPages`: rows may be missing in `block`: Blockscout v6.8 to v9.4 can hide rows of an address query behind
 * a short page.
 * - `reorg`: the chain was reorganised at `block` while the query ran.
 * - `headWentBack`: the server's newest block fell below the range that was read.
 * - `forkRows`: the server returned rows of two different blocks at one height, `block`.
 * - `startsLater`: the server has no blocks below `block`, so earlier logs are missing.
 * - `serversDiffer`: replicas behind the endpoint disagree about the blocks from `block` on, as some lag behind;
 * rows above it may be missing.
 * - `serverChanged`: another server, or another version of it, responded in the middle of the query.
 * - `otherRows`: to a request for blocks from `block` on, the server also returned rows of other blocks, addresses
 * or topics.
 * - `questionIgnored`: it did so again and again; the query ends before `block`, and rows read so far stay.
 * - `endlessBlock`: the server returned more rows of `block` than a block can hold; the query ends there, with
 * these rows.
 */
export type ReasonCode =
  | 'beyondHead'
  | 'blockNotWhole'
  | 'cancelled'
  | 'endlessBlock'
  | 'forkRows'
  | 'headWentBack'
  | 'otherRows'
  | 'questionIgnored'
  | 'reorg'
  | 'serverChanged'
  | 'serversDiffer'
  | 'shortPages'
  | 'startsLater';

export interface VerdictReason {
  readonly code: ReasonCode;
  /** The block that it applies to, if any. */
  readonly block?: bigint;
  /** Number of further blocks that it applies to. */
  readonly more?: number;
}

/** The block found for a time. */
export interface FoundBound extends BlockAtTime {
  /** The time, in milliseconds since the Unix epoch. */
  readonly asked: number;
}

/** The blocks found for the times of a range. */
export interface FoundBounds {
  readonly from?: FoundBound;
  readonly to?: FoundBound;
}

/** How complete a result is. */
export interface Verdict {
  /**
   * `complete`: every matching log of the range is loaded. If the chain has not reached the range yet, there is
   * none, and `beyondHead` says so. `more`: there is a next page.
   */
  readonly state: 'complete' | 'more' | 'uncertain';
  readonly reasons: readonly VerdictReason[];
  /** First block of the range, resolved. */
  readonly fromBlock: bigint;
  /** Last block of the range, resolved and bounded by `head`. */
  readonly toBlock: bigint;
  /** The last requested block, if it is above `head`: later blocks are not mined yet. */
  readonly askedTo?: bigint;
  /** The blocks found if the range has times, and the provider of each. */
  readonly found?: FoundBounds;
  /** The server's newest block when the query began. */
  readonly head: bigint;
  readonly order: LogOrder;
  /**
   * The last block read, in reading order; undefined before any. Oldest first, every row of `fromBlock` to this one
   * is loaded; newest first, every row of this one to `toBlock`.
   */
  readonly readThrough: bigint | undefined;
  /** Rows emitted so far. */
  readonly rows: number;
  /** Requests sent so far, including failed ones, retries and probes of the server. */
  readonly requests: number;
}

/**
 * Whether the chain has reached the end of the range, so that no block of it is still to be mined.
 *
 * @example isRangeReached(verdict) && verdict.state === 'complete';
 */
export function isRangeReached({ fromBlock, askedTo, head }: Verdict): boolean {
  return askedTo === undefined && fromBlock <= head;
}

/**
 * The reasons of a verdict in English, including the missing end of its range.
 *
 * @example for (const text of formatVerdictReasons(verdict)) print(text);
 */
export function formatVerdictReasons({ reasons, askedTo, head }: Verdict): readonly string[] {
  const texts = reasons.map(formatVerdictReason);
  if (askedTo === undefined) return texts;
  return [...texts, `the newest block is ${head}, before the last one asked for, ${askedTo}`];
}

/**
 * A reason in English, for the headless runner and for logs.
 *
 * @example formatVerdictReason({ code: 'cancelled', block: 7n }) // 'cancelled at block 7'
 */
export function formatVerdictReason({ code, block, more }: VerdictReason): string {
  const text = formatReason(code, block);
  return more === undefined ? text : `${text}; and so for ${more} blocks that are not named`;
}

function formatReason(code: ReasonCode, block: bigint | undefined): string {
  switch (code) {
    case 'beyondHead':
      return `the range begins above the server's newest block, ${block}`;
    case 'cancelled':
      return block === undefined ? 'cancelled' : `cancelled at block ${block}`;
    case 'blockNotWhole':
      return `block ${block} holds more matching logs than the server gives out`;
    case 'shortPages':
      return `rows may be missing in block ${block}: this server version can leave some out of a page without a word (Blockscout v6.8 to v9.4)`;
    case 'reorg':
      return `the chain was reorganised at block ${block} while the query ran`;
    case 'headWentBack':
      return "the server's newest block fell below the range that was read";
    case 'forkRows':
      return `the server gave rows of two different blocks at height ${block}`;
    case 'otherRows':
      return `the server gave logs that were not asked for when it was asked for blocks from ${block} on`;
    case 'questionIgnored':
      return `the server gives logs of other blocks or addresses than it is asked for, so that reading ended before block ${block}; ask another server`;
    case 'endlessBlock':
      return `the server gave more logs of block ${block} than a block can hold, so that reading ended there; ask another server`;
    case 'serversDiffer':
      return `the server's answers about the blocks from ${block} on differ, as of several machines of which some are behind; ask again later`;
    case 'startsLater':
      return `the server has no blocks before ${block}, so that logs of earlier ones are missing; ask another server`;
    case 'serverChanged':
      return 'the server became another one, or another version, while the query ran';
  }
}

/** A block found for a time. Times are ISO 8601; `timestamp` is null if the block's time is unknown. */
interface FoundBoundJson {
  readonly asked: string;
  readonly block: string;
  readonly timestamp: string | null;
  readonly source: string;
}

/** A verdict as JSON: block numbers as decimal strings, reasons in English. */
interface VerdictJson {
  readonly state: Verdict['state'];
  readonly reasons: readonly string[];
  readonly fromBlock: string;
  readonly toBlock: string;
  readonly head: string;
  /** The last requested block, if it is above the head. */
  readonly askedTo?: string;
  /** The blocks found for the times of the query. */
  readonly found?: { readonly from?: FoundBoundJson; readonly to?: FoundBoundJson };
  readonly order: LogOrder;
  /** The last block read, in that order. Null before any block is read completely. */
  readonly readThrough: string | null;
  readonly rows: number;
  readonly requests: number;
}

/**
 * The JSON form of a verdict; each output shows a part of it.
 *
 * @example const { state, reasons } = verdictToJson(verdict);
 */
export function verdictToJson(verdict: Verdict): VerdictJson {
  return {
    state: verdict.state,
    reasons: verdict.reasons.map(formatVerdictReason),
    fromBlock: verdict.fromBlock.toString(),
    toBlock: verdict.toBlock.toString(),
    head: verdict.head.toString(),
    ...(verdict.askedTo === undefined ? {} : { askedTo: verdict.askedTo.toString() }),
    ...(verdict.found && { found: foundBoundsToJson(verdict.found) }),
    order: verdict.order,
    readThrough: verdict.readThrough?.toString() ?? null,
    rows: verdict.rows,
    requests: verdict.requests,
  };
}

function foundBoundsToJson({ from, to }: NonNullable<Verdict['found']>): NonNullable<VerdictJson['found']> {
  return { ...(from && { from: foundBoundToJson(from) }), ...(to && { to: foundBoundToJson(to) }) };
}

function foundBoundToJson({ asked, block, time, source }: FoundBound): FoundBoundJson {
  return {
    asked: formatIsoTime(asked) ?? '',
    block: block.toString(),
    timestamp: formatIsoTime(time) ?? null,
    source,
  };
}

/** The reasons of one query. A server may cause one for every block of a chain, so their number is bounded. */
export interface ReasonList {
  add(reasons: readonly VerdictReason[]): void;
  /** Without duplicates; for each code the first blocks, and the number of further ones. */
  list(): readonly VerdictReason[];
}

const MAX_BLOCKS_PER_REASON = 100;

export function createReasonList(): ReasonList {
  const byCode = new Map<ReasonCode, { readonly named: VerdictReason[]; more: number }>();
  let cachedList: readonly VerdictReason[] | undefined;

  function addOne(reason: VerdictReason): void {
    const entry = byCode.get(reason.code) ?? { named: [], more: 0 };
    byCode.set(reason.code, entry);
    if (entry.named.some(({ block }) => block === reason.block)) return;
    if (entry.named.length < MAX_BLOCKS_PER_REASON) entry.named.push(reason);
    else entry.more++;
    cachedList = undefined;
  }

  return {
    add(reasons) {
      for (const reason of reasons) addOne(reason);
    },
    list() {
      cachedList ??= [...byCode.values()].flatMap(({ named, more }) => {
        const [first, ...others] = named;
        return first && more > 0 ? [{ ...first, more }, ...others] : named;
      });
      return cachedList;
    },
  };
}
