import { type ByteRange, compareBytes, readHex, writeHex } from '../../eth/bytes.ts';
import type { Hex } from '../../eth/hex.ts';
import { comparePacked, createUint32List, getPackedLength, packData, unpackData } from './bytes.ts';
import { createWord, equalWords, type StoredWord, setWord, WORD_BYTES } from './word.ts';

/** The parts of rows that do not repeat: the numbers of address and topics, and the data. */
export interface RowBodies {
  readonly length: number;
  /** Bytes reserved for them. */
  readonly bytes: number;
  push(body: { readonly address: number; readonly topics: readonly number[]; readonly data: Hex }): void;
  addressAt(row: number): number;
  /** 0 to 4. */
  topicCountAt(row: number): number;
  /** The number of the topic in `slot`, below {@link topicCountAt}. */
  topicAt(row: number, slot: number): number;
  dataAt(row: number): Hex;
  /** The data as bytes, valid until the next read or write of data. */
  dataBytesAt(row: number): ByteRange;
  compareData(a: number, b: number): number;
  /**
   * Points `word` at the word at `offset` of the data, a multiple of 32.
   *
   * @returns false if the data end before it.
   */
  dataWordAt(row: number, offset: number, word: StoredWord): boolean;
  /** Whether a whole word of the data equals one of these. */
  hasWord(row: number, words: readonly StoredWord[]): boolean;
}

interface Chunk {
  readonly bytes: Uint8Array;
  /** The same memory. */
  readonly words: Uint32Array;
}

const CHUNK_BYTES = 256 * 1024;
const CHUNK_WORDS = CHUNK_BYTES / 4;
/** Larger buffers are not reused, as few rows need them. */
const MAX_SCRATCH_BYTES = 64 * 1024;

/**
 * Each row lies in one chunk: a word with the number of its address times 8 plus the count of topics, a word for
 * each topic, a word with the length of its data times 2, plus 1 if they are packed, and the data. A row's position
 * is the number of words before it, up to 16 GiB in all.
 */
export function createRowBodies(): RowBodies {
  const chunks: Chunk[] = [];
  const positions = createUint32List();
  const noChunk: Chunk = { bytes: new Uint8Array(), words: new Uint32Array() };
  let freeWord = CHUNK_WORDS;
  let reserved = 0;
  let scratch = new Uint8Array(1024);
  const found = createWord();

  const chunkAt = (position: number) => chunks[Math.floor(position / CHUNK_WORDS)] ?? noChunk;
  const wordAt = (position: number) => chunkAt(position).words[position % CHUNK_WORDS] ?? 0;
  const topicCount = (position: number) => wordAt(position) % 8;

  function getScratch(length: number): Uint8Array {
    if (length <= scratch.length) return scratch;
    const larger = new Uint8Array(length);
    if (length <= MAX_SCRATCH_BYTES) scratch = larger;
    return larger;
  }

  function reserve(words: number): number {
    if (freeWord + words > CHUNK_WORDS) {
      // A row larger than a chunk gets its own chunk.
      const bytes = new Uint8Array(Math.max(CHUNK_BYTES, words * 4));
      chunks.push({ bytes, words: new Uint32Array(bytes.buffer) });
      reserved += bytes.length;
      freeWord = 0;
    }
    const position = (chunks.length - 1) * CHUNK_WORDS + freeWord;
    freeWord += words;
    return position;
  }

  /** Where the data are, with their unpacked length, and whether they are packed. */
  function locateData(row: number): ByteRange & { readonly packed: boolean } {
    const position = positions.at(row);
    const { bytes, words } = chunkAt(position);
    const at = (position % CHUNK_WORDS) + 1 + topicCount(position);
    const length = words[at] ?? 0;
    return { bytes, offset: (at + 1) * 4, length: Math.floor(length / 2), packed: length % 2 === 1 };
  }

  function dataBytesAt(row: number): ByteRange {
    const stored = locateData(row);
    if (!stored.packed) return stored;
    const bytes = getScratch(stored.length);
    unpackData(stored, bytes);
    return { bytes, offset: 0, length: stored.length };
  }

  function hasWord(row: number, words: readonly StoredWord[]): boolean {
    const position = positions.at(row);
    const { bytes, words: numbers } = chunkAt(position);
    const at = (position % CHUNK_WORDS) + 1 + topicCount(position);
    const head = numbers[at] ?? 0;
    const isPacked = head % 2 === 1;
    let offset = (at + 1) * 4;
    for (let left = Math.floor(head / 2); left >= WORD_BYTES; left -= WORD_BYTES) {
      if (isPacked) {
        found.bytes = bytes;
        found.offset = offset + 1;
        found.length = bytes[offset] ?? 0;
        offset += 1 + found.length;
      } else {
        setWord(found, bytes, offset);
        offset += WORD_BYTES;
      }
      for (const word of words) if (equalWords(found, word)) return true;
    }
    return false;
  }

  function dataWordAt(row: number, from: number, word: StoredWord): boolean {
    const position = positions.at(row);
    const { bytes, words } = chunkAt(position);
    const at = (position % CHUNK_WORDS) + 1 + topicCount(position);
    const head = words[at] ?? 0;
    if (Math.floor(head / 2) < from + WORD_BYTES) return false;
    let offset = (at + 1) * 4;
    if (head % 2 === 0) {
      setWord(word, bytes, offset + from);
      return true;
    }
    for (let skip = from; skip > 0; skip -= WORD_BYTES) offset += 1 + (bytes[offset] ?? 0);
    word.bytes = bytes;
    word.offset = offset + 1;
    word.length = bytes[offset] ?? 0;
    return true;
  }

  return {
    get length() {
      return positions.length;
    },
    get bytes() {
      return reserved;
    },
    push({ address, topics, data }) {
      const length = (data.length - 2) / 2;
      const full = getScratch(length);
      writeHex(data, full, 0);
      const packed = getPackedLength(full, length);
      const position = reserve(2 + topics.length + Math.ceil((packed ?? length) / 4));
      positions.push(position);
      const { bytes, words } = chunkAt(position);
      let at = position % CHUNK_WORDS;
      words[at++] = address * 8 + topics.length;
      for (const topic of topics) words[at++] = topic;
      words[at++] = length * 2 + (packed === undefined ? 0 : 1);
      if (packed !== undefined) packData(full, length, { bytes, offset: at * 4, length: packed });
      else writeHex(data, bytes, at * 4);
    },
    addressAt: (row) => Math.floor(wordAt(positions.at(row)) / 8),
    topicCountAt: (row) => topicCount(positions.at(row)),
    topicAt: (row, slot) => wordAt(positions.at(row) + 1 + slot),
    dataAt(row) {
      const { bytes, offset, length } = dataBytesAt(row);
      return readHex(bytes, offset, length);
    },
    dataBytesAt,
    dataWordAt,
    hasWord,
    compareData(a, b) {
      const first = locateData(a);
      const second = locateData(b);
      if (first.packed && second.packed) return comparePacked(first, second);
      return compareBytes(unpackIfNeeded(first), unpackIfNeeded(second));
    },
  };

  /** At most one of two is packed here, so one scratch buffer is enough. */
  function unpackIfNeeded(stored: ByteRange & { readonly packed: boolean }): ByteRange {
    if (!stored.packed) return stored;
    const bytes = getScratch(stored.length);
    unpackData(stored, bytes);
    return { bytes, offset: 0, length: stored.length };
  }
}
