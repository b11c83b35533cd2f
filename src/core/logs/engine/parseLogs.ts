import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { createTimeSlices, forEachInSlices, toSortedInSlices } from '../../base/timeSlices.ts';
import {
  type Address,
  type Hex,
  isLowerHex,
  MAX_SAFE_BIGINT,
  parseHexData,
  parseQuantity,
} from '../../eth/hex.ts';
import { parseSeconds } from '../../eth/time.ts';
import { compareLogPlaces, compareLogs, type Log } from '../log.ts';

/** The rows of one `eth_getLogs` response. */
export interface WireLogs {
  /** Rows of the main chain, in order. */
  readonly logs: Log[];
  /** Entries in the response, including dropped ones: what the server's page limit counts. */
  readonly count: number;
  /** Heights of the entries that are left out: marked as removed, or without a block. */
  readonly removedAt: readonly bigint[];
  /** Blocks with a log that the response has twice. */
  readonly repeatedAt: readonly bigint[];
  /** The server returned null in place of a list. */
  readonly isNull: boolean;
  /** Whether block numbers have no `0x`, and were read as the hex of Blockscout before v6.3. */
  readonly hasBareNumbers: boolean;
  /** Whether the server sent them in order. */
  readonly inOrder: boolean;
}

/** Of one response: as many as the most generous nodes return, parsed in some 50 ms. */
const MAX_ROWS = 20_000;

/**
 * Parses the result of `eth_getLogs` in every form that servers use: quantities with `0x`, as bare upper-case hex,
 * or (transactionIndex) as an integer. Keys that only some servers send are ignored. Entries outside of the main
 * chain are left out: `removed` ones, and those without a block (pending on a node, a dropped transaction on
 * Blockscout v6.3 to v6.7). Null in place of a list is read as an empty list.
 *
 * Checked by hand and not by a schema, as it runs for every one of a million rows. The rows take over the topic
 * lists of `result`: nothing else may use them.
 *
 * @throws AppError `badLogs` if it is not a list, or if an entry that counts is not a log; `tooLarge` for over
 * 20,000.
 */
export function parseLogs(result: unknown): WireLogs {
  if (result === null) return { ...parseLogs([]), isNull: true };
  if (!Array.isArray(result)) throw new AppError('badLogs', 'The response to eth_getLogs is not a list.');
  if (result.length > MAX_ROWS) {
    throw new AppError('tooLarge', `The response has over ${MAX_ROWS} logs.`);
  }
  const logs: Log[] = [];
  const removedAt: bigint[] = [];
  let inOrder = true;
  let lastRow: Record<string, unknown> | undefined;
  let last: Log | undefined;
  for (const entry of result as readonly unknown[]) {
    const row = asRecord(entry);
    if (isOutsideChain(row)) {
      removedAt.push(parseQuantity(row.blockNumber) ?? 0n);
      continue;
    }
    const log = parseLog(row, lastRow, last);
    if (last && !isBefore(last, log) && compareLogs(last, log) > 0) inOrder = false;
    logs.push(log);
    lastRow = row;
    last = log;
  }
  if (!inOrder) logs.sort(compareLogs);
  const repeated = areAllDistinct(logs)
    ? []
    : logs.filter((log, place) => place > 0 && compareLogs(logs[place - 1] as Log, log) === 0);
  if (areTimesBroken(logs)) for (const log of logs as { time?: number }[]) delete log.time;
  return {
    logs,
    count: result.length,
    removedAt,
    repeatedAt: [...new Set(repeated.map(({ blockNumber }) => blockNumber))],
    isNull: false,
    hasBareNumbers: hasBareNumber(result[0]),
    inOrder,
  };
}

/** JSON-RPC has null for the place of a log that is not in a block. */
function isOutsideChain(row: Record<string, unknown>): boolean {
  return (
    row.removed === true ||
    row.blockNumber === null ||
    row.blockHash === null ||
    row.transactionHash === null ||
    row.transactionIndex === null ||
    row.logIndex === null
  );
}

function isBefore(previous: Log, log: Log): boolean {
  const { blockNumber } = previous;
  return blockNumber === log.blockNumber ? previous.logIndex < log.logIndex : blockNumber < log.blockNumber;
}

/** Rows of several responses as one list: in order, without duplicates. Takes slices of time. */
export async function mergeLogs(
  parts: readonly (readonly Log[])[],
  { clock }: { readonly clock: Clock },
): Promise<readonly Log[]> {
  const all = parts.flat();
  if (areAllDistinct(all)) return all;
  const options = { slices: createTimeSlices(clock) };
  const merged: Log[] = [];
  const add = (log: Log) => {
    if (isOther(log, merged.at(-1))) merged.push(log);
  };
  await forEachInSlices(await toSortedInSlices(all, compareLogs, options), add, options);
  return merged;
}

/** Rows in order, without duplicates. */
export function dropRepeatedLogs(logs: readonly Log[]): readonly Log[] {
  if (areAllDistinct(logs)) return logs;
  return logs.filter((log, index) => isOther(log, logs[index - 1]));
}

const isOther = (log: Log, previous: Log | undefined) =>
  previous === undefined || compareLogs(previous, log) !== 0;

