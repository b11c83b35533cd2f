import { formatIsoTime } from '../../eth/time.ts';
import type { BlockAtTime } from '../../rpc/blockTimes.ts';
import type { LogOrder } from '../log.ts';

/**
 * Why an answer is not certain to be whole, or stops short.
 *
 * - `beyondHead`: the range begins above the server's newest block, `block`, so that there is nothing yet.
 * - `cancelled`: stopped by the caller; everything through `block` is loaded.
 * - `blockNotWhole`: `block` holds more matching logs than the server gives out.
 * - `shortPages`: rows may be missing in `block`: Blockscout v6.8 to v9.4 can hide rows of an address query behind a
 *   short page.
 * - `reorg`: the chain was reorganised at `block` while the query ran.
 * - `headWentBack`: the server's newest block fell below the range that was read.
 * - `forkRows`: the server gave rows of two different blocks at one height, `block`.
 * - `startsLater`: the server has no blocks below `block`, so that logs of those before it are missing.
 * - `serversDiffer`: the server's answers about the blocks from `block` on are not alike, as of several machines behind
 *   one address of which some are behind; what is above it may be missing.
 * - `serverChanged`: another server, or another version of it, answered in the middle of the query.
 * - `otherRows`: asked for blocks from `block` on, the server gave rows of other blocks, addresses or topics too.
 * - `questionIgnored`: it did so again and again; the query ends where `block` was next, what was given is kept.
 * - `endlessBlock`: the server gave more rows of `block` than a block can hold; the query ends there, with them.
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
  /** The block that it is about, where it is about one. */
  readonly block?: bigint;
  /** How many further blocks it is about that are not named. */
  readonly more?: number;
}

/** A block that a moment was found to stand for. */
export interface FoundBound extends BlockAtTime {
  /** The moment, in milliseconds since the Unix epoch. */
  readonly asked: number;
}

/** The blocks of a range that was asked for by time. */
export interface FoundBounds {
  readonly from?: FoundBound;
  readonly to?: FoundBound;
}

/** What an answer is worth. */
export interface Verdict {
  /**
   * `complete`: every matching log of the range is loaded; of a range that the chain has not reached yet, which says so by
   * the reason `beyondHead`, there is none. `more`: a next page can be asked for.
   */
  readonly state: 'complete' | 'more' | 'uncertain';
  readonly reasons: readonly VerdictReason[];
  /** First block of the range, resolved. */
  readonly fromBlock: bigint;
  /** Last block of the range, resolved and bounded by `head`. */
  readonly toBlock: bigint;
  /** The last block that was asked for, where it is above `head`: what comes up to it is still to be mined. */
  readonly askedTo?: bigint;
  /** Where the range was asked for by time: what was found for it, and what told. */
  readonly found?: FoundBounds;
  /** The server's newest block when the query began. */
  readonly head: bigint;
  readonly order: LogOrder;
  /**
   * The last block that was read, in the order of reading; undefined before any. Oldest first every row of `fromBlock` to
   * this one is loaded, newest first every row of this one to `toBlock`.
   */
  readonly readThrough: bigint | undefined;
  /** Rows given so far. */
  readonly rows: number;
  /** Requests sent so far: failed ones, retries and questions about the server included. */
  readonly requests: number;
}

/**
 * Whether the chain has come to the end of the range: otherwise what is asked for is partly still to be mined.
 *
 * @example isRangeReached(verdict) && verdict.state === 'complete';
 */
export function isRangeReached({ fromBlock, askedTo, head }: Verdict): boolean {
  return askedTo === undefined && fromBlock <= head;
}

/**
 * The reasons of a verdict in English, with what its range lacks.
 *
 * @example for (const words of formatVerdictReasons(verdict)) say(words);
 */
export function formatVerdictReasons({ reasons, askedTo, head }: Verdict): readonly string[] {
  const told = reasons.map(formatVerdictReason);
  if (askedTo === undefined) return told;
  return [...told, `the newest block is ${head}, before the last one asked for, ${askedTo}`];
}

/**
 * A reason in English, for the headless runner and for logs.
 *
 * @example formatVerdictReason({ code: 'cancelled', block: 7n }) // 'cancelled at block 7'
 */
export function formatVerdictReason({ code, block, more }: VerdictReason): string {
  const text = textOf(code, block);
  return more === undefined ? text : `${text}; and so for ${more} blocks that are not named`;
}

function textOf(code: ReasonCode, block: bigint | undefined): string {
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

/** A block that was looked for by time; times in ISO 8601, null where it is not known when the block was made. */
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
  /** The last block that was asked for, where it is above the head. */
  readonly askedTo?: string;
  /** The blocks that the times of the query stood for. */
  readonly found?: { readonly from?: FoundBoundJson; readonly to?: FoundBoundJson };
  readonly order: LogOrder;
  /** The last block that was read, in that order. Null before any block is read whole. */
  readonly readThrough: string | null;
  readonly rows: number;
  readonly requests: number;
}

/**
 * The JSON form of a verdict, of which each place shows a part.
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
    ...(verdict.found && { found: foundToJson(verdict.found) }),
    order: verdict.order,
    readThrough: verdict.readThrough?.toString() ?? null,
    rows: verdict.rows,
    requests: verdict.requests,
  };
}

function foundToJson({ from, to }: NonNullable<Verdict['found']>): NonNullable<VerdictJson['found']> {
  return { ...(from && { from: boundToJson(from) }), ...(to && { to: boundToJson(to) }) };
}

function boundToJson({ asked, block, time, source }: FoundBound): FoundBoundJson {
  return {
    asked: formatIsoTime(asked) ?? '',
    block: block.toString(),
    timestamp: formatIsoTime(time) ?? null,
    source,
  };
}

/** Reasons of one query, of which a server may give one for every block of a chain. */
export interface ReasonList {
  add(reasons: readonly VerdictReason[]): void;
  /** None twice; of each code the first blocks by name, and how many more there are. */
  list(): readonly VerdictReason[];
}

/** Blocks named for one reason. */
const MAX_BLOCKS_PER_REASON = 100;

export function createReasonList(): ReasonList {
  const byCode = new Map<ReasonCode, { readonly named: VerdictReason[]; more: number }>();
  let made: readonly VerdictReason[] | undefined;

  function addOne(reason: VerdictReason): void {
    const known = byCode.get(reason.code) ?? { named: [], more: 0 };
    byCode.set(reason.code, known);
    if (known.named.some(({ block }) => block === reason.block)) return;
    if (known.named.length < MAX_BLOCKS_PER_REASON) known.named.push(reason);
    else known.more++;
    made = undefined;
  }

  return {
    add(reasons) {
      for (const reason of reasons) addOne(reason);
    },
    list() {
      made ??= [...byCode.values()].flatMap(({ named, more }) => {
        const [first, ...others] = named;
        return first && more > 0 ? [{ ...first, more }, ...others] : named;
      });
      return made;
    },
  };
}
