import { type BytePattern, hasPattern } from '../../../values/bytePattern.ts';
import type { Hex } from '../../../values/hex.ts';
import { type ByteRange, compareBytes, readHex, writeHex } from '../../../values/hexBytes.ts';
import { type StoredWord, takeWord } from './storedWord.ts';

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
  holds(number: number, pattern: BytePattern): boolean;
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
    holds: (number, pattern) => hasPattern(pattern, rangeOf(number)),
    wordAt: (number, word) => takeWord(word, bytesOf(number), placeOf(number) * size),
  };
}
