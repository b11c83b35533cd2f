/** Blocks, both ends included. */
export interface BlockWindow {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

/** Which blocks of a long range are looked at. */
export interface SampleSize {
  readonly windows: number;
  /** Of each window. */
  readonly blocks: bigint;
  /** The same seed takes the same windows of a range. */
  readonly seed: number;
}

/** Windows of one sample, at most. */
const MOST_WINDOWS = 1000;

/**
 * Windows of a range, one in each of as many equal parts of it, at a place that the seed decides; the whole range where
 * that is no longer than all windows together.
 *
 * @example sampleWindows({ fromBlock: 0n, toBlock: 9n }, { windows: 5, blocks: 2n, seed: 1 }).length // 1
 */
export function sampleWindows(
  range: BlockWindow,
  { windows, blocks, seed }: SampleSize,
): readonly BlockWindow[] {
  const { fromBlock, toBlock } = range;
  const count = BigInt(Math.min(Math.max(1, Math.floor(windows)), MOST_WINDOWS));
  const width = blocks > 0n ? blocks : 1n;
  const length = toBlock - fromBlock + 1n;
  if (length <= count * width) return [range];
  const random = createRandom(seed);
  return Array.from({ length: Number(count) }, (_, nth) => {
    const first = fromBlock + (length * BigInt(nth)) / count;
    const end = fromBlock + (length * BigInt(nth + 1)) / count;
    const room = end - first - width;
    const start = first + (room > 0n ? (random() * (room + 1n)) >> 32n : 0n);
    return { fromBlock: start, toBlock: start + width - 1n };
  });
}

/** Numbers of 32 bits that the seed decides (xorshift). */
function createRandom(seed: number): () => bigint {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return BigInt(state >>> 0);
  };
}
