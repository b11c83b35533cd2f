import type { LogPosition } from '../../abi/candidates.ts';
import { writeHex } from '../../eth/bytes.ts';
import type { Address, Hex } from '../../eth/hex.ts';
import { compareLogs, type Log, type LogOrder } from '../log.ts';
import {
  type BytePattern,
  createFloat64List,
  createUint32List,
  type GrowingArray,
  hasPattern,
} from './bytes.ts';
import { createDictionary, createHashList, type HashList } from './dictionary.ts';
import { createRowBodies, type RowBodies } from './rowBodies.ts';
import { createWord, equalWords, setWord, WORD_BYTES } from './word.ts';

/** Sort keys of rows. `block` is the order of the chain: block number, then log index. */
export type LogSortKey = 'block' | 'index' | 'transaction' | 'address' | 'topics' | 'data';

/**
 * Logs in the order in which they were appended, in few bytes each. That must be the reading order: all the way up
 * or down the chain. Block numbers are exact up to 2^53 - 1; the parser of `eth_getLogs` refuses higher ones.
 */
export interface LogStore {
  readonly length: number;
  /** The order in which the logs were appended; `oldestFirst` while there are fewer than two. */
  readonly order: LogOrder;
  /** Bytes of the values of all logs, reserved in chunks of 64 to 256 KiB. */
  readonly bytes: number;
  /** Access to the values of the rows without creating logs. */
  readonly columns: LogColumns;
  append(logs: readonly Log[]): void;
  /** Later rows are newer than all present ones, in chain order, whatever {@link order} is. */
  turnUpwards(): void;
  /** The first row after {@link turnUpwards}. */
  readonly upwardsFrom: number | undefined;
  /** The topics 0 of the rows, in order of first appearance; up to 4096. */
  events(): readonly Hex[];
  /**
   * The log at `index`, created at each call.
   *
   * @throws RangeError outside 0 to `length` - 1.
   */
  get(index: number): Log;
  /** The logs from `start`: `count`, or fewer at the end. */
  slice(start: number, count: number): readonly Log[];
  blockNumberAt(index: number): number;
  logIndexAt(index: number): number;
  /** When the block was made, in milliseconds since the Unix epoch; undefined if the log has no time. */
  timeAt(index: number): number | undefined;
  /** Whether every row has the time of its block. */
  readonly isTimed: boolean;
  /**
   * Compares two rows without creating logs: hex as bytes from the left, then a shorter value before a longer one.
   */
  compare(column: LogSortKey, a: number, b: number): number;
  /** Returns a test whether a row's transaction hash, address, topics or data contain one of the patterns. */
  search(patterns: readonly BytePattern[]): (index: number) => boolean;
}

/** Different events that are listed; no query has that many decodable ones. */
const MAX_EVENTS = 4096;

/**
 * A store for millions of logs, in chunks that stay in place as it grows. Addresses and topics are stored once;
 * block and transaction once for consecutive rows that share them; data without the leading zeros of their words. A
 * transfer with three topics and one word of data takes about 85 bytes if accounts repeat, and some 40 more for
 * each new topic.
 *
 * @example
 * const store = createLogStore();
 * for await (const { logs } of query.rest()) store.append(logs);
 * const log = store.get(store.length - 1);
 */
