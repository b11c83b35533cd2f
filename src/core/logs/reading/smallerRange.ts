import { lesser } from '../../values/lesser.ts';
import type { Log } from '../query/log.ts';
import type { DialectMemory } from '../server/dialectMemory.ts';
import type { RangeRefusal } from '../server/rangeRefusal.ts';

/** How far a range is asked for again that was too much. */
interface SmallerRange {
  /** The last block to ask for once the server has refused the blocks through `end`. */
  afterRefusal(refusal: RangeRefusal, end: bigint): bigint;
  /**
   * The same once the blocks through `end` gave a page that says nothing of what is missing.
   *
   * @param share of the rows of a page, 0 to 1, below which an answer is whole.
   */
  afterFullPage(logs: readonly Log[], share: number, end: bigint): bigint;
  /** The server has refused blocks without saying what it would take. */
  readonly refused: boolean;
}

/** Ranges that a server says it would take, and refuses: after so many the range is halved besides. */
const MOST_SUGGESTIONS = 8;

/** For ranges from `fromBlock` on. What a refusal says of the server's limits goes into `memory`. */
export function createSmallerRange(memory: DialectMemory, fromBlock: bigint): SmallerRange {
  let splits = 0;
  let suggestions = 0;
  let refused = false;
  return {
    get refused() {
      return refused;
    },
    afterRefusal(refusal, end) {
      const told = learnFromRefusal(memory, refusal, fromBlock, end);
      refused ||= told === undefined && refusal.maxLogs === undefined;
      const half = middleOf(fromBlock, end);
      return told !== undefined && suggestions++ < MOST_SUGGESTIONS ? told : lesser(told ?? half, half);
    },
    afterFullPage(logs, share, end) {
      // By turns where the page's own rows point to and in the middle: the one finds a few crowded blocks in a wide
      // range at once, the other many rows below a page of the newest.
      const crowded = splits++ % 2 === 0 ? blockBelowShare(logs, share, fromBlock) : middleOf(fromBlock, end);
      return lesser(crowded, end - 1n);
    },
  };
}

export function middleOf(fromBlock: bigint, end: bigint): bigint {
  return fromBlock + (end - fromBlock) / 2n;
}

/** The last block below which `logs` hold no more than a share of themselves, but not before `fromBlock`. */
function blockBelowShare(logs: readonly Log[], share: number, fromBlock: bigint): bigint {
  const row = logs[Math.floor(logs.length * Math.min(share, 1) * 0.9)];
  return row && row.blockNumber > fromBlock ? row.blockNumber - 1n : fromBlock;
}

/** Keeps the limits that the refusal tells of; returns the last block that should do by its words. */
function learnFromRefusal(
  memory: DialectMemory,
  { suggestedEnd, maxBlocks, maxLogs }: RangeRefusal,
  fromBlock: bigint,
  end: bigint,
): bigint | undefined {
  if (maxLogs !== undefined) memory.learn({ maxLogs });
  const widest = maxBlocks === undefined ? end : fromBlock + maxBlocks - 1n;
  if (widest < end) memory.learn({ maxBlocks });
  if (suggestedEnd !== undefined && suggestedEnd < end) return suggestedEnd;
  return widest < end ? widest : undefined;
}
