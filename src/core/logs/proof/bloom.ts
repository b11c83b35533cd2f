import { keccak256 } from 'ox/Hash';
import { writeHex } from '../../eth/bytes.ts';
import type { Hex } from '../../eth/hex.ts';
import type { Log } from '../log.ts';
import type { LogFilter } from '../query/filter.ts';

const BLOOM_BYTES = 256;
/** The bits of values are cached up to this number. */
const MAX_CACHED_VALUES = 20_000;

/**
 * Tests blooms of block headers against a filter.
 *
 * @returns a test that is false only if no log of the block can match: its bloom has three bits for the address and for
 *   each topic of each log (Yellow Paper, section 4.4.3).
 * @example createBloomTest(filter)(header.logsBloom);
 */
export function createBloomTest({ addresses, topics }: LogFilter): (logsBloom: Hex | Uint8Array) => boolean {
  const lists = [addresses, ...topics].filter((values) => values !== null && values.length > 0);
  const groups = lists.map((values) => (values ?? []).map(computeBits));
  return (logsBloom) => {
    const bloom = typeof logsBloom === 'string' ? parseBloom(logsBloom) : logsBloom;
    const hasBits = (bits: readonly number[]) =>
      bits.every((bit) => ((bloom[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0);
    return bloom.some((byte) => byte !== 0) && groups.every((values) => values.some(hasBits));
  };
}

/** Builds blooms. It remembers the bits of values, which repeat from log to log. */
export function createBloomBuilder() {
  let cached = new Map<Hex, readonly number[]>();

  function findBits(value: Hex): readonly number[] {
    const known = cached.get(value);
    if (known) return known;
    if (cached.size >= MAX_CACHED_VALUES) cached = new Map();
    const bits = computeBits(value);
    cached.set(value, bits);
    return bits;
  }

  return (logs: readonly Pick<Log, 'address' | 'topics'>[]): Uint8Array => {
    const bloom = new Uint8Array(BLOOM_BYTES);
    for (const { address, topics } of logs)
      for (const value of [address, ...topics])
        for (const bit of findBits(value)) bloom[bit >> 3] = (bloom[bit >> 3] ?? 0) | (1 << (bit & 7));
    return bloom;
  };
}

/**
 * Whether `outer` has every bit of `inner`, as the bloom of a block has those of each of its logs.
 *
 * @example isBloomWithin(createBloomBuilder()([]), createBloomBuilder()([])) // true
 */
export function isBloomWithin(inner: Uint8Array, outer: Uint8Array): boolean {
  return inner.every((byte, place) => (byte & ~(outer[place] ?? 0)) === 0);
}

export function parseBloom(logsBloom: Hex): Uint8Array {
  const bloom = new Uint8Array(BLOOM_BYTES);
  writeHex(logsBloom, bloom, 0);
  return bloom;
}

/** Positions of the three bits of a value, counted in bytes from the left and in each from its lowest bit. */
function computeBits(value: Hex): readonly number[] {
  const hash = keccak256(value, { as: 'Bytes' });
  return [0, 2, 4].map((at) => {
    const bit = (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047;
    return ((BLOOM_BYTES - 1 - (bit >> 3)) << 3) | (bit & 7);
  });
}
