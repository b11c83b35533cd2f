import { type ByteRange, compareBytes, readHex, writeHex } from '../../eth/bytes.ts';
import type { Hex } from '../../eth/hex.ts';
import { type BytePattern, hasPattern } from './bytes.ts';
import { type StoredWord, setWord } from './word.ts';

/** Repeated values of one length: each is stored once and has a number. */
interface Dictionary {
  readonly values: HashList;
  /** Bytes reserved for values and their index. */
  readonly bytes: number;
  /** The number of a value, lower-case `0x` hex of that length. Appends the value if it is new. */
  numberOf(value: Hex): number;
}

/** Independently growing parts of the index. Copying one part of a million values takes a fraction of 1 ms. */
const SHARDS = 256;
const INITIAL_SLOTS = 16;
const MAX_LOAD_FACTOR = 0.6;
/**
 * Slots searched for a value; if all are taken, the value is stored again. That never happens unless a server makes
 * up colliding values, which then cost memory and no time.
 */
const MAX_PROBES = 32;

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
    const hash = hashWords(value, seed);
    const shard = shards[hash >>> 24] ?? grow(hash >>> 24, undefined);
    const mask = shard.slots.length - 1;
    for (let step = 0; step < MAX_PROBES; step++) {
      const slot = (hash + step) & mask;
      const found = shard.slots[slot] ?? 0;
      if (found === 0) return insertAt(hash, shard, slot);
      if (values.equals(found - 1, value)) return found - 1;
    }
    return values.pushWords(value);
  }

  function insertAt(hash: number, shard: Shard, slot: number): number {
    const number = values.pushWords(value);
    shard.slots[slot] = number + 1;
    shard.used++;
    if (shard.used > shard.slots.length * MAX_LOAD_FACTOR) grow(hash >>> 24, shard);
    return number;
  }

  function grow(index: number, old: Shard | undefined): Shard {
    const slots = new Uint32Array(old ? old.slots.length * 2 : INITIAL_SLOTS);
    bytes += (slots.length - (old?.slots.length ?? 0)) * 4;
    let used = 0;
    for (const entry of old?.slots ?? []) {
      if (entry !== 0 && insert(entry, slots)) used++;
    }
    const larger = { slots, used };
    shards[index] = larger;
    return larger;
  }

  function insert(entry: number, slots: Uint32Array): boolean {
    values.copyWords(entry - 1, stored);
    const hash = hashWords(stored, seed);
    for (let step = 0; step < MAX_PROBES; step++) {
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

function hashWords(value: Uint32Array, seed: number): number {
  let hash = seed;
  for (let at = 0; at < value.length; at++) {
    hash = Math.imul(hash ^ (value[at] ?? 0), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash, 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** Values of one length in bytes, by their numbers from 0, in chunks of 64 KiB. */
export interface HashList {
  readonly length: number;
  /** Bytes reserved for them. */
  readonly bytes: number;
  /**
   * Appends lower-case `0x` hex of that length.
   *
   * @returns its number.
   */
  push(value: Hex): number;
  /**
   * Appends a value given as machine words.
   *
   * @returns its number.
   */
  pushWords(value: Uint32Array): number;
  at(number: number): Hex;
  /** Compares two values as bytes from the left. */
  compare(a: number, b: number): number;
  /** @param other as machine words. */
  equals(number: number, other: Uint32Array): boolean;
  /** Copies a value to `target` as machine words. */
  copyWords(number: number, target: Uint32Array): void;
  matches(number: number, pattern: BytePattern): boolean;
  /** Points `word` at a value, which must have 32 bytes. */
  wordAt(number: number, word: StoredWord): void;
}

interface Chunk {
  readonly bytes: Uint8Array;
  /** The same memory. */
  readonly words: Uint32Array;
}

const CHUNK_BYTES = 64 * 1024;

/** @param size of a value in bytes, a multiple of 4. */
export function createHashList(size: number): HashList {
  const perChunk = Math.floor(CHUNK_BYTES / size);
  const sizeInWords = size / 4;
  const chunks: Chunk[] = [];
  const noChunk: Chunk = { bytes: new Uint8Array(), words: new Uint32Array() };
  let length = 0;
  let last = noChunk;

  const chunkOf = (number: number) => chunks[Math.floor(number / perChunk)] ?? noChunk;
  const bytesOf = (number: number) => chunkOf(number).bytes;
  const indexInChunk = (number: number) => number % perChunk;
  const rangeOf = (number: number): ByteRange => {
    return { bytes: bytesOf(number), offset: indexInChunk(number) * size, length: size };
  };

  /** @returns the index of the next value in {@link last}. */
  function reserve(): number {
    const index = indexInChunk(length++);
    if (index === 0) {
      const bytes = new Uint8Array(perChunk * size);
      last = { bytes, words: new Uint32Array(bytes.buffer) };
      chunks.push(last);
    }
    return index;
  }

  return {
    get length() {
      return length;
    },
    get bytes() {
      return chunks.length * perChunk * size;
    },
    push(value) {
      const index = reserve();
      writeHex(value, last.bytes, index * size);
      return length - 1;
    },
    pushWords(value) {
      const index = reserve();
      last.words.set(value, index * sizeInWords);
      return length - 1;
    },
    at: (number) => readHex(bytesOf(number), indexInChunk(number) * size, size),
    compare: (a, b) => (a === b ? 0 : compareBytes(rangeOf(a), rangeOf(b))),
    equals(number, other) {
      const { words } = chunkOf(number);
      const at = indexInChunk(number) * sizeInWords;
      for (let index = 0; index < sizeInWords; index++) {
        if (words[at + index] !== other[index]) return false;
      }
      return true;
    },
    copyWords(number, target) {
      const { words } = chunkOf(number);
      const at = indexInChunk(number) * sizeInWords;
      for (let index = 0; index < sizeInWords; index++) target[index] = words[at + index] ?? 0;
    },
    matches: (number, pattern) => hasPattern(pattern, rangeOf(number)),
    wordAt: (number, word) => setWord(word, bytesOf(number), indexInChunk(number) * size),
  };
}
