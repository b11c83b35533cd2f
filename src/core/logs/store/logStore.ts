import { type BytePattern, hasPattern } from '../../values/bytePattern.ts';
import { createFloat64List, createUint32List } from '../../values/growingArray.ts';
import type { Hex } from '../../values/hex.ts';
import { compareBytes, readHex, writeHex } from '../../values/hexBytes.ts';
import type { Log } from '../query/log.ts';

/** What rows are compared by. `block` is the order of the chain: block number, then log index. */
export type LogSortKey = 'block' | 'index' | 'transaction' | 'address' | 'topics' | 'data';

/**
 * Logs in the order in which they were appended, which must be that of the chain, in few bytes each. Block numbers
 * are exact up to 2^53 - 1; the reader of `eth_getLogs` answers refuses higher ones.
 */
export interface LogStore {
  readonly length: number;
  /** Bytes that the hex of all logs takes, reserved in pieces of 1 MiB. */
  readonly bytes: number;
  append(logs: readonly Log[]): void;
  /** The log at `index`, made anew at each call. @throws RangeError outside 0 to `length` - 1. */
  get(index: number): Log;
  /** The logs from `start`, at most `count`, fewer at the end. */
  slice(start: number, count: number): readonly Log[];
  blockNumberAt(index: number): number;
  logIndexAt(index: number): number;
  /** Compares two rows without making them: hex as bytes from the left, then a shorter value before a longer one. */
  compare(column: LogSortKey, a: number, b: number): number;
  /** Whether transaction hash, address, a topic or the data of a row hold the pattern. */
  holds(index: number, pattern: BytePattern): boolean;
}

const CHUNK_BYTES = 1 << 20;
const ADDRESS_BYTES = 20;
const WORD_BYTES = 32;

/**
 * A store for millions of logs. Hex is kept as bytes in chunks of 1 MiB; block and transaction are kept once for the
 * rows in sequence that share them. A transfer with three topics and one word of data takes about 185 bytes.
 */
