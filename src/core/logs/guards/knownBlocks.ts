import type { Hex } from '../../values/hex.ts';

/** A block by its height and hash, and by that of its parent where it is known. */
export interface KnownBlock {
  readonly number: bigint;
  readonly hash: Hex;
  readonly parentHash?: Hex | undefined;
}

/** Blocks at the seams of what was read, by which it shows that two answers are of two chains. */
interface KnownBlocks {
  hashAt(height: bigint): Hex | undefined;
  /**
   * Takes in blocks of one answer, in order.
   *
   * @returns the first height at which they are not of the chain that was read before, or not of one chain.
   */
  add(blocks: readonly KnownBlock[]): bigint | undefined;
  /** Forgets what a server's own blocks contradict. @returns the lowest height of that. */
  compare(blocks: readonly KnownBlock[]): bigint | undefined;
}

/** Seams that are remembered: those of some hundred answers. */
const MOST_KNOWN = 512;

export function createKnownBlocks(): KnownBlocks {
  const hashes = new Map<bigint, Hex>();

  function remember(height: bigint, hash: Hex): void {
    hashes.delete(height);
    hashes.set(height, hash);
    const [oldest] = hashes.keys();
    if (hashes.size > MOST_KNOWN && oldest !== undefined) hashes.delete(oldest);
  }

  function isOther(height: bigint, hash: Hex | undefined): boolean {
    const known = hashes.get(height);
    return known !== undefined && hash !== undefined && known !== hash;
  }

  function forgetFrom(height: bigint): void {
    for (const known of hashes.keys()) if (known >= height) hashes.delete(known);
  }

  return {
    hashAt: (height) => hashes.get(height),
    add(blocks) {
      let found: bigint | undefined;
      let before: KnownBlock | undefined;
      for (const block of blocks) {
        const { number, hash, parentHash } = block;
        const isNext = before !== undefined && before.number + 1n === number;
        const breaks = isNext && parentHash !== undefined && parentHash !== before?.hash;
        if (isOther(number - 1n, parentHash)) found ??= number - 1n;
        if (breaks || isOther(number, hash)) found ??= number;
        before = block;
      }
      if (found !== undefined) forgetFrom(found);
      const [first] = blocks;
      if (first?.parentHash && first.number > 0n) remember(first.number - 1n, first.parentHash);
      if (before) remember(before.number, before.hash);
      return found;
    },
    compare(blocks) {
      const others = blocks.filter(({ number, hash }) => isOther(number, hash));
      const heights = others.map(({ number }) => number);
      const lowest = heights.reduce<bigint | undefined>(
        (a, b) => (a === undefined || b < a ? b : a),
        undefined,
      );
      if (lowest !== undefined) forgetFrom(lowest);
      return lowest;
    },
  };
}
