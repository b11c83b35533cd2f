import type { Abortable } from '../../base/concurrency.ts';
import { asAppError, isAppError } from '../../base/errors.ts';
import { bigintMax, bigintMin } from '../../base/values.ts';
import { MAX_HOLD_MS } from '../../http/retry.ts';
import { SURELY_COMPLETE_ROWS } from '../engine/dialect.ts';
import { isCompleteResponse } from '../engine/dialectMemory.ts';
import { fetchLogsOnce } from '../engine/fetchLogs.ts';
import { type RetryPolicy, resolveServerFilters } from '../engine/getLogs.ts';
import { mergeLogs } from '../engine/parseLogs.ts';
import { connectQuery, type LogQueryOptions } from '../engine/queryConnection.ts';
import { parseRangeLimitError } from '../engine/rangeWidth.ts';
import type { RowKey } from '../engine/rowChecks.ts';
import type { ServerFilter } from '../engine/serverFilters.ts';
import type { Log } from '../log.ts';
import { createReasonList, type Verdict, type VerdictReason } from '../query/verdict.ts';
import { type ConfirmationPolicy, createConfirmation, createQuorum } from './confirmation.ts';
import { createFollowedRows, type FetchedRows, type RowChange } from './followedRows.ts';

/** Reorgs deeper than this are not looked for. */
const UNSETTLED_BLOCKS = 128n;
const TRACKED_BLOCKS = 2n * UNSETTLED_BLOCKS;
/** So many rows of blocks that were read before are read again with each look, where the last blocks hold more. */
const ROWS_AGAIN = 200;
/** Blocks that are read in one answer, or in whatever the engine makes of them. */
const MAX_BLOCKS_PER_READ = 1000n;
/** Where a server takes fewer blocks at once than may change, all of these are read again after so many new ones. */
const SWEEP_AFTER = 64n;
/** A look that fails is made again with the next block, by whoever looks after blocks. */
const CHECK_RETRY: RetryPolicy = { retries: 0, maxWaitMs: 10_000, persistent: false };
const READ_RETRY: RetryPolicy = { retries: 4, maxWaitMs: MAX_HOLD_MS, persistent: true };

/** What holds only until the last blocks are read once more. */
const PASSING: readonly VerdictReason['code'][] = ['headWentBack', 'reorg', 'serversDiffer'];
/** Reading on would end there again. */
const FINAL: readonly VerdictReason['code'][] = ['endlessBlock', 'questionIgnored'];

