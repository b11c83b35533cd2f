import type { AbiEvent } from '../abi/item.ts';
import {
  createLogDecoder,
  type DecodedEvent,
  type DecodedLog,
  decodedLogToJson,
  type LogDecoder,
} from '../abi/logDecoder.ts';
import { type AbiType, type AbiValue, type EventParameter, isHashed } from '../abi/type.ts';
import { abiValueToJson } from '../abi/value.ts';
import type { Address } from '../eth/hex.ts';
import { formatIsoTime } from '../eth/time.ts';
import type { Log } from '../logs/log.ts';
import { findAlignedInput, findQueriedEvent, type QueriedEventInput } from '../logs/query/eventOfQuery.ts';

/** A log of an export, with what is known of it where that is asked for. */
export interface ExportRow {
  readonly log: Log;
  readonly decoded: DecodedLog | undefined;
}

/**
 * A column of an exported table. Integers are bigint or number, hex is text in lower case with `0x`, and what a log does
 * not have is undefined.
 */
export interface ExportColumn {
  readonly name: string;
  readonly type: 'integer' | 'hex' | 'optionalText' | 'optionalInteger' | 'optionalBoolean';
  readonly value: (row: ExportRow) => bigint | number | string | boolean | undefined;
}

/** The columns of what logs are made of, in order, named as public data sets of Ethereum logs name them. */
const logColumns: readonly ExportColumn[] = [
  { name: 'block_number', type: 'integer', value: ({ log }) => log.blockNumber },
  { name: 'block_hash', type: 'hex', value: ({ log }) => log.blockHash },
  { name: 'transaction_hash', type: 'hex', value: ({ log }) => log.transactionHash },
  { name: 'transaction_index', type: 'integer', value: ({ log }) => log.transactionIndex },
  { name: 'log_index', type: 'integer', value: ({ log }) => log.logIndex },
  { name: 'address', type: 'hex', value: ({ log }) => log.address },
  { name: 'topic0', type: 'optionalText', value: ({ log }) => log.topics[0] },
  { name: 'topic1', type: 'optionalText', value: ({ log }) => log.topics[1] },
  { name: 'topic2', type: 'optionalText', value: ({ log }) => log.topics[2] },
  { name: 'topic3', type: 'optionalText', value: ({ log }) => log.topics[3] },
  { name: 'data', type: 'hex', value: ({ log }) => log.data },
];

/** When the block of a log was made, in ISO 8601, where logs are written with their times. */
const timeColumn: ExportColumn = {
  name: 'block_timestamp',
  type: 'optionalText',
  value: ({ log }) => formatIsoTime(log.time),
};

/**
 * What logs say, in columns: the event, its arguments, and by what they were decoded. One column for each argument,
 * `arg_from`, where all logs are of one event; else all of a log in one, as JSON. Where names are known, a column with
 * the name of the contract, and one beside each argument that is an address. Empty where a log is not decoded.
 */
function createDecodedColumns({ event, nameOf }: ExportDecoding): readonly ExportColumn[] {
  const columns: ExportColumn[] = [
    { name: 'event', type: 'optionalText', value: ({ decoded }) => known(decoded)?.event.signature },
    ...(event ? argumentColumns(event.inputs, nameOf) : [jsonColumn]),
    { name: 'decoded_by', type: 'optionalText', value: ({ decoded }) => formatOrigin(known(decoded)) },
  ];
  if (nameOf) {
    columns.push({ name: 'address_name', type: 'optionalText', value: ({ log }) => nameOf(log.address) });
  }
  return columns;
}

const jsonColumn: ExportColumn = {
  name: 'args',
  type: 'optionalText',
  value({ decoded }) {
    if (!decoded || 'reason' in decoded) return undefined;
    const json = decodedLogToJson(decoded);
    return 'args' in json ? JSON.stringify(json.args) : undefined;
  },
};

function known(decoded: DecodedLog | undefined): DecodedEvent | undefined {
  return decoded && 'event' in decoded ? decoded : undefined;
}

function formatOrigin(log: DecodedEvent | undefined): string | undefined {
  if (!log) return undefined;
  const { code, origin } = log;
  const known = `${origin.trust}: ${origin.from}`;
  if (!code) return known;
  const name = origin.contract === undefined ? code.address : `${origin.contract} at ${code.address}`;
  return `${known}, ${name} since block ${code.since.block}`;
}

function argumentColumns(
  inputs: readonly EventParameter[],
  nameOf: ExportDecoding['nameOf'],
): readonly ExportColumn[] {
  const names = columnNames(inputs);
  return inputs.flatMap((input, index) => {
    const name = names[index] ?? '';
    const type = columnType(input);
    const column: ExportColumn = {
      name,
      type,
      value({ decoded }) {
        const log = known(decoded);
        const at = log && findAlignedInput({ inputs }, log.event, index);
        const own = at === undefined ? undefined : log?.event.inputs[at];
        const value = at === undefined ? undefined : log?.values[at];
        return own === undefined || value === undefined ? undefined : cellValue(own, value, type);
      },
    };
    if (!nameOf || input.type.kind !== 'address' || names.includes(`${name}_name`)) return [column];
    const nameColumn: ExportColumn = {
      name: `${name}_name`,
      type: 'optionalText',
      value({ decoded }) {
        const log = known(decoded);
        const at = log && findAlignedInput({ inputs }, log.event, index);
        const value = at === undefined ? undefined : log?.values[at];
        return typeof value === 'string' ? nameOf(value as Address) : undefined;
      },
    };
    return [column, nameColumn];
  });
}

