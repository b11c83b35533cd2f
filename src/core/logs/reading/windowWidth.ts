import { lesser } from '../../values/lesser.ts';

/** How many blocks the next request asks for, learnt from the answers. */
export interface WindowWidth {
  current(): bigint;
  learn(window: WindowOutcome): void;
}

/** What the first windows are made by. */
interface WidthStart {
  /** Of the first window, in blocks; default: all blocks of the range, as a short answer then is the whole one. */
  readonly first?: bigint | undefined;
  /** Rows that a window aims at; default 700. */
  readonly rows?: number | undefined;
}

interface WindowOutcome {
  /** Blocks that were asked for. */
  readonly asked: bigint;
  /** Blocks of which the answer has every row: fewer than asked where more was not given out. */
  readonly blocks: bigint;
  /** Entries in the fullest answer of the window: what a server's limit counts. */
  readonly entries: number;
  /** The server refused more blocks than these without saying what it would take. */
  readonly refused: boolean;
  /** The most logs that an answer of the server can have and be taken as whole. */
  readonly mostWhole: number;
}

/** Rows that a window aims at, and what share of a whole answer at most: most answers are whole at once then. */
const TARGET_ROWS = 700;
const TARGET_SHARE = 0.7;
/** The same of a server that streams: some megabytes, as may wait for windows before it. */
export const STREAMED_ROWS = 5000;
const MOST_GROWTH = 8;
/** After a refusal so many windows pass at the width that was taken, then each may be wider by twice as much more. */
const WINDOWS_BEFORE_GROWTH = 3;

/** For a range of so many `blocks`. */
export function createWindowWidth(blocks: bigint, { first = blocks, rows }: WidthStart = {}): WindowWidth {
  let width = blocks > 0n ? lesser(blocks, first) : 1n;
  let ceiling: bigint | undefined;
  let taken = 0;

  function raiseCeiling(): void {
    taken++;
    if (ceiling === undefined || taken <= WINDOWS_BEFORE_GROWTH) return;
    const step = BigInt(2 ** Math.min(taken - WINDOWS_BEFORE_GROWTH - 1, 30));
    ceiling += ceiling > 8n ? (ceiling * step) / 8n : step;
    if (ceiling > blocks) ceiling = undefined;
  }

  return {
    current: () => width,
    learn(window) {
      if (window.refused) {
        ceiling = window.blocks;
        taken = 0;
      } else if (ceiling !== undefined && window.asked >= ceiling) {
        raiseCeiling();
      }
      const ideal = widthByDensity(window, rows);
      width = ceiling === undefined ? ideal : lesser(ideal, ceiling);
    },
  };
}

/** Blocks that hold about as many rows as one answer should, if they are as dense as those of `window`. */
function widthByDensity({ asked, blocks, entries, mostWhole }: WindowOutcome, rows = TARGET_ROWS): bigint {
  const target = Math.max(1, Math.min(rows, mostWhole * TARGET_SHARE));
  if (blocks === asked && entries < target / MOST_GROWTH) return asked * BigInt(MOST_GROWTH);
  const ideal = Number(blocks) * (target / Math.max(entries, 1));
  return BigInt(Math.min(Math.max(1, Math.round(ideal)), Number(blocks) * MOST_GROWTH));
}