export function createLogStore(): LogStore {
  const chunks: Uint8Array[] = [];
  let free = CHUNK_BYTES;
  const blockNumbers = createFloat64List();
  const blockHashes = createUint32List();
  const transactionHashes = createUint32List();
  const transactionIndexes = createUint32List();
  const blockOf = createUint32List();
  const transactionOf = createUint32List();
  const logIndexes = createUint32List();
  const bodies = createUint32List();
  const dataLengths = createUint32List();
  let last: Log | undefined;
  let bytes = 0;

  // A place is a chunk number and an offset in units of 4 bytes, in one number of 32 bits: 16 GiB in all.
  const UNITS = CHUNK_BYTES / 4;
  const chunkAt = (place: number) => chunks[Math.floor(place / UNITS)] ?? new Uint8Array();
  const offsetAt = (place: number) => (place % UNITS) * 4;

  // The lengths of a row's data and topics are in one number, and its body is address, topics, data.
  const topicsLength = (index: number) => (dataLengths.at(index) % 8) * WORD_BYTES;
  const dataStart = (index: number) => ADDRESS_BYTES + topicsLength(index);
  const dataLength = (index: number) => Math.floor(dataLengths.at(index) / 8);

  function reserve(size: number): number {
    const padded = Math.ceil(size / 4) * 4;
    if (free + padded > CHUNK_BYTES) {
      // A log larger than a chunk gets one of its own, and the chunk after it starts anew.
      chunks.push(new Uint8Array(Math.max(CHUNK_BYTES, padded)));
      bytes += Math.max(CHUNK_BYTES, padded);
      free = 0;
    }
    const place = (chunks.length - 1) * UNITS + free / 4;
    free += padded;
    return place;
  }

  function keep(values: readonly Hex[], bytes: number): number {
    const place = reserve(bytes);
    const chunk = chunkAt(place);
    let offset = offsetAt(place);
    for (const value of values) offset += writeHex(value, chunk, offset);
    return place;
  }

  function appendOne(log: Log): void {
    if (last?.blockHash !== log.blockHash || last.blockNumber !== log.blockNumber) {
      blockNumbers.push(Number(log.blockNumber));
      blockHashes.push(keep([log.blockHash], WORD_BYTES));
    }
    if (last?.transactionHash !== log.transactionHash || last.transactionIndex !== log.transactionIndex) {
      transactionHashes.push(keep([log.transactionHash], WORD_BYTES));
      transactionIndexes.push(log.transactionIndex);
    }
    const dataBytes = (log.data.length - 2) / 2;
    blockOf.push(blockNumbers.length - 1);
    transactionOf.push(transactionHashes.length - 1);
    logIndexes.push(log.logIndex);
    const bytes = ADDRESS_BYTES + log.topics.length * WORD_BYTES + dataBytes;
    bodies.push(keep([log.address, ...log.topics, log.data], bytes));
    // At most 4 topics: their number takes the lowest three bits.
    dataLengths.push(dataBytes * 8 + log.topics.length);
    last = log;
  }

  function get(index: number): Log {
    if (!Number.isInteger(index) || index < 0 || index >= logIndexes.length) {
      throw new RangeError(`There is no log ${index}.`);
    }
    const block = blockOf.at(index);
    const transaction = transactionOf.at(index);
    const chunk = chunkAt(bodies.at(index));
    const body = offsetAt(bodies.at(index));
    const topicCount = topicsLength(index) / WORD_BYTES;
    return {
      address: readHex(chunk, body, ADDRESS_BYTES),
      blockHash: word(blockHashes.at(block)),
      blockNumber: BigInt(blockNumbers.at(block)),
      data: readHex(chunk, body + dataStart(index), dataLength(index)),
      logIndex: logIndexes.at(index),
      topics: Array.from({ length: topicCount }, (_, slot) =>
        readHex(chunk, body + ADDRESS_BYTES + slot * WORD_BYTES, WORD_BYTES),
      ),
      transactionHash: word(transactionHashes.at(transaction)),
      transactionIndex: transactionIndexes.at(transaction),
    };
  }

  function word(place: number): Hex {
    return readHex(chunkAt(place), offsetAt(place), WORD_BYTES);
  }

  function compare(column: LogSortKey, a: number, b: number): number {
    switch (column) {
      case 'block':
        return a - b;
      case 'index':
        return logIndexes.at(a) - logIndexes.at(b);
      case 'transaction':
        return compareTransactions(transactionOf.at(a), transactionOf.at(b));
      case 'address':
        return compareBodies(a, 0, ADDRESS_BYTES, b, 0, ADDRESS_BYTES);
      case 'topics':
        return compareBodies(a, ADDRESS_BYTES, topicsLength(a), b, ADDRESS_BYTES, topicsLength(b));
      case 'data':
        return compareBodies(a, dataStart(a), dataLength(a), b, dataStart(b), dataLength(b));
    }
  }

  function compareTransactions(a: number, b: number): number {
    if (a === b) return 0;
    const first = transactionHashes.at(a);
    const second = transactionHashes.at(b);
    const bytes = WORD_BYTES;
    return compareBytes(chunkAt(first), offsetAt(first), bytes, chunkAt(second), offsetAt(second), bytes);
  }

  function compareBodies(
    a: number,
    aStart: number,
    aLength: number,
    b: number,
    bStart: number,
    bLength: number,
  ): number {
    const first = bodies.at(a);
    const second = bodies.at(b);
    const aAt = offsetAt(first) + aStart;
    const bAt = offsetAt(second) + bStart;
    return compareBytes(chunkAt(first), aAt, aLength, chunkAt(second), bAt, bLength);
  }

  function holds(index: number, pattern: BytePattern): boolean {
    const hash = transactionHashes.at(transactionOf.at(index));
    if (hasPattern(pattern, chunkAt(hash), offsetAt(hash), WORD_BYTES)) return true;
    const chunk = chunkAt(bodies.at(index));
    const body = offsetAt(bodies.at(index));
    if (hasPattern(pattern, chunk, body, ADDRESS_BYTES)) return true;
    const dataAt = body + dataStart(index);
    for (let topic = body + ADDRESS_BYTES; topic < dataAt; topic += WORD_BYTES) {
      if (hasPattern(pattern, chunk, topic, WORD_BYTES)) return true;
    }
    return hasPattern(pattern, chunk, dataAt, dataLength(index));
  }

  return {
    get length() {
      return logIndexes.length;
    },
    get bytes() {
      return bytes;
    },
    append(logs) {
      for (const log of logs) appendOne(log);
    },
    get,
    blockNumberAt: (index) => blockNumbers.at(blockOf.at(index)),
    logIndexAt: logIndexes.at,
    compare,
    holds,
    slice(start, count) {
      const end = Math.min(logIndexes.length, start + count);
      const length = Math.max(0, end - start);
      return Array.from({ length }, (_, offset) => get(start + offset));
    },
  };
}