/** Follows the chain from where a query has ended. Nothing is asked before {@link LogFollower.advance} is called. */
export function openLogFollower(
  options: Omit<LogQueryOptions, 'order'>,
  { verdict: base, loadedRows: rowsHeld, confirmation }: FollowOptions,
): LogFollower {
  const { filter, memory } = options;
  const connection = connectQuery(options, CHECK_RETRY);
  const { fromBlock } = base;
  const fixedEnd = typeof filter.toBlock === 'bigint' ? filter.toBlock : undefined;
  let knownTo = base.order === 'oldestFirst' ? (base.readThrough ?? fromBlock - 1n) : base.toBlock;
  knownTo = bigintMax(knownTo, fromBlock - 1n);
  let newest = bigintMax(base.head, knownTo);
  let rows = base.rows;
  /** The newest block of machines that all know less than is known. */
  let lowerHead = 0n;
  let askedAt: bigint | undefined;
  /** Something of the blocks through the newest is still to be told. */
  let isBehind = true;
  let wholeAt = knownTo;
  /** More blocks than these were refused at once. */
  let widest: bigint | undefined;
  /** Rows from here on are held: of more blocks than are looked at, as a chain may also become shorter. */
  let heldFrom = bigintMax(fromBlock, knownTo - TRACKED_BLOCKS + 1n);
  const held = createFollowedRows(rowsHeld(heldFrom));
  held.settle(heldFrom - 1n);
  const doubts = createReasonList();
  doubts.add(base.reasons.filter(({ code }) => !PASSING.includes(code) && code !== 'beyondHead'));
  let passing = base.reasons.filter(({ code }) => PASSING.includes(code));
  let isEnded = false;
  let looksAlike = createQuorum();
  const belief = createConfirmation(options.http.clock, confirmation);
  const source = connection.createContext({ fromBlock, toBlock: knownTo, head: knownTo });

  function unsettledFrom(block: bigint): bigint {
    return bigintMax(heldFrom, block - UNSETTLED_BLOCKS + 1n);
  }

  function verdict(): Verdict {
    const reasons = [...doubts.list(), ...passing];
    const isAhead = knownTo < fromBlock;
    return {
      state: reasons.length > 0 ? 'uncertain' : 'complete',
      reasons: isAhead ? [{ code: 'beyondHead', block: newest }, ...reasons] : reasons,
      ...{ fromBlock, toBlock: isAhead ? bigintMin(newest, knownTo) : knownTo },
      ...(fixedEnd !== undefined && fixedEnd > knownTo ? { askedTo: fixedEnd } : {}),
      ...(base.found && { found: base.found }),
      ...{ head: newest, order: base.order, rows, requests: base.requests + connection.requests },
      readThrough: isAhead ? undefined : base.order === 'oldestFirst' ? knownTo : fromBlock,
    };
  }

  /** First block of a look: as deep as a reorg may reach, where the rows from there on fit into one answer. */
  function lookFrom(toBlock: bigint): bigint {
    const most = mostBlocks();
    const dense = denseFrom(toBlock);
    return most === undefined ? dense : bigintMax(dense, toBlock - most + 1n);
  }

  /** Rows show by their blocks that nothing has changed below them. */
  function denseFrom(toBlock: bigint): bigint {
    const lowest = unsettledFrom(bigintMin(knownTo, toBlock));
    return bigintMax(lowest, held.findBlockOfNewest(ROWS_AGAIN) ?? lowest);
  }

  function mostBlocks(): bigint | undefined {
    const { maxBlocks = widest } = memory.current();
    return widest !== undefined && maxBlocks !== undefined ? bigintMin(widest, maxBlocks) : maxBlocks;
  }

  async function* advance(head: bigint, { signal }: Abortable): AsyncGenerator<FollowedLogs> {
    const toBlock = fixedEnd === undefined ? head : bigintMin(head, fixedEnd);
    newest = bigintMax(newest, head);
    if (isEnded) return;
    connection.begin(CHECK_RETRY);
    if (toBlock < knownTo) {
      lowerHead = bigintMax(lowerHead, toBlock);
      if (belief.report('lower') && (await isShorter({ signal }))) {
        yield* readOn(unsettledFrom(lowerHead), lowerHead, { signal, isLower: true });
      }
      return;
    }
    dropLower();
    if (toBlock < fromBlock || (toBlock === askedAt && !isBehind)) return;
    const looked = await look(toBlock, { signal });
    askedAt = toBlock;
    if (looked === 'nothing') {
      isBehind = true;
      return;
    }
    if (looked === undefined) {
      yield* readOn(readFrom(toBlock), toBlock, { signal, isLower: false });
      return;
    }
    const { given, isTold, isDeeper } = looked;
    const change = held.compare(given);
    const lowest = unsettledFrom(bigintMin(knownTo, toBlock));
    if (!isBelieved(change, given.fromBlock, isTold)) {
      isBehind = true;
      return;
    }
    const isUnsure = isDeeper || (touchesKnown(change) && !change.isAnchored);
    if (isUnsure && given.fromBlock > heldFrom) {
      yield* readOn(heldFrom, toBlock, { signal, isLower: false });
      return;
    }
    if (isUnsure) await checkSettled({ signal });
    if (given.fromBlock <= lowest) {
      wholeAt = toBlock;
      if (given.coveredTo >= toBlock) passing = [];
    }
    yield* accept(change);
    isBehind = knownTo < toBlock || passing.length > 0;
    if (toBlock - wholeAt > SWEEP_AFTER && isNarrow(toBlock)) {
      yield* readOn(unsettledFrom(knownTo), toBlock, { signal, isLower: false });
    }
  }

  /** Asks once more before rows are taken back for it. */
  async function isShorter({ signal }: Abortable): Promise<boolean> {
    const head = await connection.fetchHead({ signal });
    lowerHead = bigintMax(lowerHead, head);
    if (head < knownTo) return true;
    dropLower();
    return false;
  }

  function dropLower(): void {
    belief.reset('lower');
    lowerHead = 0n;
  }

  const isNarrow = (toBlock: bigint) => {
    const most = mostBlocks();
    return most !== undefined && toBlock - most + 1n > unsettledFrom(toBlock);
  };

  /** Where reading begins that no single look can do. */
  function readFrom(toBlock: bigint): bigint {
    return passing.length > 0 ? unsettledFrom(bigintMin(knownTo, toBlock)) : denseFrom(toBlock);
  }

  /** Whether rows that were taken for certain are others now, or more. */
  function touchesKnown({ changedFrom: from, logs }: RowChange): boolean {
    return from !== undefined || logs.some(({ blockNumber }) => blockNumber <= knownTo);
  }

  /** A machine that knows less than is known may be of an older state of the chain: it takes back nothing by itself. */
  function isBelieved(change: RowChange, from: bigint, isTold: boolean): boolean {
    if (change.changedFrom === undefined || (isTold && change.coveredTo >= knownTo)) {
      belief.reset('taken');
      return true;
    }
    // Rows that were never certain may go with any look that knows their blocks.
    if (change.changedFrom > knownTo && change.coveredTo >= from && isTold) return true;
    return belief.report('taken');
  }

  /** One answer for each part; undefined where that is not whole, `nothing` where the machine does not know the blocks. */
  async function look(toBlock: bigint, { signal }: Abortable) {
    const from = lookFrom(toBlock);
    if (passing.length > 0 && from > unsettledFrom(knownTo)) return undefined;
    if (from > knownTo + 1n || toBlock - knownTo > MAX_BLOCKS_PER_READ) return undefined;
    try {
      const parts = await resolveServerFilters(source, { signal });
      const looks = await Promise.all(
        parts.map((part) => lookAt(part, { fromBlock: from, toBlock, signal })),
      );
      return together(looks, from, toBlock);
    } catch (error) {
      const refusal = asAppError(error);
      if (!parseRangeLimitError(refusal, from) && !isAppError(refusal, 'tooLarge')) throw error;
      widest = bigintMax(1n, (toBlock - from + 1n) / 2n);
      return undefined;
    }
  }

  async function lookAt(
    part: ServerFilter,
    range: Abortable & { readonly fromBlock: bigint; readonly toBlock: bigint },
  ) {
    const found = await fetchLogsOnce(source, part, range);
    if (!found) return undefined;
    if (found.count >= SURELY_COMPLETE_ROWS) await source.identify({ signal: range.signal });
    return { ...found, isWhole: isCompleteResponse(memory, part, found.count) && !found.hasUnrequestedRows };
  }

  type Looked = Awaited<ReturnType<typeof lookAt>>;

  function together(looks: readonly Looked[], from: bigint, toBlock: bigint) {
    const all = looks.filter((one) => one !== undefined);
    for (const { head } of all) if (head !== undefined) newest = bigintMax(newest, head);
    newest = bigintMax(newest, toBlock);
    if (all.length < looks.length) return 'nothing' as const;
    if (!all.every(({ isWhole }) => isWhole)) return undefined;
    for (const { uncertainAt } of all) doubts.add(uncertainAt.map((block) => ({ code: 'forkRows', block })));
    const logs = mergeLogs(all.map(({ matching }) => matching));
    const isTold = all.every(({ head }) => head !== undefined) || source.fetchWithCoverage !== undefined;
    const alike = isTold ? undefined : looksAlike.add({ fromBlock: from, toBlock, logs });
    const told = all.map((one) => one.coveredTo).reduce(bigintMin);
    const known = bigintMax(told, alike ?? told);
    const isDeeper = all.some(({ reorgAt }) => reorgAt !== undefined && reorgAt < from);
    const given: FetchedRows = { fromBlock: from, coveredTo: bigintMin(known, toBlock), logs };
    if (isTold && known < from) return 'nothing' as const;
    return { given, isTold, isDeeper };
  }

  /** Reads blocks as a query does, whatever it takes, and gives out what comes as soon as it can be compared. */
  async function* readOn(
    first: bigint,
    toBlock: bigint,
    { signal, isLower }: Abortable & { readonly isLower: boolean },
  ): AsyncGenerator<FollowedLogs> {
    connection.begin(READ_RETRY);
    const stream = connection.openStream({ fromBlock: first, toBlock, head: toBlock });
    let from = first;
    let waiting: Log[] = [];
    const end = bigintMin(knownTo, toBlock);
    let isTooShallow = false;

    async function* give(): AsyncGenerator<FollowedLogs> {
      const through = stream.readThrough();
      if (through === undefined || (through < end && !stream.isFinished())) return;
      // A cursor may stand in the middle of a block.
      const isRead = ({ blockNumber }: Log) => stream.isFinished() || blockNumber <= through;
      const given = { fromBlock: from, coveredTo: through, logs: waiting.filter(isRead) };
      const compared = held.compare(given);
      // A machine that knows more has answered: what seemed shorter is not.
      if (isLower && connection.getLastHead() > toBlock) return dropLower();
      const change = isLower ? withoutAbove(compared, through) : compared;
      if (from === first && !isLower && !isBelieved(change, from, true)) return;
      if (from === first && touchesKnown(change) && !change.isAnchored) {
        isTooShallow = first > heldFrom;
        if (isTooShallow) return;
        await checkSettled({ signal });
      }
      from = through + 1n;
      waiting = waiting.filter((log) => !isRead(log));
      yield* accept(change, isLower);
    }

    for await (const logs of stream.rest({ retry: READ_RETRY, onWindow: () => undefined, signal })) {
      waiting.push(...logs);
      yield* give();
      if (isTooShallow) break;
    }
    if (!isTooShallow) yield* give();
    if (isTooShallow) {
      yield* readOn(heldFrom, toBlock, { signal, isLower });
      return;
    }
    const found = stream.reasons();
    const isFinal = found.some(({ code }) => FINAL.includes(code));
    doubts.add(found.filter(({ code }) => !PASSING.includes(code)));
    const isWhole = stream.isFinished() && (stream.readThrough() ?? first - 1n) >= toBlock;
    if (first <= unsettledFrom(bigintMin(knownTo, toBlock))) {
      passing = found.filter(({ code }) => PASSING.includes(code));
      if (isWhole) wholeAt = toBlock;
    } else passing = [...passing, ...found.filter(({ code }) => PASSING.includes(code))];
    newest = isLower && knownTo <= toBlock ? toBlock : bigintMax(newest, connection.getLastHead());
    isEnded ||= isFinal;
    isBehind = !isEnded && (!isWhole || passing.length > 0 || knownTo < toBlock);
    looksAlike = createQuorum();
    yield { removedFrom: undefined, logs: [], verdict: verdict() };
  }

  /** The chain is shorter than it was: what is above its end is gone. */
  function withoutAbove(change: RowChange, through: bigint): RowChange {
    const above = held.countFrom(through + 1n) > 0;
    return change.changedFrom === undefined && above ? { ...change, changedFrom: through + 1n } : change;
  }

  /** Looks at the newest row of what counts as settled, where all that is above it may have changed. */
  async function checkSettled({ signal }: Abortable): Promise<void> {
    const row = held.settled;
    if (!row) return;
    const { blockNumber: block } = row;
    const stream = connection.openStream({ fromBlock: block, toBlock: block, head: knownTo });
    const found: Log[] = [];
    for await (const logs of stream.rest({ retry: READ_RETRY, onWindow: () => undefined, signal })) {
      found.push(...logs);
    }
    const stays = found.some(
      ({ blockHash, logIndex }) => blockHash === row.blockHash && logIndex === row.logIndex,
    );
    if (!stays) doubts.add([{ code: 'reorg', block }]);
  }

  function* accept(change: RowChange, isLower = false): Generator<FollowedLogs> {
    const { changedFrom: from, logs } = change;
    const isLess = isLower || (from !== undefined && from <= knownTo);
    rows += logs.length - held.apply(change);
    knownTo = isLess ? change.coveredTo : bigintMax(knownTo, change.coveredTo);
    heldFrom = bigintMax(heldFrom, knownTo - TRACKED_BLOCKS + 1n);
    held.settle(heldFrom - 1n);
    if (from !== undefined) looksAlike = createQuorum();
    yield { removedFrom: from, logs, verdict: verdict() };
  }

  return {
    get verdict() {
      return verdict();
    },
    get ended() {
      return isEnded || (fixedEnd !== undefined && knownTo >= fixedEnd);
    },
    get behind() {
      return isBehind;
    },
    async *advance(head, asked = {}) {
      yield* advance(head, asked);
    },
  };
}

