import type { LogSource } from '../asking/logSource.ts';
import { middleOf, type Span } from '../query/direction.ts';
import type { Log } from '../query/log.ts';
import { mayBeCutOff } from '../server/pageLimits.ts';
import type { RangeRefusal } from '../server/rangeRefusal.ts';

/** How far a range is asked for again that was too much. Blocks are in the order of reading. */
interface SmallerRange {
  /** The last block to ask for once the server has refused the blocks through `end`. */
  afterRefusal(refusal: RangeRefusal, end: bigint): bigint;
  /**
   * The same once the blocks through `end` gave a page that says nothing of what is missing.
   *
   * @param wholeBelow rows below which an answer is whole.
   */
  afterFullPage(logs: readonly Log[], wholeBelow: number, end: bigint): bigint;
  /** The same where the page has the rows of the blocks that are read last, and lacks those that are read first. */
  afterPageOfLast(logs: readonly Log[], end: bigint): bigint;
  /** The server has refused blocks without saying what it would take. */
  readonly refused: boolean;
}

/** Of the rows that make an answer whole: those that a range is cut to. */
const SAFE_SHARE = 0.9;
/** The same where the rows are of other blocks than those that are asked for next. */
const GUESSED_PERCENT = 70n;
/** A range that is as long as a page's rows say should do; where it does not so often, the page was cut after all. */
const MOST_BELIEVED = 2;
/** Ranges that a server says it would take, and refuses: after so many the range is halved besides. */
const MOST_SUGGESTIONS = 8;

/** For ranges from the block `first` on. What a refusal says of the server's limits goes into the memory. */
export function createSmallerRange(
  { memory, direction }: Pick<LogSource, 'memory' | 'direction'>,
  first: bigint,
): SmallerRange {
  const { nearer, onward } = direction;
  let splits = 0;
  let suggestions = 0;
  let believed = 0;
  let refused = false;

  /**
   * A page that was cut shows some of the rows, it is not known which: in turn as if they were the first, as if they were
   * the last and few were before them, and in the middle, which needs no rows to be anywhere.
   */
  function ofCutPage(logs: readonly Log[], most: number, end: bigint): bigint {
    const middle = middleOf(direction, { first, last: end });
    const turn = splits++ % 3;
    if (turn === 0) return blockBefore(logs, most);
    const beforeAll = blockBefore(logs, 0);
    return turn === 1 && direction.distance(middle, beforeAll) > 0n ? beforeAll : middle;
  }

  /** The last block through which `logs` have no more than `most` rows, but not before `first`. */
  function blockBefore(logs: readonly Log[], most: number): bigint {
    const row = logs[Math.min(Math.floor(most), logs.length - 1)];
    return row && direction.distance(first, row.blockNumber) > 0n ? onward(row.blockNumber, -1n) : first;
  }

  return {
    get refused() {
      return refused;
    },
    afterRefusal(refusal, end) {
      const told = learnFromRefusal({ memory, direction }, refusal, { first, last: end });
      refused ||= told === undefined && refusal.maxLogs === undefined;
      const half = middleOf(direction, { first, last: end });
      return told !== undefined && suggestions++ < MOST_SUGGESTIONS ? told : nearer(told ?? half, half);
    },
    afterFullPage(logs, wholeBelow, end) {
      const most = Math.min(wholeBelow, logs.length) * SAFE_SHARE;
      const showsMost = logs.length >= wholeBelow && !mayBeCutOff(logs.length);
      const inOrder = direction.inOrder(logs);
      const smaller =
        showsMost && believed++ < MOST_BELIEVED ? blockBefore(inOrder, most) : ofCutPage(inOrder, most, end);
      return nearer(smaller, onward(end, -1n));
    },
    afterPageOfLast(logs, end) {
      const edge = logs[logs.length - 1]?.blockNumber ?? first;
      const shown = direction.distance(edge, end) + 1n;
      const asDense = onward(first, (shown * GUESSED_PERCENT) / 100n - 1n);
      const smaller = [edge, asDense, middleOf(direction, { first, last: end })].reduce(nearer);
      return direction.distance(first, smaller) > 0n ? smaller : first;
    },
  };
}

/** Keeps the limits that the refusal tells of; returns the last block that should do by its words. */
function learnFromRefusal(
  { memory, direction }: Pick<LogSource, 'memory' | 'direction'>,
  { suggestedEnd, maxBlocks, maxLogs }: RangeRefusal,
  span: Span,
): bigint | undefined {
  const { fromBlock, toBlock } = direction.blocks(span);
  const asked = toBlock - fromBlock + 1n;
  if (maxLogs !== undefined) memory.learn({ maxLogs });
  const isTooWide = maxBlocks !== undefined && maxBlocks < asked;
  if (isTooWide) memory.learn({ maxBlocks });
  // Downwards, where the server counts from the other end, as many blocks are worth a try.
  const suggested = suggestedEnd === undefined ? asked : suggestedEnd - fromBlock + 1n;
  const taken = suggested < asked ? suggested : isTooWide ? maxBlocks : undefined;
  return taken === undefined ? undefined : direction.onward(span.first, taken - 1n);
}