/** `arg_` and the name of each, no two alike. */
function columnNames(inputs: readonly EventParameter[]): readonly string[] {
  const names: string[] = [];
  for (const [index, input] of inputs.entries()) {
    let name = `arg_${input.name || index}`;
    while (names.includes(name)) name += `_${index}`;
    names.push(name);
  }
  return names;
}

function columnType(input: EventParameter): ExportColumn['type'] {
  if (isHashed(input)) return 'optionalText';
  if (input.type.kind === 'bool') return 'optionalBoolean';
  return isSmallInteger(input.type) ? 'optionalInteger' : 'optionalText';
}

/** Whether all its values are signed integers of 64 bits, which every reader of tables has. */
function isSmallInteger(type: AbiType): boolean {
  return (type.kind === 'int' && type.bits <= 64) || (type.kind === 'uint' && type.bits < 64);
}

function cellValue(
  input: EventParameter,
  value: AbiValue,
  type: ExportColumn['type'],
): bigint | boolean | string | undefined {
  if (isHashed(input)) return String(value);
  if (type !== 'optionalText')
    return typeof value === 'bigint' || typeof value === 'boolean' ? value : undefined;
  const json = abiValueToJson(input.type, value);
  return typeof json === 'string' ? json : JSON.stringify(json);
}

/**
 * The columns of an exported table, in order.
 *
 * @example createTableColumns()[0]?.name // 'block_number'
 */
export function createTableColumns(decoding?: ExportDecoding): readonly ExportColumn[] {
  if (!decoding) return logColumns;
  const [block, ...others] = logColumns;
  const made = block && decoding.timed ? [block, timeColumn, ...others] : logColumns;
  return [...made, ...createDecodedColumns(decoding)];
}

/**
 * Logs with what is known of them.
 *
 * @example toExportRows([], undefined) // []
 */
export function toExportRows(
  logs: readonly Log[],
  decoding: ExportDecoding | undefined,
): readonly ExportRow[] {
  return logs.map((log) => ({ log, decoded: decoding?.decode(log) }));
}

/** How the logs of a file are decoded, beside what they are made of. */
export interface ExportDecoding extends LogDecoder {
  /** The event that all logs are of, as was asked: a table has a column for each of its arguments then. */
  readonly event: AbiEvent | undefined;
  /** What addresses are called; undefined where nobody knows names. */
  readonly nameOf: ((address: Address) => string | undefined) | undefined;
  /** Finds out what decoding these logs needs: to be waited for before they are. */
  prepare(logs: readonly Log[]): Promise<void>;
  /** Whether each log has the time of its block beside it, where that is known. */
  readonly timed?: boolean | undefined;
}

interface DecodingOptions extends QueriedEventInput {
  readonly nameOf?: (address: Address) => string | undefined;
  /** Reads which versions of their contracts logs are of. @returns whether more is known than before. */
  readonly readVersions?: (logs: readonly Log[]) => Promise<boolean>;
}

/**
 * The decoding of an export, which is chosen by what is asked and not by its rows: those come as a stream.
 *
 * @example
 * encodeLogs('csv', rows, createExportDecoding({ filter, chainId: 1, lookup: await loadStandardLookup() }));
 */
export function createExportDecoding(asked: DecodingOptions): ExportDecoding {
  let decoder = createLogDecoder(asked);
  return {
    event: findQueriedEvent(asked),
    decode: (log) => decoder.decode(log),
    nameOf: asked.nameOf,
    async prepare(logs) {
      if (await asked.readVersions?.(logs)) decoder = createLogDecoder(asked);
    },
  };
}

export interface BatchSize {
  readonly rows: number;
  /** Characters of `data` after which a batch ends with fewer rows: one log's data can be many kilobytes. */
  readonly dataLength: number;
}

/** What a text format turns into bytes at a time. */
export const textBatch: BatchSize = { rows: 1000, dataLength: 1 << 20 };

/**
 * The same logs in the same order, in batches that are full but for the last. No batch is empty.
 *
 * @example for await (const logs of toBatches(rows, { rows: 1000, dataLength: 1 << 20 })) write(logs);
 */
export async function* toBatches(
  rows: AsyncIterable<readonly Log[]>,
  size: BatchSize,
): AsyncGenerator<readonly Log[]> {
  let batch: Log[] = [];
  let dataLength = 0;
  for await (const logs of rows) {
    for (const log of logs) {
      batch.push(log);
      dataLength += log.data.length;
      if (batch.length < size.rows && dataLength < size.dataLength) continue;
      yield batch;
      batch = [];
      dataLength = 0;
    }
  }
  if (batch.length > 0) yield batch;
}
