import { keccak256 } from 'ox/Hash';
import { forEachInSlices, type SliceOptions } from '../../base/timeSlices.ts';
import { writeHex } from '../../eth/bytes.ts';
import type { Address, Hex } from '../../eth/hex.ts';
import type { Log } from '../log.ts';
import type { LogFilter } from '../query/filter.ts';

const BLOOM_BYTES = 256;
/** The bits of values are cached up to this number. */
const MAX_CACHED_VALUES = 20_000;

/** Tests blooms of block headers against a filter: a bloom has three bits for the address and each topic of each log. */
export interface BloomTest {
  /** False only if no log of the block can match. */
  mayMatch(logsBloom: Hex): boolean;
  /** The contracts of the filter whose logs may match; `any` in place of all, for a filter without an address. */
  findContracts(logsBloom: Hex): readonly RequestedContract[];
}

/** An address of a filter; `any` for a filter without one. */
export type RequestedContract = Address | 'any';

/**
 * Computes the bits of the values of a filter (Yellow Paper, section 4.4.3).
 *
 * @throws the signal's reason when it aborts.
 * @example (await createBloomTest(filter, { slices, signal })).mayMatch(header.logsBloom);
 */
export async function createBloomTest(
  { addresses, topics }: LogFilter,
  options: SliceOptions,
): Promise<BloomTest> {
  const contracts = new Map<RequestedContract, Bits>();
  await forEachInSlices(addresses, (address) => contracts.set(address, computeBits(address)), options);
  if (contracts.size === 0) contracts.set('any', []);
  const positions: Bits[][] = [];
  for (const values of topics.filter((position) => position !== null)) {
    const position: Bits[] = [];
    await forEachInSlices(values, (topic) => position.push(computeBits(topic)), options);
    positions.push(position);
  }

  function* list(logsBloom: Hex): Generator<RequestedContract> {
    const bloom = parseBloom(logsBloom);
    const has = (bits: Bits) => bits.every((bit) => ((bloom[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0);
    if (bloom.every((byte) => byte === 0) || !positions.every((position) => position.some(has))) return;
    for (const [contract, bits] of contracts) if (has(bits)) yield contract;
  }

  return {
    mayMatch: (logsBloom) => !list(logsBloom).next().done,
    findContracts: (logsBloom) => [...list(logsBloom)],
  };
}

/** Places of bits in a bloom. */
type Bits = readonly number[];

/** Builds blooms. It remembers the bits of values, which repeat from log to log. */
export function createBloomBuilder() {
  let cached = new Map<Hex, Bits>();

  function findBits(value: Hex): Bits {
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
function computeBits(value: Hex): Bits {
  const hash = keccak256(value, { as: 'Bytes' });
  return [0, 2, 4].map((at) => {
    const bit = (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047;
    return ((BLOOM_BYTES - 1 - (bit >> 3)) << 3) | (bit & 7);
  });
}
