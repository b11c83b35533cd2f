import { greater, lesser } from '../../values/lesser.ts';
import type { Log } from '../query/log.ts';

type Pages = AsyncIterable<readonly Log[]>;
type BlockOfLog = Pick<Log, 'blockNumber' | 'blockHash'>;

/** The hash that a block of the chain has now; undefined where nobody tells. */
export type BlockHashNow = (block: bigint) => Promise<string | undefined>;

/** Which blocks are the same as before, and which were replaced by others. Of some neither is known. */
export interface SameBlocks {
  isSame(block: bigint): boolean;
  isReplaced(block: bigint): boolean;
}

/** More questions than halve any range of blocks that has rows. */
const MOST_QUESTIONS = 40;

/**
 * Holds the blocks of rows of now against those of before. A block stands for all below it: those below one that is the same
 * are the same, those above one that is another are others. What rows leave open is asked, a few blocks at the most.
 *
 * @param open blocks of rows of before that are to be known, oldest first.
 */
export async function holdBlocks(
  here: Pages,
  there: Pages,
  {
    open,
    blockHash,
  }: { readonly open: readonly BlockOfLog[]; readonly blockHash?: BlockHashNow | undefined },
): Promise<SameBlocks> {
  let same: bigint | undefined;
  let other: bigint | undefined;
  function note({ blockNumber, blockHash: hash }: BlockOfLog, was: string): void {
    if (was === hash) same = greater(same ?? blockNumber, blockNumber);
    else other = lesser(other ?? blockNumber, blockNumber);
  }
  const known: SameBlocks = {
    isSame: (block) => isChain(same, other) && same !== undefined && block <= same,
    isReplaced: (block) => isChain(same, other) && other !== undefined && block >= other,
  };

  const before = new Map<bigint, string>();
  for await (const logs of there) for (const log of logs) before.set(log.blockNumber, log.blockHash);
  for await (const logs of here) {
    for (const log of logs) {
      const was = before.get(log.blockNumber);
      if (was !== undefined) note(log, was);
    }
  }
  for (let asked = 0; blockHash && asked < MOST_QUESTIONS; asked++) {
    const unknown = open.filter(
      ({ blockNumber }) => !known.isSame(blockNumber) && !known.isReplaced(blockNumber),
    );
    const middle = unknown[unknown.length >>> 1];
    const hash = middle && (await blockHash(middle.blockNumber));
    if (!middle || hash === undefined) break;
    note(middle, hash);
    if (!isChain(same, other)) break;
  }
  return known;
}

/** Of a chain that tells both of one block nothing follows. */
function isChain(same: bigint | undefined, other: bigint | undefined): boolean {
  return same === undefined || other === undefined || same < other;
}
