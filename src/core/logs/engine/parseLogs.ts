import { AppError } from '../../base/errors.ts';
import { type Address, type Hex, MAX_SAFE_BIGINT, parseHexData, parseQuantity } from '../../eth/hex.ts';
import { parseSeconds } from '../../eth/time.ts';
import { compareLogs, type Log } from '../log.ts';

/** The rows of one `eth_getLogs` answer. */
export interface WireLogs {
  /** Rows of the main chain, in order. */
  readonly logs: Log[];
  /** Entries that the server sent, those left out included: what its page limit counts. */
  readonly count: number;
  /** Heights of entries that the server marked as removed. */
  readonly removedAt: readonly bigint[];
  /** Whether block numbers came as bare hex, as Blockscout wrote them before v6.3. */
  readonly hasBareNumbers: boolean;
  /** Whether the server sent them in order. */
  readonly inOrder: boolean;
}

/** Rows of one answer: as many as the most generous nodes give, read in some 50 ms. */
const MAX_ROWS = 20_000;
interface FixedField {
  readonly bytes: number;
  readonly field: string;
}

const ADDRESS: FixedField = { bytes: 20, field: 'address' };
const BLOCK_HASH: FixedField = { bytes: 32, field: 'blockHash' };
const TRANSACTION_HASH: FixedField = { bytes: 32, field: 'transactionHash' };
const TOPIC: FixedField = { bytes: 32, field: 'topics' };
const SHORT_QUANTITY = /^(?:0x)?[0-9a-fA-F]{1,12}$/;

/**
 * Reads the result of `eth_getLogs` in every form that servers of the field write it: quantities with `0x`, as bare
 * upper-case hex, or (transactionIndex) as an integer; keys that only some send are ignored. Entries of blocks
 * that are not in the main chain are left out: `removed`, or without a block number (pending on a node, a dropped
 * transaction on Blockscout v6.3 to v6.7).
 *
 * Checked by hand and not by a schema, as it runs for every row of a million. The lists of topics in `result` become
 * those of the rows: nothing else may use them.
 *
 * @throws AppError `badLogs` if it is no list, or an entry that counts is not a log; `tooLarge` for over 20,000.
 */
export function parseLogs(result: unknown): WireLogs {
  if (!Array.isArray(result)) throw new AppError('badLogs', 'The answer to eth_getLogs is not a list.');
  if (result.length > MAX_ROWS) {
    throw new AppError('tooLarge', `The answer has over ${MAX_ROWS} logs.`);
  }
  const logs: Log[] = [];
  const removedAt: bigint[] = [];
  let inOrder = true;
  let lastRow: Record<string, unknown> | undefined;
  let last: Log | undefined;
  for (const entry of result as readonly unknown[]) {
    const row = asRecord(entry);
    if (row.removed === true || row.blockNumber === null) {
      removedAt.push(parseQuantity(row.blockNumber) ?? 0n);
      continue;
    }
    const log = readLog(row, lastRow, last);
    if (last && compareLogs(last, log) > 0) inOrder = false;
    logs.push(log);
    lastRow = row;
    last = log;
  }
  if (!inOrder) logs.sort(compareLogs);
  if (areTimesBroken(logs)) for (const log of logs as { time?: number }[]) delete log.time;
  return {
    logs,
    count: result.length,
    removedAt,
    hasBareNumbers: hasBareNumber(result[0]),
    inOrder: inOrder,
  };
}

/** Times that go back, or are two of one block, stand in the wrong rows: none of them is believed. */
function areTimesBroken(logs: readonly Log[]): boolean {
  let last: Log | undefined;
  for (const log of logs) {
    if (log.time === undefined) continue;
    const before = last?.time ?? log.time;
    if (log.time < before || (log.time !== before && log.blockNumber === last?.blockNumber)) return true;
    last = log;
  }
  return false;
}

function hasBareNumber(entry: unknown): boolean {
  const number = (entry as { blockNumber?: unknown } | undefined)?.blockNumber;
  return typeof number === 'string' && !number.startsWith('0x');
}

