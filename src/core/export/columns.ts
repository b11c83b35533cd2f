import type { AbiEvent } from '../abi/item.ts';
import {
  createLogDecoder,
  type DecodedEvent,
  type DecodedLog,
  decodedLogToJson,
  type LogDecoder,
} from '../abi/logDecoder.ts';
import { type AbiType, type AbiValue, type EventParameter, hasFixedPoint, isHashed } from '../abi/type.ts';
import { abiValueToJson } from '../abi/value.ts';
import type { Address } from '../eth/hex.ts';
import { toChecksumAddress } from '../eth/keccak.ts';
import { formatIsoTime } from '../eth/time.ts';
import { formatUnits } from '../eth/units.ts';
import type { Log } from '../logs/log.ts';
import { findAlignedInput, findQueriedEvent, type QueriedEventInput } from '../logs/query/eventOfQuery.ts';
import { getUnit, hasUnit, resolveUnit, type UnitsOf } from '../tokens/amounts.ts';

/**
 * The columns of an exported table, in order.
 *
 * @example createTableColumns()[0]?.name // 'block_number'
 */
export function createTableColumns(
  decoding?: ExportDecoding,
  format: TableFormat = plainFormat,
): readonly ExportColumn[] {
  const columns = createLogColumns(format);
  if (!decoding) return columns;
  const [block, ...others] = columns;
  const timed = block && decoding.timed ? [block, timeColumn, ...others] : columns;
  return [...timed, ...createDecodedColumns(decoding, format)];
}

/**
 * The columns of a table that people read: as {@link createTableColumns}, with checksummed addresses, and amounts also
 * in the unit of their token, if the decoding includes these.
 *
 * @example createCsvColumns(decoding).map(({ name }) => name).includes('arg_value_scaled')
 */
export function createCsvColumns(decoding?: ExportDecoding): readonly ExportColumn[] {
  return createTableColumns(decoding, {
    address: decoding?.isChecksummed ? toChecksumAddress : plainFormat.address,
    unitsOf: decoding?.unitsOf,
  });
}

interface TableFormat {
  readonly address: (address: Address) => string;
  /** Undefined: amounts as raw integers only. */
  readonly unitsOf?: ExportDecoding['unitsOf'];
}

const plainFormat: TableFormat = { address: (address) => address };

/** A log of an export, decoded if the export includes that. */
export interface ExportRow {
  readonly log: Log;
  readonly decoded: DecodedLog | undefined;
}

/**
 * A column of an exported table. Integers are bigint or number; hex is lower-case text with `0x`; a missing value is
 * undefined.
 */
export interface ExportColumn {
  readonly name: string;
  readonly type: 'integer' | 'hex' | 'optionalText' | 'optionalInteger' | 'optionalBoolean';
  readonly value: (row: ExportRow) => bigint | number | string | boolean | undefined;
}

export interface ExportDecoding extends LogDecoder {
  /** The event of all logs, if the query is for one: its arguments then have columns of their own. */
  readonly event: AbiEvent | undefined;
  /** The name of an address; undefined if no names are known. */
  readonly nameOf: ((address: Address) => string | undefined) | undefined;
  /** Loads what decoding these logs requires: await it before decoding them. */
  prepare(logs: readonly Log[]): Promise<void>;
  /** Whether logs are exported with the times of their blocks, as far as these are known. */
  readonly timed?: boolean | undefined;
  /** Whether CSV has checksummed addresses. */
  readonly isChecksummed?: boolean | undefined;
  /** The units of a token; undefined if unknown. With this, CSV has amounts also in units. */
  readonly unitsOf?: UnitsOf | undefined;
  /** Loads the units of these tokens, as far as possible. */
  readonly fetchUnits?: ((tokens: ReadonlySet<string>) => Promise<void>) | undefined;
}

/**
 * Decodes logs, if the export includes that.
 *
 * @example toExportRows([], undefined) // []
 */
export function toExportRows(
  logs: readonly Log[],
  decoding: ExportDecoding | undefined,
): readonly ExportRow[] {
  return logs.map((log) => ({ log, decoded: decoding?.decode(log) }));
}

/**
 * The decoding of an export. It depends on the query, not on the rows, which come as a stream.
 *
 * @example
 * encodeLogs('csv', rows, createExportDecoding({ filter, chainId: 1, lookup: await loadStandardLookup() }));
 */
