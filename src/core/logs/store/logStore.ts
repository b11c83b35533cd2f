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

/** What rows are compared by. `block` is the order of the chain: block number, then log index. */
export type LogSortKey = 'block' | 'index' | 'transaction' | 'address' | 'topics' | 'data';

/** More different ones are not told of: no query is of as many events that are known. */
const MAX_EVENTS = 4096;

/**
 * Logs in the order in which they were appended, in few bytes each. That must be the order of reading: up or down the
 * chain, all the way. Block numbers are exact up to 2^53 - 1; the reader of `eth_getLogs` answers refuses higher ones.
 */
export interface LogStore {
  readonly length: number;
  /** The order in which the logs were appended; `oldestFirst` before there are two. */
  readonly order: LogOrder;
  /** Bytes that the values of all logs take, reserved in pieces of 64 to 256 KiB. */
  readonly bytes: number;
  /** Where the values of the rows are, for what looks through them without making logs. */
  readonly columns: LogColumns;
  append(logs: readonly Log[]): void;
  /** From here on rows come that are newer than all, in the order of the chain, whatever {@link order} is. */
  turnUpwards(): void;
  /** The first row after {@link turnUpwards}. */
  readonly upwardsFrom: number | undefined;
  /** The topics 0 that the rows have, in the order in which they came; up to 4096. */
  events(): readonly Hex[];
  /** The log at `index`, made anew at each call. @throws RangeError outside 0 to `length` - 1. */
  get(index: number): Log;
  /** The logs from `start`, at most `count`, fewer at the end. */
  slice(start: number, count: number): readonly Log[];
  blockNumberAt(index: number): number;
  logIndexAt(index: number): number;
  /** When the block was made, in milliseconds since the Unix epoch; undefined where the log came without. */
  timeAt(index: number): number | undefined;
  /** Whether every row has the time of its block. */
  readonly isTimed: boolean;
  /** Compares two rows without making them: hex as bytes from the left, then a shorter value before a longer one. */
  compare(column: LogSortKey, a: number, b: number): number;
  /** Tells of a row whether its transaction hash, its address, a topic or its data hold one of the patterns. */
  search(patterns: readonly BytePattern[]): (index: number) => boolean;
}

/**
 * A store for millions of logs, in pieces that stay where they are as it grows. An address and a topic are kept once;
 * block and transaction once for the rows in sequence that share them; data without the zeros that their words begin
 * with. A transfer with three topics and one word of data takes about 85 bytes where accounts repeat, some 40 more for
 * each topic that never was before.
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

  /** Appends block and transaction where they are not those of the row before. */
  function appendPlace(log: Log): void {
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
    appendPlace(log);
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
    const isUp = (row: number) => upwardsFrom !== undefined && row >= upwardsFrom;
    if (isUp(a) !== isUp(b)) return isUp(a) ? 1 : -1;
    return isUp(a) ? a - b : b - a;
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

/** Where the values of a store's rows are. */
export interface LogColumns {
  readonly addresses: HashList;
  readonly topics: HashList;
  readonly transactions: HashList;
  readonly bodies: RowBodies;
  /** The number of a row's transaction. */
  transactionOf(row: number): number;
  /** Where on the chain a row stands. */
  placeAt(row: number): LogPosition;
  /** The whole of a row, made anew at each call. */
  logAt(row: number): Log;
}

const NO = 1;
const YES = 2;

/** What is true of the numbers of a list: each is judged once, what comes to the list later each time. */
export function memoizeByNumber(
  list: HashList,
  judge: (number: number) => boolean,
): (number: number) => boolean {
  const known = new Uint8Array(list.length);
  return (number) => {
    const before = known[number];
    if (before === YES || before === NO) return before === YES;
    const is = judge(number);
    if (before !== undefined) known[number] = is ? YES : NO;
    return is;
  };
}

/** Whether a topic is one of these, by its number. */
export function createTopicTest({ topics }: LogColumns, values: readonly Hex[]): (number: number) => boolean {
  const wanted = values.map((value) => {
    const bytes = new Uint8Array(WORD_BYTES);
    writeHex(value, bytes, 0);
    const word = createWord();
    setWord(word, bytes, 0);
    return word;
  });
  const topic = createWord();
  return memoizeByNumber(topics, (number) => {
    topics.wordAt(number, topic);
    return wanted.some((word) => equalWords(word, topic));
  });
}

/**
 * Whether transaction hash, address, a topic or the data of a row hold one of the patterns. What repeats is looked
 * through once, as long as the search lives.
 */
function createRowSearch(
  { addresses, topics, transactions, bodies, transactionOf }: LogColumns,
  patterns: readonly BytePattern[],
): (row: number) => boolean {
  const inAddress = searchOf(addresses, patterns);
  const inTopic = searchOf(topics, patterns);
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

function searchOf(list: HashList, patterns: readonly BytePattern[]): (number: number) => boolean {
  return memoizeByNumber(list, (number) => patterns.some((pattern) => list.matches(number, pattern)));
}

/** Times of blocks in the order in which they were put in: 8 bytes each from the first that has one, none before. */
export interface BlockTimeList {
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