/** Whether each row comes after the one before it, at another place. */
function areAllDistinct(logs: readonly Log[]): boolean {
  let previous: Log | undefined;
  for (const log of logs) {
    if (previous && !isBefore(previous, log)) return false;
    previous = log;
  }
  return true;
}

/** One of the rows of each place, on a server that may return orphaned copies of a log. */
export function keepOnePerPlace(logs: readonly Log[]): readonly Log[] {
  if (areAllDistinct(logs)) return logs;
  return logs.filter((log, index) => {
    const previous = logs[index - 1];
    return previous === undefined || compareLogPlaces(previous, log) !== 0;
  });
}

/**
 * Times that decrease, or that differ within one block, show that times are assigned to the wrong rows, so all
 * times are dropped.
 */
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

/**
 * Consecutive rows share many values. A value that equals the previous row's is not checked again, and is stored
 * once.
 */
function parseLog(
  row: Record<string, unknown>,
  lastRow: Record<string, unknown> | undefined,
  last: Log | undefined,
): Log {
  const sameBlock = last !== undefined && row.blockNumber === lastRow?.blockNumber;
  const time = parseTime(row, lastRow, last);
  const log: { -readonly [Field in keyof Log]: Log[Field] } = {
    address: parseFixedHex(row.address, ADDRESS, last?.address) as Address,
    blockHash: parseFixedHex(row.blockHash, BLOCK_HASH, last?.blockHash),
    blockNumber: sameBlock ? last.blockNumber : BigInt(parseNumber(row.blockNumber, 'blockNumber')),
    data: parseData(row.data),
    logIndex: parsePosition(row.logIndex, 'logIndex'),
    topics: parseTopics(row.topics, last?.topics),
    transactionHash: parseFixedHex(row.transactionHash, TRANSACTION_HASH, last?.transactionHash),
    transactionIndex: parsePosition(row.transactionIndex, 'transactionIndex'),
  };
  // Left out if there is none, as on most servers, so that these rows have no extra key.
  if (time !== undefined) log.time = time;
  return log;
}

/** Undefined for an invalid time, and for 0, which means unknown: the row counts without it. */
function parseTime(
  { blockTimestamp }: Record<string, unknown>,
  lastRow: Record<string, unknown> | undefined,
  last: Log | undefined,
): number | undefined {
  if (blockTimestamp === undefined || blockTimestamp === null) return undefined;
  if (last && blockTimestamp === lastRow?.blockTimestamp) return last.time;
  return parseSeconds(blockTimestamp) || undefined;
}

/** Older Blockscout schemas pad topics with null, which carries no information. */
function parseTopics(value: unknown, last: readonly Hex[] | undefined): readonly Hex[] {
  // Nodes in Go send null for an empty list.
  if (value === null) return [];
  if (!Array.isArray(value) || value.length > 4) throw notALog('topics');
  const topics: unknown[] = value.includes(null) ? value.filter((slot) => slot !== null) : value;
  // Normalised in place: a new list for every row would be the largest load on the garbage collector.
  for (let slot = 0; slot < topics.length; slot++) {
    const topic = parseFixedHex(topics[slot], TOPIC, last?.[slot]);
    if (topic !== topics[slot]) topics[slot] = topic;
  }
  return topics as readonly Hex[];
}

interface FixedField {
  readonly bytes: number;
  readonly field: string;
}

const ADDRESS: FixedField = { bytes: 20, field: 'address' };
const BLOCK_HASH: FixedField = { bytes: 32, field: 'blockHash' };
const TRANSACTION_HASH: FixedField = { bytes: 32, field: 'transactionHash' };
const TOPIC: FixedField = { bytes: 32, field: 'topics' };

function parseFixedHex(value: unknown, { bytes, field }: FixedField, last: Hex | undefined): Hex {
  if (last !== undefined && value === last) return last;
  const parsed = parseHexData(value, bytes);
  if (!parsed) throw notALog(field);
  return parsed;
}

function parseData(value: unknown): Hex {
  const parsed = parseHexData(value);
  if (!parsed) throw notALog('data');
  return parsed;
}

/** A position in a block. No block has room for 2^32 of anything, and rows are stored with 32 bits. */
function parsePosition(value: unknown, field: string): number {
  const position = parseNumber(value, field);
  if (position > 0xffff_ffff) throw notALog(field);
  return position;
}

/** Digits of 48 bits, with `0x`. */
const MAX_SHORT_CHARS = 14;

/** Numbers of a log fit into 53 bits. Up to 48 bits, the digits are parsed without a detour via bigint. */
function parseNumber(value: unknown, field: string): number {
  const isShort = typeof value === 'string' && value.length > 2 && value.length <= MAX_SHORT_CHARS;
  if (isShort && value.startsWith('0x') && isLowerHex(value)) return Number.parseInt(value, 16);
  const parsed = parseQuantity(value);
  if (parsed === undefined || parsed > MAX_SAFE_BIGINT) throw notALog(field);
  return Number(parsed);
}

/** The error of an entry that is no log, for its field. */
export function notALog(field: string): AppError {
  return new AppError('badLogs', `An entry in the response to eth_getLogs is not a log (${field}).`, {
    field,
  });
}