export function createLogStore(): LogStore {
  const addresses = createDictionary(20);
  const topics = createDictionary(32);
  const bodies = createRowBodies();
  const logIndexes = createUint32List();
  const transactionOf = createUint32List();
  const transactionHashes = createHashList(32);
  const transactionIndexes = createUint32List();
  const blockOf = createUint32List();
  const blockHashes = createHashList(32);
  const blockNumbers = createFloat64List();
  const times = createBlockTimes();
  let last: Log | undefined;
  let order: LogOrder = 'oldestFirst';
  let lastAddress = 0;
  const lastTopics: number[] = [];
  let upwardsFrom: number | undefined;
  const events = new Set<number>();

  const blockAt = (index: number) => blockOf.at(transactionOf.at(index));

  /** Appends block and transaction unless they equal those of the previous row. */
  function appendBlockAndTransaction(log: Log): void {
    const sameBlock = last?.blockHash === log.blockHash && last.blockNumber === log.blockNumber;
    if (!sameBlock) {
      blockHashes.push(log.blockHash);
      blockNumbers.push(Number(log.blockNumber));
      times.push(log.time);
    }
    const sameTransaction =
      last?.transactionHash === log.transactionHash && last.transactionIndex === log.transactionIndex;
    if (sameBlock && sameTransaction) return;
    transactionHashes.push(log.transactionHash);
    transactionIndexes.push(log.transactionIndex);
    blockOf.push(blockHashes.length - 1);
  }

  function appendOne(log: Log): void {
    appendBlockAndTransaction(log);
    const isSecond = logIndexes.length === 1 && upwardsFrom === undefined;
    if (isSecond && last && compareLogs(log, last) < 0) order = 'newestFirst';
    transactionOf.push(transactionHashes.length - 1);
    logIndexes.push(log.logIndex);
    if (last?.address !== log.address) lastAddress = addresses.numberOf(log.address);
    const topicsBefore = last?.topics;
    lastTopics.length = log.topics.length;
    for (let slot = 0; slot < log.topics.length; slot++) {
      const topic = log.topics[slot];
      if (topic === undefined || topicsBefore?.[slot] === topic) continue;
      const number = topics.numberOf(topic);
      lastTopics[slot] = number;
      if (slot === 0 && events.size < MAX_EVENTS) events.add(number);
    }
    bodies.push({ address: lastAddress, topics: lastTopics, data: log.data });
    last = log;
  }

  const columns: LogColumns = {
    addresses: addresses.values,
    topics: topics.values,
    transactions: transactionHashes,
    bodies,
    transactionOf: transactionOf.at,
    placeAt: (row) => ({
      block: blockNumbers.at(blockAt(row)),
      transaction: transactionIndexes.at(transactionOf.at(row)),
      log: logIndexes.at(row),
    }),
    logAt: (row) => get(row),
  };

  function get(index: number): Log {
    if (!Number.isInteger(index) || index < 0 || index >= logIndexes.length) {
      throw new RangeError(`There is no log ${index}.`);
    }
    const block = blockAt(index);
    const transaction = transactionOf.at(index);
    const time = times.at(block);
    return {
      address: addresses.values.at(bodies.addressAt(index)) as Address,
      blockHash: blockHashes.at(block),
      blockNumber: BigInt(blockNumbers.at(block)),
      data: bodies.dataAt(index),
      logIndex: logIndexes.at(index),
      topics: topicsAt(index),
      transactionHash: transactionHashes.at(transaction),
      transactionIndex: transactionIndexes.at(transaction),
      ...(time === undefined ? {} : { time }),
    };
  }

  function topicsAt(index: number): readonly Hex[] {
    const count = bodies.topicCountAt(index);
    const found: Hex[] = [];
    for (let slot = 0; slot < count; slot++) found.push(topics.values.at(bodies.topicAt(index, slot)));
    return found;
  }

  function compare(column: LogSortKey, a: number, b: number): number {
    switch (column) {
      case 'block':
        return compareBlocks(a, b);
      case 'index':
        return logIndexes.at(a) - logIndexes.at(b);
      case 'transaction':
        return transactionHashes.compare(transactionOf.at(a), transactionOf.at(b));
      case 'address':
        return addresses.values.compare(bodies.addressAt(a), bodies.addressAt(b));
      case 'topics':
        return compareTopics(a, b);
      case 'data':
        return bodies.compareData(a, b);
    }
  }

  function compareBlocks(a: number, b: number): number {
    if (order === 'oldestFirst') return a - b;
    const isAfterTurn = (row: number) => upwardsFrom !== undefined && row >= upwardsFrom;
    if (isAfterTurn(a) !== isAfterTurn(b)) return isAfterTurn(a) ? 1 : -1;
    return isAfterTurn(a) ? a - b : b - a;
  }

  function compareTopics(a: number, b: number): number {
    const first = bodies.topicCountAt(a);
    const second = bodies.topicCountAt(b);
    for (let slot = 0; slot < first && slot < second; slot++) {
      const order = topics.values.compare(bodies.topicAt(a, slot), bodies.topicAt(b, slot));
      if (order !== 0) return order;
    }
    return first - second;
  }

  return {
    get length() {
      return logIndexes.length;
    },
    get order() {
      return order;
    },
    get bytes() {
      return addresses.bytes + topics.bytes + bodies.bytes + transactionHashes.bytes + blockHashes.bytes;
    },
    turnUpwards() {
      upwardsFrom ??= logIndexes.length;
    },
    get upwardsFrom() {
      return upwardsFrom;
    },
    append(logs) {
      for (const log of logs) appendOne(log);
    },
    get,
    blockNumberAt: (index) => blockNumbers.at(blockAt(index)),
    logIndexAt: logIndexes.at,
    timeAt: (index) => times.at(blockAt(index)),
    get isTimed() {
      return times.isWhole;
    },
    compare,
    search: (patterns) => createRowSearch(columns, patterns),
    columns,
    events: () => Array.from(events, topics.values.at),
    slice(start, count) {
      const end = Math.min(logIndexes.length, start + count);
      const length = Math.max(0, end - start);
      return Array.from({ length }, (_, offset) => get(start + offset));
    },
  };
}