export function createExportDecoding(options: DecodingOptions): ExportDecoding {
  let decoder = createLogDecoder(options);
  return {
    event: findQueriedEvent(options),
    decode: (log) => decoder.decode(log),
    nameOf: options.nameOf,
    isChecksummed: options.isChecksummed,
    unitsOf: options.unitsOf,
    fetchUnits: options.fetchUnits,
    async prepare(logs) {
      if (await options.readVersions?.(logs)) decoder = createLogDecoder(options);
    },
  };
}

interface DecodingOptions
  extends QueriedEventInput,
    Pick<ExportDecoding, 'isChecksummed' | 'unitsOf' | 'fetchUnits'> {
  readonly nameOf?: (address: Address) => string | undefined;
  /** Reads the contract versions of these logs. @returns whether more is known than before. */
  readonly readVersions?: (logs: readonly Log[]) => Promise<boolean>;
}

/**
 * The same logs in the same order, in batches that are full except the last. No batch is empty.
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

/** What a text format encodes at a time. */
export const textBatch: BatchSize = { rows: 1000, dataLength: 1 << 20 };

export interface BatchSize {
  readonly rows: number;
  /** Characters of `data` that end a batch with fewer rows: one log's data can be many kilobytes. */
  readonly dataLength: number;
}

/** The columns of the log itself, in order, named as in public data sets of Ethereum logs. */
const createLogColumns = ({ address }: TableFormat): readonly ExportColumn[] => [
  { name: 'block_number', type: 'integer', value: ({ log }) => log.blockNumber },
  { name: 'block_hash', type: 'hex', value: ({ log }) => log.blockHash },
  { name: 'transaction_hash', type: 'hex', value: ({ log }) => log.transactionHash },
  { name: 'transaction_index', type: 'integer', value: ({ log }) => log.transactionIndex },
  { name: 'log_index', type: 'integer', value: ({ log }) => log.logIndex },
  { name: 'address', type: 'hex', value: ({ log }) => address(log.address) },
  { name: 'topic0', type: 'optionalText', value: ({ log }) => log.topics[0] },
  { name: 'topic1', type: 'optionalText', value: ({ log }) => log.topics[1] },
  { name: 'topic2', type: 'optionalText', value: ({ log }) => log.topics[2] },
  { name: 'topic3', type: 'optionalText', value: ({ log }) => log.topics[3] },
  { name: 'data', type: 'hex', value: ({ log }) => log.data },
];

/** The time of the block in ISO 8601, if the export includes times. */
const timeColumn: ExportColumn = {
  name: 'block_timestamp',
  type: 'optionalText',
  value: ({ log }) => formatIsoTime(log.time),
};

/**
 * The columns of decoded logs: the event, its arguments, and the source of the ABI. If all logs are of one event, each
 * argument has a column `arg_from`; else one column has all arguments of a log as JSON. If names are known, there is a
 * column with the name of the contract, and one for each argument that is an address. With units, an amount has columns
 * `arg_value_scaled` and `arg_value_unit`. Empty if a log is not decoded.
 */
function createDecodedColumns(
  { event, nameOf }: ExportDecoding,
  format: TableFormat,
): readonly ExportColumn[] {
  const columns: ExportColumn[] = [
    { name: 'event', type: 'optionalText', value: ({ decoded }) => asDecodedEvent(decoded)?.event.signature },
    ...(event ? createArgumentColumns(event, nameOf, format) : [createJsonColumn(format)]),
    {
      name: 'decoded_by',
      type: 'optionalText',
      value: ({ decoded }) => formatOrigin(asDecodedEvent(decoded), format),
    },
  ];
  if (nameOf) {
    columns.push({ name: 'address_name', type: 'optionalText', value: ({ log }) => nameOf(log.address) });
  }
  return columns;
}

const createJsonColumn = (format: TableFormat): ExportColumn => ({
  name: 'args',
  type: 'optionalText',
  value({ decoded }) {
    if (!decoded || 'reason' in decoded) return undefined;
    const json = decodedLogToJson(decoded, format);
    return 'args' in json ? JSON.stringify(json.args) : undefined;
  },
});

function asDecodedEvent(decoded: DecodedLog | undefined): DecodedEvent | undefined {
  return decoded && 'event' in decoded ? decoded : undefined;
}

