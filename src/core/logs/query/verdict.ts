import { type Judgement, judge } from '../../base/judgement.ts';
import { decimal, joinTexts } from '../../base/ownText.ts';
import { createMessage, foreign, formatMessage, type Message } from '../../base/text.ts';
import { formatIsoTime } from '../../eth/time.ts';
import type { BlockAtTime } from '../../rpc/blockTimes.ts';
import type { LogOrder } from '../log.ts';
import { type LogProof, type LogProofJson, logProofToJson } from '../proof/logProof.ts';

/** Why a result may be incomplete, or stops short: the keys of `reasonTemplates`. */
export type ReasonCode = keyof typeof reasonTemplates;

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
  readonly requestedTime: number;
}

/** The blocks found for the times of a range. */
export interface FoundBounds {
  readonly from?: FoundBound;
  readonly to?: FoundBound;
}

/** What a result covers, and what it cost. */
interface VerdictFacts {
  /** First block of the range, resolved. */
  readonly fromBlock: bigint;
  /** Last block of the range, resolved and bounded by `head`. */
  readonly toBlock: bigint;
  /** The last requested block, if it is above `head`: later blocks are not mined yet. */
  readonly requestedTo?: bigint;
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
  /** What the hashes of the chain say, if a proof was requested. */
  readonly proof?: LogProof;
}

/**
 * How complete a result is. `complete`: every matching log of the range is loaded, and the chain has reached the end of
 * the range. `more`: there is a next page. `unreached`: every matching log so far is loaded, but the chain has not reached
 * the end of the range. `uncertain`: logs may be missing.
 */
export type Verdict = VerdictFacts & Judgement<IncompleteState, VerdictReason>;

type IncompleteState = 'more' | 'unreached' | 'uncertain';

/** Everything that a verdict rests on. */
export interface VerdictBasis extends VerdictFacts {
  /** Every block of the range that the chain has is read, and every row of them emitted. */
  readonly isRead: boolean;
  /** Why logs may be missing: what the server did, and what the query relies on without proof. */
  readonly reasons: readonly VerdictReason[];
}

/**
 * The verdict on a result. No other function makes a `complete` one.
 *
 * @example createVerdict({ ...range, order, rows, requests, readThrough, isRead: true, reasons: [] }).state;
 */
export function createVerdict({ isRead, reasons: given, ...facts }: VerdictBasis): Verdict {
  const derived = [...listUnreached(facts), ...listUnorderedTimes(facts)];
  const isDerived = (reason: VerdictReason) => derived.some((other) => isSameReason(other, reason));
  const reasons = [...derived, ...given.filter((reason) => !isDerived(reason))];
  const state = isRead ? 'complete' : 'more';
  const otherwise = reasons.every(isUnreached) ? 'unreached' : 'uncertain';
  return { ...facts, ...judge<IncompleteState, VerdictReason>({ state, otherwise, reasons }) };
}

/**
 * The verdict with a proof beside it. A proof leaves the state as it is, unless it contradicts the result.
 *
 * @example withProof(verdict, proof).state;
 */
export function withProof(verdict: Verdict, proof: LogProof): Verdict {
  if (proof.level !== 'contradicted') return { ...verdict, proof };
  const { contradictedAt, alteredAt } = proof;
  const isAltered = contradictedAt === undefined && alteredAt !== undefined;
  const code = isAltered ? 'alteredBlock' : 'contradicted';
  const reason = { code, block: contradictedAt ?? alteredAt ?? verdict.fromBlock } as const;
  return { ...verdict, state: 'uncertain', reasons: [...verdict.reasons, reason], proof };
}

function isSameReason(one: VerdictReason, other: VerdictReason): boolean {
  return one.code === other.code && one.block === other.block;
}

/** Whether a reason says that blocks of the range are not mined yet, and nothing else. */
export function isUnreached({ code }: VerdictReason): boolean {
  return code === 'beyondHead' || code === 'endNotReached';
}