/** The values of a store's rows. */
export interface LogColumns {
  readonly addresses: HashList;
  readonly topics: HashList;
  readonly transactions: HashList;
  readonly bodies: RowBodies;
  /** The number of a row's transaction. */
  transactionOf(row: number): number;
  /** A row's position on the chain. */
  placeAt(row: number): LogPosition;
  /** The complete row as a log, created at each call. */
  logAt(row: number): Log;
}

const NO = 1;
const YES = 2;

/**
 * A cached test for the values of a list, by their numbers. Values that are added to the list later are tested each
 * time.
 */
export function memoizeByNumber(
  list: HashList,
  test: (number: number) => boolean,
): (number: number) => boolean {
  const results = new Uint8Array(list.length);
  return (number) => {
    const cached = results[number];
    if (cached === YES || cached === NO) return cached === YES;
    const result = test(number);
    if (cached !== undefined) results[number] = result ? YES : NO;
    return result;
  };
}

/** Whether a topic, by its number, is one of these. */
export function createTopicTest({ topics }: LogColumns, values: readonly Hex[]): (number: number) => boolean {
  const words = values.map((value) => {
    const bytes = new Uint8Array(WORD_BYTES);
    writeHex(value, bytes, 0);
    const word = createWord();
    setWord(word, bytes, 0);
    return word;
  });
  const topic = createWord();
  return memoizeByNumber(topics, (number) => {
    topics.wordAt(number, topic);
    return words.some((word) => equalWords(word, topic));
  });
}

/**
 * Whether a row's transaction hash, address, topics or data contain one of the patterns. Values that repeat are
 * searched once in the lifetime of the search.
 */
function createRowSearch(
  { addresses, topics, transactions, bodies, transactionOf }: LogColumns,
  patterns: readonly BytePattern[],
): (row: number) => boolean {
  const inAddress = createCachedSearch(addresses, patterns);
  const inTopic = createCachedSearch(topics, patterns);
  let transaction = -1;
  let inTransaction = false;

  return (row) => {
    const number = transactionOf(row);
    if (number !== transaction) {
      transaction = number;
      inTransaction = patterns.some((pattern) => transactions.matches(number, pattern));
    }
    if (inTransaction || inAddress(bodies.addressAt(row))) return true;
    const count = bodies.topicCountAt(row);
    for (let slot = 0; slot < count; slot++) if (inTopic(bodies.topicAt(row, slot))) return true;
    const data = bodies.dataBytesAt(row);
    for (const pattern of patterns) if (hasPattern(pattern, data)) return true;
    return false;
  };
}

function createCachedSearch(list: HashList, patterns: readonly BytePattern[]): (number: number) => boolean {
  return memoizeByNumber(list, (number) => patterns.some((pattern) => list.matches(number, pattern)));
}

/** Times of blocks in order of insertion. Takes 8 bytes each from the first block with a time on, none before. */
interface BlockTimeList {
  push(time: number | undefined): void;
  at(block: number): number | undefined;
  /** Whether none is missing. */
  readonly isWhole: boolean;
}

function createBlockTimes(): BlockTimeList {
  let untimed = 0;
  let isWhole = true;
  let times: GrowingArray | undefined;
  return {
    get isWhole() {
      return isWhole;
    },
    push(time) {
      if (time === undefined) isWhole = false;
      if (time === undefined && !times) {
        untimed++;
        return;
      }
      times ??= createFloat64List();
      times.push(time ?? Number.NaN);
    },
    at(block) {
      const time = block < untimed ? undefined : times?.at(block - untimed);
      return time === undefined || Number.isNaN(time) ? undefined : time;
    },
  };
}