function formatOrigin(log: DecodedEvent | undefined, { address }: TableFormat): string | undefined {
  if (!log) return undefined;
  const { code, origin } = log;
  const trust = `${origin.trust}: ${origin.from}`;
  if (!code) return trust;
  const at = address(code.address);
  const name = origin.contract === undefined ? at : `${origin.contract} at ${at}`;
  return `${trust}, ${name} since block ${code.since.block}`;
}

function createArgumentColumns(
  event: AbiEvent,
  nameOf: ExportDecoding['nameOf'],
  format: TableFormat,
): readonly ExportColumn[] {
  const { inputs } = event;
  const { unitsOf } = format;
  const names = createColumnNames(inputs);
  return inputs.flatMap((input, index) => {
    const name = names[index] ?? '';
    const type = getColumnType(input);
    const findArgument = ({ decoded }: ExportRow) => {
      const log = asDecodedEvent(decoded);
      const ownIndex = log && findAlignedInput({ inputs }, log.event, index);
      if (log === undefined || ownIndex === undefined) return undefined;
      const [ownInput, value] = [log.event.inputs[ownIndex], log.values[ownIndex]];
      return ownInput && value !== undefined
        ? { input: ownInput, value, event: log.event, index: ownIndex }
        : undefined;
    };
    const createColumn = (
      suffix: string,
      value: (argument: Argument, row: ExportRow) => string | undefined,
    ) =>
      ({
        name: `${name}_${suffix}`,
        type: 'optionalText',
        value(row) {
          const argument = findArgument(row);
          return argument && value(argument, row);
        },
      }) satisfies ExportColumn;
    const unitsOfRow = ({ event: own, index: at }: Argument, { log }: ExportRow) =>
      unitsOf && resolveUnit(getUnit(own, at, log.address), unitsOf);

    const columns: ExportColumn[] = [
      {
        name,
        type,
        value(row) {
          const argument = findArgument(row);
          return argument && toCellValue(argument, type, format);
        },
      },
    ];
    if (nameOf && input.type.kind === 'address') {
      columns.push(
        createColumn('name', ({ value }) =>
          typeof value === 'string' ? nameOf(value as Address) : undefined,
        ),
      );
    }
    if (unitsOf && hasUnit(event, index)) {
      columns.push(
        createColumn('scaled', (argument, row) => {
          const units = unitsOfRow(argument, row);
          return units && typeof argument.value === 'bigint'
            ? formatUnits(argument.value, units.decimals)
            : undefined;
        }),
        createColumn('unit', (argument, row) => unitsOfRow(argument, row)?.symbol),
      );
    }
    return columns.filter((column, at) => at === 0 || !names.includes(column.name));
  });
}

/** An argument of a log, as the event of that log has it. */
interface Argument {
  readonly input: EventParameter;
  readonly value: AbiValue;
  /** The event of the log, and the index in it. */
  readonly event: AbiEvent;
  readonly index: number;
}

/** `arg_` and the name of each argument, made unique. */
function createColumnNames(inputs: readonly EventParameter[]): readonly string[] {
  const names: string[] = [];
  for (const [index, input] of inputs.entries()) {
    let name = `arg_${input.name || index}`;
    while (names.includes(name)) name += `_${index}`;
    names.push(name);
  }
  return names;
}

function getColumnType(input: EventParameter): ExportColumn['type'] {
  if (isHashed(input)) return 'optionalText';
  if (input.type.kind === 'bool') return 'optionalBoolean';
  return isSmallInteger(input.type) ? 'optionalInteger' : 'optionalText';
}

/** Whether all values fit a signed 64-bit integer, which every reader of tables supports. */
function isSmallInteger(type: AbiType): boolean {
  if (hasFixedPoint(type)) return false;
  return (type.kind === 'int' && type.bits <= 64) || (type.kind === 'uint' && type.bits < 64);
}

function toCellValue(
  { input, value }: Argument,
  type: ExportColumn['type'],
  { address }: TableFormat,
): bigint | boolean | string | undefined {
  if (isHashed(input)) return String(value);
  if (type !== 'optionalText')
    return typeof value === 'bigint' || typeof value === 'boolean' ? value : undefined;
  const json = abiValueToJson(input.type, value, { address });
  return typeof json === 'string' ? json : JSON.stringify(json);
}