function listUnreached({ fromBlock, head, requestedTo, found }: VerdictFacts): readonly VerdictReason[] {
  if (fromBlock > head) return [{ code: 'beyondHead', block: head }];
  const isReached = requestedTo === undefined && found?.to?.outside !== 'afterHead';
  return isReached ? [] : [{ code: 'endNotReached', block: head }];
}

function listUnorderedTimes({ found }: VerdictFacts): readonly VerdictReason[] {
  const blocks = new Set([found?.from?.unorderedAt, found?.to?.unorderedAt]);
  return [...blocks].flatMap((block) =>
    block === undefined ? [] : [{ code: 'unorderedTimes' as const, block }],
  );
}

/** Blocks that one message lists; it counts the others. */
const MAX_LISTED_BLOCKS = 12;

/**
 * The messages of reasons: what happened and what to do, one for each code.
 *
 * @example formatMessage(describeReasons([{ code: 'startsLater', block: 7n }])[0])
 * // 'The server has no blocks before 7, so earlier logs are missing. Use another endpoint for those.'
 */
export function describeReasons(
  reasons: readonly VerdictReason[],
  formatBlock?: (block: bigint) => string,
): readonly Message[] {
  const codes = [...new Set(reasons.map(({ code }) => code))];
  return codes.map((code) => {
    const same = reasons.filter((reason) => reason.code === code);
    const blocks = same.flatMap(({ block }) => block ?? []);
    const listed = blocks.slice(0, MAX_LISTED_BLOCKS);
    const more = same.reduce((sum, reason) => sum + (reason.more ?? 0), blocks.length - listed.length);
    const text = formatBlock
      ? foreign(listed.map(formatBlock).join(', '))
      : joinTexts(listed.map(decimal), ', ');
    return createMessage(
      reasonTemplates[code],
      more > 0 ? createMessage('{0} and {1} more', text, more) : text,
    );
  });
}

