import { lesser } from '../../values/lesser.ts';
import type { Log } from '../query/log.ts';
import type { DialectMemory } from '../server/dialectMemory.ts';
import { mayBeCutOff } from '../server/pageLimits.ts';
import type { RangeRefusal } from '../server/rangeRefusal.ts';

/** How far a range is asked for again that was too much. */
interface SmallerRange {
  /** The last block to ask for once the server has refused the blocks through `end`. */
  afterRefusal(refusal: RangeRefusal, end: bigint): bigint;
  /**
   * The same once the blocks through `end` gave a page that says nothing of what is missing.
   *
   * @param wholeBelow rows below which an answer is whole.
   */
  afterFullPage(logs: readonly Log[], wholeBelow: number, end: bigint): bigint;
  /** The server has refused blocks without saying what it would take. */
  readonly refused: boolean;
}

/** Of the rows that make an answer whole: those that a range is cut to. */
const SAFE_SHARE = 0.9;
/** A range that is as long as a page's rows say should do; where it does not so often, the page was cut after all. */
const MOST_BELIEVED = 2;
/** Ranges that a server says it would take, and refuses: after so many the range is halved besides. */
const MOST_SUGGESTIONS = 8;

/** For ranges from `fromBlock` on. What a refusal says of the server's limits goes into `memory`. */
export function createSmallerRange(memory: DialectMemory, fromBlock: bigint): SmallerRange {
  let splits = 0;
  let suggestions = 0;
  let believed = 0;
  let refused = false;

  /**
   * A page that was cut shows some of the rows, it is not known which: in turn as if they were the first, as if they were
   * the last and few were before them, and in the middle, which needs no rows to be anywhere.
   */
  function ofCutPage(logs: readonly Log[], most: number, end: bigint): bigint {
    const middle = middleOf(fromBlock, end);
    const turn = splits++ % 3;
    if (turn === 0) return blockBelow(logs, most, fromBlock);
    const beforeAll = blockBelow(logs, 0, fromBlock);
    return turn === 1 && beforeAll > middle ? beforeAll : middle;
  }

  return {
    get refused() {
      return refused;
    },
    afterRefusal(refusal, end) {
      const told = learnFromRefusal(memory, refusal, { fromBlock, end });
      refused ||= told === undefined && refusal.maxLogs === undefined;
      const half = middleOf(fromBlock, end);
      return told !== undefined && suggestions++ < MOST_SUGGESTIONS ? told : lesser(told ?? half, half);
    },
    afterFullPage(logs, wholeBelow, end) {
      const most = Math.min(wholeBelow, logs.length) * SAFE_SHARE;
      const showsMost = logs.length >= wholeBelow && !mayBeCutOff(logs.length);
      const smaller =
        showsMost && believed++ < MOST_BELIEVED
          ? blockBelow(logs, most, fromBlock)
          : ofCutPage(logs, most, end);
      return lesser(smaller, end - 1n);
    },
  };
}

export function middleOf(fromBlock: bigint, end: bigint): bigint {
  return fromBlock + (end - fromBlock) / 2n;
}

/** The last block through which `logs` have no more than `most` rows, but not before `fromBlock`. */
function blockBelow(logs: readonly Log[], most: number, fromBlock: bigint): bigint {
  const row = logs[Math.min(Math.floor(most), logs.length - 1)];
  return row && row.blockNumber > fromBlock ? row.blockNumber - 1n : fromBlock;
}

/** Keeps the limits that the refusal tells of; returns the last block that should do by its words. */
function learnFromRefusal(
  memory: DialectMemory,
  { suggestedEnd, maxBlocks, maxLogs }: RangeRefusal,
  { fromBlock, end }: { readonly fromBlock: bigint; readonly end: bigint },
): bigint | undefined {
  if (maxLogs !== undefined) memory.learn({ maxLogs });
  const widest = maxBlocks === undefined ? end : fromBlock + maxBlocks - 1n;
  if (widest < end) memory.learn({ maxBlocks });
  if (suggestedEnd !== undefined && suggestedEnd < end) return suggestedEnd;
  return widest < end ? widest : undefined;
}
