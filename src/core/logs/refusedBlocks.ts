import { isAppError } from '../errors.ts';

/** Single blocks, one after the other, of which a server refused to give anything at all. */
export interface RefusedBlocks {
  /** Notes one more. @throws `error`, its refusal, when so many came in a row that asking on is of no use. */
  note(error: unknown): void;
  /** The server gave an answer. */
  clear(): void;
}

/** A server that refuses each block would be asked for all blocks of the chain. */
const MOST_IN_A_ROW = 16;
/** Of those whose answer is too large for us each costs as much to read as we are ready to read. */
const MOST_TOO_LARGE = 3;

export function createRefusedBlocks(): RefusedBlocks {
  let inARow = 0;
  return {
    note(error) {
      inARow++;
      if (inARow >= (isAppError(error, 'tooLarge') ? MOST_TOO_LARGE : MOST_IN_A_ROW)) throw error;
    },
    clear() {
      inARow = 0;
    },
  };
}
