import { type ByteRange, compareBytes, readHex, writeHex } from '../../eth/bytes.ts';
import type { Hex } from '../../eth/hex.ts';
import { type BytePattern, hasPattern } from './bytes.ts';
import { type StoredWord, setWord } from './word.ts';

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
const INITIAL_SLOTS = 16;
const MAX_LOAD_FACTOR = 0.6;
/**
 * Places that are looked at for a value: behind them it is kept once more. So many are never needed, unless a server
 * makes up values that fall on one another, which then cost memory and no time.
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
    const hash = hashOf(value, seed);
    const shard = shards[hash >>> 24] ?? grow(hash >>> 24, undefined);
    const mask = shard.slots.length - 1;
    for (let step = 0; step < MAX_PROBES; step++) {
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
    if (shard.used > shard.slots.length * MAX_LOAD_FACTOR) grow(hash >>> 24, shard);
    return number;
  }

  function grow(index: number, old: Shard | undefined): Shard {
    const slots = new Uint32Array(old ? old.slots.length * 2 : INITIAL_SLOTS);
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

/** Values of one length in bytes, by their numbers from 0 on, in pieces of 64 KiB. */
export interface HashList {
  readonly length: number;
  /** Bytes that are reserved for them. */
  readonly bytes: number;
  /** Appends lower-case `0x` hex of that length. @returns its number. */
  push(value: Hex): number;
  /** Appends a value as words of the machine. @returns its number. */
  pushWords(value: Uint32Array): number;
  at(number: number): Hex;
  /** Compares two values as bytes from the left. */
  compare(a: number, b: number): number;
  /** Whether a value is `other`, given as words of the machine. */
  equals(number: number, other: Uint32Array): boolean;
  /** Writes a value to `target` as words of the machine. */
  copyWords(number: number, target: Uint32Array): void;
  matches(number: number, pattern: BytePattern): boolean;
  /** Takes `word` for a value, which must be of 32 bytes. */
  wordAt(number: number, word: StoredWord): void;
}

interface Piece {
  readonly bytes: Uint8Array;
  /** The same memory. */
  readonly words: Uint32Array;
}

const PIECE_BYTES = 64 * 1024;

/** @param size of a value in bytes, a multiple of 4. */
export function createHashList(size: number): HashList {
  const perPiece = Math.floor(PIECE_BYTES / size);
  const sizeInWords = size / 4;
  const pieces: Piece[] = [];
  const none: Piece = { bytes: new Uint8Array(), words: new Uint32Array() };
  let length = 0;
  let last = none;

  const pieceOf = (number: number) => pieces[Math.floor(number / perPiece)] ?? none;
  const bytesOf = (number: number) => pieceOf(number).bytes;
  const placeOf = (number: number) => number % perPiece;
  const rangeOf = (number: number): ByteRange => {
    return { bytes: bytesOf(number), offset: placeOf(number) * size, length: size };
  };

  /** @returns the place of the next value in {@link last}. */
  function reserve(): number {
    const place = placeOf(length++);
    if (place === 0) {
      const bytes = new Uint8Array(perPiece * size);
      last = { bytes, words: new Uint32Array(bytes.buffer) };
      pieces.push(last);
    }
    return place;
  }

  return {
    get length() {
      return length;
    },
    get bytes() {
      return pieces.length * perPiece * size;
    },
    push(value) {
      const place = reserve();
      writeHex(value, last.bytes, place * size);
      return length - 1;
    },
    pushWords(value) {
      const place = reserve();
      last.words.set(value, place * sizeInWords);
      return length - 1;
    },
    at: (number) => readHex(bytesOf(number), placeOf(number) * size, size),
    compare: (a, b) => (a === b ? 0 : compareBytes(rangeOf(a), rangeOf(b))),
    equals(number, other) {
      const { words } = pieceOf(number);
      const at = placeOf(number) * sizeInWords;
      for (let index = 0; index < sizeInWords; index++) {
        if (words[at + index] !== other[index]) return false;
      }
      return true;
    },
    copyWords(number, target) {
      const { words } = pieceOf(number);
      const at = placeOf(number) * sizeInWords;
      for (let index = 0; index < sizeInWords; index++) target[index] = words[at + index] ?? 0;
    },
    matches: (number, pattern) => hasPattern(pattern, rangeOf(number)),
    wordAt: (number, word) => setWord(word, bytesOf(number), placeOf(number) * size),
  };
}
