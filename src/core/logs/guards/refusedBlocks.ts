import { isAppError } from '../../base/errors.ts';

/** Blocks in order, of which a server may refuse to give anything at all. */
export interface RefusedBlocks {
  /**
   * Looks at what comes next.
   *
   * @param refusal of a single block of which nothing could be had; undefined for blocks that were read.
   * @throws `refusal` itself, when so many came in a row that asking on is of no use. Then counts anew.
   */
  look(refusal: unknown): void;
}

/** A server that refuses each block would be asked for all blocks of the chain. */
const MOST_IN_A_ROW = 16;
/** Fewer where it is our own limit that an answer goes over: each is read as far as that limit. */
const MOST_TOO_LARGE = 3;

export function createRefusedBlocks(): RefusedBlocks {
  let inARow = 0;
  return {
    look(refusal) {
      inARow = refusal === undefined ? 0 : inARow + 1;
      if (inARow < (isAppError(refusal, 'tooLarge') ? MOST_TOO_LARGE : MOST_IN_A_ROW)) return;
      inARow = 0;
      throw refusal;
    },
  };
}
