import type { Hex } from '../../../values/hex.ts';
import { writeHex } from '../../../values/hexBytes.ts';
import { createHashList, type HashList } from './hashList.ts';

/** Values of one length that repeat: each is kept once and has a number. */
interface Dictionary {
  readonly values: HashList;
  /** Bytes that are reserved for values and the index over them. */
  readonly bytes: number;
  /** The number of lower-case `0x` hex of that length, appended if it is new. */
  numberOf(value: Hex): number;
}

/** Parts of the index, each of which grows by itself: a part of a million values is copied in a fraction of 1 ms. */
const SHARDS = 256;
const FIRST_SLOTS = 16;
const MOST_FULL = 0.6;
/**
 * Places that are looked at for a value: behind them it is kept once more. So many are never needed, unless a server
 * makes up values that fall on one another, which then cost memory and no time.
 */
const MOST_STEPS = 32;

/** Numbers of values plus 1, by the hash of the value; 0 is empty. */
interface Shard {
  readonly slots: Uint32Array;
  used: number;
}

/** @param size of a value in bytes, a multiple of 4. */
export function createDictionary(size: number): Dictionary {
  const values = createHashList(size);
  const shards: (Shard | undefined)[] = new Array(SHARDS).fill(undefined);
  const seed = Math.floor(Math.random() * 2 ** 32);
  const valueBytes = new Uint8Array(size);
  const value = new Uint32Array(valueBytes.buffer);
  const stored = new Uint32Array(size / 4);
  let bytes = 0;

  function numberOf(hex: Hex): number {
    writeHex(hex, valueBytes, 0);
    const hash = hashOf(value, seed);
    const shard = shards[hash >>> 24] ?? grow(hash >>> 24, undefined);
    const mask = shard.slots.length - 1;
    for (let step = 0; step < MOST_STEPS; step++) {
      const slot = (hash + step) & mask;
      const found = shard.slots[slot] ?? 0;
      if (found === 0) return keepAt(hash, shard, slot);
      if (values.equals(found - 1, value)) return found - 1;
    }
    return values.pushWords(value);
  }

  function keepAt(hash: number, shard: Shard, slot: number): number {
    const number = values.pushWords(value);
    shard.slots[slot] = number + 1;
    shard.used++;
    if (shard.used > shard.slots.length * MOST_FULL) grow(hash >>> 24, shard);
    return number;
  }

  function grow(index: number, old: Shard | undefined): Shard {
    const slots = new Uint32Array(old ? old.slots.length * 2 : FIRST_SLOTS);
    bytes += (slots.length - (old?.slots.length ?? 0)) * 4;
    let used = 0;
    for (const entry of old?.slots ?? []) {
      if (entry !== 0 && place(entry, slots)) used++;
    }
    const larger = { slots, used };
    shards[index] = larger;
    return larger;
  }

  function place(entry: number, slots: Uint32Array): boolean {
    values.copyWords(entry - 1, stored);
    const hash = hashOf(stored, seed);
    for (let step = 0; step < MOST_STEPS; step++) {
      const slot = (hash + step) & (slots.length - 1);
      if (slots[slot] !== 0) continue;
      slots[slot] = entry;
      return true;
    }
    return false;
  }

  return {
    values,
    get bytes() {
      return values.bytes + bytes;
    },
    numberOf,
  };
}

/** Made for speed, from all words. */
function hashOf(value: Uint32Array, seed: number): number {
  let hash = seed;
  for (let at = 0; at < value.length; at++) {
    hash = Math.imul(hash ^ (value[at] ?? 0), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash, 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