function asRecord(entry: unknown): Record<string, unknown> {
  if (typeof entry !== 'object' || entry === null) throw notALog('entry');
  return entry as Record<string, unknown>;
}

/** Much in a row stands in the row before it as well: that is not checked again, and kept in memory once. */
function readLog(
  row: Record<string, unknown>,
  lastRow: Record<string, unknown> | undefined,
  last: Log | undefined,
): Log {
  const sameBlock = last !== undefined && row.blockNumber === lastRow?.blockNumber;
  const time = timeOf(row, lastRow, last);
  const log: { -readonly [Field in keyof Log]: Log[Field] } = {
    address: fixedHex(row.address, ADDRESS, last?.address) as Address,
    blockHash: fixedHex(row.blockHash, BLOCK_HASH, last?.blockHash),
    blockNumber: sameBlock ? last.blockNumber : BigInt(quantity(row.blockNumber, 'blockNumber')),
    data: anyHex(row.data),
    logIndex: position(row.logIndex, 'logIndex'),
    topics: readTopics(row.topics, last?.topics),
    transactionHash: fixedHex(row.transactionHash, TRANSACTION_HASH, last?.transactionHash),
    transactionIndex: position(row.transactionIndex, 'transactionIndex'),
  };
  // Left out where there is none, as of most servers: a row is as it was before some told it.
  if (time !== undefined) log.time = time;
  return log;
}

/** What is no time is passed over, and zero, which stands for one that is not known: the row counts without it. */
function timeOf(
  { blockTimestamp }: Record<string, unknown>,
  lastRow: Record<string, unknown> | undefined,
  last: Log | undefined,
): number | undefined {
  if (blockTimestamp === undefined || blockTimestamp === null) return undefined;
  if (last && blockTimestamp === lastRow?.blockTimestamp) return last.time;
  return parseSeconds(blockTimestamp) || undefined;
}

/** Blockscout's older schema words allow null topic slots; they carry nothing. */
function readTopics(value: unknown, last: readonly Hex[] | undefined): readonly Hex[] {
  if (!Array.isArray(value) || value.length > 4) throw notALog('topics');
  const topics: unknown[] = value.includes(null) ? value.filter((slot) => slot !== null) : value;
  // In their own place: a list made anew for every row is what the garbage collector would spend most time on.
  for (let slot = 0; slot < topics.length; slot++) {
    const topic = fixedHex(topics[slot], TOPIC, last?.[slot]);
    if (topic !== topics[slot]) topics[slot] = topic;
  }
  return topics as readonly Hex[];
}

function fixedHex(value: unknown, { bytes, field }: FixedField, last: Hex | undefined): Hex {
  if (last !== undefined && value === last) return last;
  const parsed = parseHexData(value, bytes);
  if (!parsed) throw notALog(field);
  return parsed;
}

function anyHex(value: unknown): Hex {
  const parsed = parseHexData(value);
  if (!parsed) throw notALog('data');
  return parsed;
}

/** A place in a block. No block has room for 2^32 of anything, and rows are kept with as many bits. */
function position(value: unknown, field: string): number {
  const place = quantity(value, field);
  if (place > 0xffff_ffff) throw notALog(field);
  return place;
}

/** Numbers of a log fit into 53 bits. Up to 48 the digits are read without a detour over bigint. */
function quantity(value: unknown, field: string): number {
  if (typeof value === 'string' && SHORT_QUANTITY.test(value)) return Number.parseInt(value, 16);
  const parsed = parseQuantity(value);
  if (parsed === undefined || parsed > MAX_SAFE_BIGINT) throw notALog(field);
  return Number(parsed);
}

function notALog(field: string): AppError {
  return new AppError('badLogs', `An entry of the answer to eth_getLogs is not a log (${field}).`, { field });
}

/** Rows of several answers as one: in order, none twice. */
export function mergeLogs(parts: readonly (readonly Log[])[]): readonly Log[] {
  const all = parts.length === 1 ? (parts[0] ?? []) : parts.flat().sort(compareLogs);
  return all.filter((log, position) => {
    const previous = all[position - 1];
    return previous === undefined || compareLogs(previous, log) !== 0;
  });
}