/** `{0}` is the block or blocks that a reason applies to. */
const reasonTemplates = {
  alteredBlock:
    'The endpoint returned data for block {0} that do not match its hashes, although the data for other blocks match theirs. Logs of block {0} may be missing. Use another endpoint.',
  beyondHead: 'The range starts after the latest block, {0}, so there are no logs yet. Try again later.',
  /** Some in the responses to requests from block `{0}` on. */
  blocklessRows:
    'The server returned logs that it marks as removed, or that have no block, in responses for blocks from {0} on. They are left out, and others may be missing. Run the query again.',
  blockNotWhole:
    'Block {0} has more matching logs than the server returns, so some are missing. Use a narrower filter, or query a node instead of an explorer.',
  contradicted:
    'The receipts of block {0} have other logs than the result, by the hashes of the chain. Use another endpoint.',
  endNotReached:
    'The range ends after the latest block, {0}, so later logs are not included. Run the query again when the chain has reached its end.',
  endlessBlock:
    'The server returned more logs for block {0} than a block can hold, so the query stopped there. Use another endpoint.',
  firstBlockUnconfirmed:
    'The server cannot confirm that the contract was created in block {0}, so earlier logs may be missing. Enter 0 as the first block to be certain, or use an endpoint with old state.',
  forkRows:
    'The server returned logs of two different blocks with number {0}. One of them is no longer in the chain. Compare the block hashes.',
  headWentBack:
    'The latest block of the server fell below the blocks already read. It lost blocks, or another server took over. Run the query again when the server has caught up.',
  /** The check of headers and of the logs of one block, from block `{0}` on. */
  historyUnchecked:
    'The server did not show whether it has the logs of blocks from {0} on: it refused the requests that check it. Logs may be missing. Run the query again, or use another endpoint.',
  nodeSyncing:
    'The node is still fetching the chain and has no blocks yet, so logs are missing. Run the query again later, or use another endpoint.',
  noTransferEvents:
    'The contract emitted no transfer event of ERC-721 or ERC-1155 and does not report either standard. If it reports transfers by other events, they are missing.',
  /** To a request for blocks from `{0}` on. */
  noList:
    'The server returned null instead of a list of logs for blocks from {0} on, so logs may be missing. Use another endpoint to be certain.',
  omittedLogs:
    'The server returns matching logs if asked for block {0} alone, but left them out of a longer range. Other logs may be missing too. Run the query again, or use another endpoint.',
  /** By a second opinion on blocks from `{0}` on. */
  otherLogsElsewhere:
    'Another endpoint returned different logs for blocks from {0} on. Chainside cannot tell which logs are correct.',
  /** To a request for blocks from `{0}` on. */
  otherRows:
    'The server returned logs that do not match the query, in responses for blocks from {0} on. They are left out, and others may be missing. Use another endpoint to be certain.',
  partialLogs:
    'The server returns only some of the logs of block {0}, although its header says that there are more. Logs of some contracts are missing. Use an archive node.',
  prunedLogs:
    'The server returns no logs for block {0}, although its header says that it has some. Logs of old blocks are missing. Use an archive node.',
  ownerUnknown:
    'The transfer in block {0} is not from the address that had the token before, as far as the events show. Earlier transfers may be missing.',
  /** It did so again and again. Rows read so far stay. */
  questionIgnored:
    'The server keeps returning logs that do not match the query, so reading stopped before block {0}. Use another endpoint.',
  repeatedRows:
    'The server returned the same log twice in block {0}. The copy is left out, but it may be another log. Use another endpoint to be certain.',
  reorg:
    'The chain was reorganized at block {0} during the query, so later logs may have changed. Run the query again.',
  serverChanged:
    'The server, or its version, changed during the query, so logs may be missing. Run the query again.',
  serversDiffer:
    'The replicas behind this endpoint disagree about blocks from {0} on: some are behind. Logs of these blocks may be missing. Run the query again in a moment.',
  startsLater:
    'The server has no blocks before {0}, so earlier logs are missing. Use another endpoint for those.',
  unorderedTimes:
    'The block times of the server go backwards at block {0}, so the blocks found for the times may be wrong. Use block numbers.',
  shortPages:
    'Logs may be missing in block {0}. This server version (Blockscout 6.8 to 9.4) can omit logs of an address without an error. Use a node or another explorer to be certain.',
  unindexedTokenIds:
    'The contract emits transfers without an indexed token ID, the first in block {0}. Whether their numbers are token IDs or amounts is unknown, so the list is not certain.',
  unreadableTransfers: 'Transfer events of block {0} could not be decoded, so transfers may be missing.',
} as const;

export const reasonCodes = Object.keys(reasonTemplates) as readonly ReasonCode[];

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
  readonly proof?: LogProofJson;
}

/**
 * The JSON form of a verdict; each output shows a part of it.
 *
 * @example const { state, reasons } = verdictToJson(verdict);
 */
export function verdictToJson(verdict: Verdict): VerdictJson {
  return {
    state: verdict.state,
    // One text for each reason, so that all blocks are named.
    reasons: verdict.reasons.flatMap((reason) => describeReasons([reason])).map(formatMessage),
    fromBlock: verdict.fromBlock.toString(),
    toBlock: verdict.toBlock.toString(),
    head: verdict.head.toString(),
    ...(verdict.requestedTo === undefined ? {} : { askedTo: verdict.requestedTo.toString() }),
    ...(verdict.found && { found: foundBoundsToJson(verdict.found) }),
    order: verdict.order,
    readThrough: verdict.readThrough?.toString() ?? null,
    rows: verdict.rows,
    requests: verdict.requests,
    ...(verdict.proof && { proof: logProofToJson(verdict.proof) }),
  };
}

/**
 * The blocks found for the times of a range, as JSON.
 *
 * @example const { from, to } = foundBoundsToJson(found);
 */
export function foundBoundsToJson({
  from,
  to,
}: NonNullable<Verdict['found']>): NonNullable<VerdictJson['found']> {
  return { ...(from && { from: foundBoundToJson(from) }), ...(to && { to: foundBoundToJson(to) }) };
}

function foundBoundToJson({ requestedTime, block, time, source }: FoundBound): FoundBoundJson {
  return {
    asked: formatIsoTime(requestedTime) ?? '',
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
