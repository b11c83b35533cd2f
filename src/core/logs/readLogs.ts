import { AppError } from '../errors.ts';
import type { Address } from '../values/address.ts';
import { type Hex, parseHexData, parseQuantity } from '../values/hex.ts';
import { compareLogs, type Log } from './log.ts';

/** The rows of one `eth_getLogs` answer. */
export interface WireLogs {
  /** Rows of the main chain, in order. */
  readonly logs: Log[];
  /** Entries that the server sent, those left out included: what its page limit counts. */
  readonly count: number;
  /** Heights of entries that the server marked as removed. */
  readonly removedAt: readonly bigint[];
  /** Whether block numbers came as bare hex, as Blockscout wrote them before v6.3. */
  readonly bareNumbers: boolean;
  /** Whether the server sent them in order. */
  readonly inOrder: boolean;
}

const LOWER_HEX = /^0x[0-9a-f]*$/;

/**
 * Reads the result of `eth_getLogs` in every form that servers of the field write it: quantities with `0x`, as bare
 * upper-case hex, or (transactionIndex) as an integer; keys that only some send are ignored. Entries of blocks
 * that are not in the main chain are left out: `removed`, or without a block number (pending on a node, a dropped
 * transaction on Blockscout v6.3 to v6.7).
 *
 * Checked by hand and not by a schema, as it runs for every row of a million.
 *
 * @throws AppError `badResponse` if it is no list, or an entry that counts is not a log.
 */
export function readLogs(result: unknown): WireLogs {
  if (!Array.isArray(result)) throw new AppError('badResponse', 'The answer to eth_getLogs is not a list.');
  const logs: Log[] = [];
  const removedAt: bigint[] = [];
  let inOrder = true;
  for (const entry of result as readonly unknown[]) {
    const row = asRecord(entry);
    if (row.removed === true || row.blockNumber === null) {
      removedAt.push(parseQuantity(row.blockNumber) ?? 0n);
      continue;
    }
    const log = readLog(row);
    const previous = logs[logs.length - 1];
    if (previous && compareLogs(previous, log) > 0) inOrder = false;
    logs.push(log);
  }
  if (!inOrder) logs.sort(compareLogs);
  return { logs, count: result.length, removedAt, bareNumbers: hasBareNumber(result[0]), inOrder };
}

function hasBareNumber(entry: unknown): boolean {
  const number = (entry as { blockNumber?: unknown } | undefined)?.blockNumber;
  return typeof number === 'string' && !number.startsWith('0x');
}

function asRecord(entry: unknown): Record<string, unknown> {
  if (typeof entry !== 'object' || entry === null) throw notALog('entry');
  return entry as Record<string, unknown>;
}

function readLog(row: Record<string, unknown>): Log {
  return {
    address: fixedHex(row.address, 20, 'address') as Address,
    blockHash: fixedHex(row.blockHash, 32, 'blockHash'),
    blockNumber: quantity(row.blockNumber, 'blockNumber'),
    data: anyHex(row.data),
    logIndex: Number(quantity(row.logIndex, 'logIndex')),
    topics: readTopics(row.topics),
    transactionHash: fixedHex(row.transactionHash, 32, 'transactionHash'),
    transactionIndex: Number(quantity(row.transactionIndex, 'transactionIndex')),
  };
}

/** Blockscout's older schema words allow null topic slots; they carry nothing. */
function readTopics(value: unknown): readonly Hex[] {
  if (!Array.isArray(value) || value.length > 4) throw notALog('topics');
  const topics: Hex[] = [];
  for (const topic of value as readonly unknown[]) {
    if (topic !== null) topics.push(fixedHex(topic, 32, 'topics'));
  }
  return topics;
}

function fixedHex(value: unknown, bytes: number, field: string): Hex {
  if (typeof value === 'string' && value.length === 2 + 2 * bytes && LOWER_HEX.test(value))
    return value as Hex;
  const parsed = parseHexData(value, bytes);
  if (!parsed) throw notALog(field);
  return parsed;
}

function anyHex(value: unknown): Hex {
  if (typeof value === 'string' && value.length % 2 === 0 && LOWER_HEX.test(value)) return value as Hex;
  const parsed = parseHexData(value);
  if (!parsed) throw notALog('data');
  return parsed;
}

function quantity(value: unknown, field: string): bigint {
  const parsed = parseQuantity(value);
  if (parsed === undefined || parsed > BigInt(Number.MAX_SAFE_INTEGER)) throw notALog(field);
  return parsed;
}

function notALog(field: string): AppError {
  return new AppError('badResponse', `An entry of the answer to eth_getLogs is not a log (${field}).`);
}