/** What a step along the chain changes of an answer. */
export interface FollowedLogs {
  /** Rows of this block and those above it are of a chain that is no more; undefined where all stay. */
  readonly removedFrom: bigint | undefined;
  /** Rows that come behind those that stay, in the order of the chain, whichever that of the answer. */
  readonly logs: readonly Log[];
  readonly verdict: Verdict;
}

/** Keeps an answer true as the chain grows. One call at a time. */
export interface LogFollower {
  /** What the answer is worth now: of the blocks through its last one it has every row. */
  readonly verdict: Verdict;
  /** Nothing more comes: the range has a fixed end that is settled, or the server can not be read on. */
  readonly ended: boolean;
  /** The newest block that was told is not read yet: to be called again soon, also where there is no newer one. */
  readonly behind: boolean;
  /**
   * Brings the answer up to `head`, which is the newest block that some machine has told. Where nothing is amiss that is
   * one request for logs, or one for each part of the filter that the server takes; none where the head is as it was. What
   * does not fit into that, as after a long sleep, is read as a query is.
   *
   * Each change is to be made before the next is asked for. A call that throws, or is left, keeps what it has given.
   *
   * @throws AppError of any network kind.
   */
  advance(head: bigint, options?: Abortable): AsyncGenerator<FollowedLogs>;
}

export interface FollowOptions {
  /** Where the query ended, its range read to its end. */
  readonly verdict: Verdict;
  /** The rows of blocks from this one on, in the order of the chain; before them the newest one below, if there is one. */
  readonly loadedRows: (fromBlock: bigint) => readonly RowKey[];
  /**
   * When a chain that seems to have become shorter is believed to be: behind one address there may be machines that are
   * behind.
   */
  readonly confirmation: ConfirmationPolicy;
}
