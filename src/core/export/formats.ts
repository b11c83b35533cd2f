import { badInput, safeUrl } from '../base/errors.ts';
import type { Log } from '../logs/log.ts';
import { type LogFilter, resolveRelative } from '../logs/query/filter.ts';
import { logFilterToJson } from '../logs/query/queryJson.ts';
import { type Verdict, verdictToJson } from '../logs/query/verdict.ts';
import type { Network } from '../networks/network.ts';
import { createCsvColumns, createTableColumns, type ExportDecoding } from './columns.ts';
import { encodeCsv, encodeJson, encodeNdjson, jsonFields } from './textFormats.ts';

/**
 * The bytes of a file with these logs, in chunks as the logs come, in bounded memory. Errors of `rows` are passed on;
 * ending the loop early ends `rows`.
 *
 * @param decoding adds decoded columns or keys.
 * @param createMetadata what a format with room for it says of the file, which is Parquet. Called once `rows` has ended.
 * @throws AppError `badInput` if there is no such format.
 * @example for await (const chunk of encodeLogs('csv', rows)) await file.write(chunk);
 */
export function encodeLogs(
  format: ExportFormat,
  rows: AsyncIterable<readonly Log[]>,
  decoding?: ExportDecoding,
  createMetadata?: () => object,
): AsyncGenerator<Uint8Array> {
  return getExportFormat(format).encode(rows, decoding, createMetadata);
}

/**
 * @throws AppError `badInput` for `format` if it does not exist.
 * @example getExportFormat('parquet').extension // 'parquet'
 */
export function getExportFormat(format: string): FormatDefinition {
  const definition: FormatDefinition | undefined = exportFormats.find(({ id }) => id === format);
  if (definition) return definition;
  throw badInput('format', 'Not an export format. Use csv, json, ndjson or parquet.');
}

export type ExportFormat = (typeof exportFormats)[number]['id'];

const listColumnNames = (decoding?: ExportDecoding) => createTableColumns(decoding).map(({ name }) => name);
const listJsonKeys = (decoding?: ExportDecoding) => [
  ...jsonFields,
  ...(decoding?.timed ? ['timestamp'] : []),
  ...(decoding ? ['decoded'] : []),
  ...(decoding?.nameOf ? ['names'] : []),
];

/** In the order in which they are offered. */
export const exportFormats = [
  {
    id: 'csv',
    label: 'CSV',
    purpose: 'A table for spreadsheets and scripts',
    extension: 'csv',
    columns: (decoding?: ExportDecoding) => createCsvColumns(decoding).map(({ name }) => name),
    encode: encodeCsv,
  },
  {
    id: 'json',
    label: 'JSON',
    purpose: 'One array, as eth_getLogs returns it',
    extension: 'json',
    columns: listJsonKeys,
    encode: encodeJson,
  },
  {
    id: 'ndjson',
    label: 'NDJSON',
    purpose: 'One object per line',
    extension: 'ndjson',
    columns: listJsonKeys,
    encode: encodeNdjson,
  },
  {
    id: 'parquet',
    label: 'Parquet',
    purpose: 'A compressed table for DuckDB, Spark, pandas',
    extension: 'parquet',
    columns: listColumnNames,
    // Loaded on use: it is a quarter of the size of everything else.
    encode: lazyEncoder(async () => (await import('./parquet.ts')).encodeParquet),
  },
] as const satisfies readonly FormatDefinition[];

/** A format of exported files, wherever it is offered, written or recorded. */
interface FormatDefinition {
  /** Lower case, as in the record beside a file. */
  readonly id: string;
  /** Its name, the same in every language. */
  readonly label: string;
  /** In English. */
  readonly purpose: string;
  /** Without a dot. */
  readonly extension: string;
  /** Columns or keys of a log, in order, for the record. */
  readonly columns: (decoding?: ExportDecoding) => readonly string[];
  readonly encode: LogEncoder;
}

/** Encodes logs, in order, as the bytes of a file, in bounded memory. */
type LogEncoder = (
  rows: AsyncIterable<readonly Log[]>,
  decoding?: ExportDecoding,
  createMetadata?: () => object,
) => AsyncGenerator<Uint8Array>;

/** An encoder that is loaded on first use. */
function lazyEncoder(load: () => Promise<LogEncoder>): LogEncoder {
  return async function* encode(...args) {
    yield* (await load())(...args);
  };
}

/**
 * The record beside an exported file, as plain JSON: how to run the query again (`query` is what `eth_getLogs` and
 * `parseLogFilter` take), at which endpoint, and whether the file has the complete result. It has only the origin of
 * the endpoint, since path and parameters can contain a key. Block numbers are decimal strings.
 *
 * @throws AppError `badInput` if there is no such format.
 * @example createExportRecord({ format: 'csv', rows, filter, network, verdict, startedAt, finishedAt, version }).query
 */
export function createExportRecord(input: ExportFacts) {
  const { format, rows, rowOrder, filtered, filter, network, times, decoding, ...facts } = input;
  const verdict = verdictToJson(facts.verdict);
  const { fromBlock, toBlock, head, order, readThrough } = verdict;
  return {
    format,
    columns: getExportFormat(format).columns(decoding),
    rows,
    ...(rowOrder && { rowOrder }),
    ...(filtered && { filtered }),
    ...(times && { times }),
    query: logFilterToJson({ ...filter, ...resolveRelative(filter, facts.verdict) }),
    network: {
      id: network.id,
      name: network.name,
      chainId: network.chainId,
      rpcOrigin: safeUrl(network.rpcUrl),
    },
    fromBlock,
    toBlock,
    head,
    order,
    readThrough,
    ...(verdict.found && { found: verdict.found }),
    verdict: { state: verdict.state, reasons: verdict.reasons },
    requests: verdict.requests,
    startedAt: new Date(facts.startedAt).toISOString(),
    finishedAt: new Date(facts.finishedAt).toISOString(),
    generator: { name: 'Chainside', version: facts.version },
  };
}

export interface ExportFacts {
  readonly format: ExportFormat;
  /** Number of logs in the file. */
  readonly rows: number;
  readonly filter: LogFilter;
  /** Undefined for a file without logs. */
  readonly rowOrder?: ExportOrder | undefined;
  /** The filter over the rows, as it was typed, and the number of rows before it. */
  readonly filtered?: { readonly by: string; readonly of: number } | undefined;
  /** If the export includes times. */
  readonly times?: ExportTimesFacts | undefined;
  readonly decoding?: ExportDecoding | undefined;
  readonly network: Pick<Network, 'id' | 'name' | 'chainId' | 'rpcUrl'>;
  /** Of the query. */
  readonly verdict: Verdict;
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  readonly finishedAt: number;
  /** Version of Chainside. */
  readonly version: string;
}

/** The order of the logs in a file. */
export interface ExportOrder {
  /** `block` is the order of the chain, by block and log index. */
  readonly by: string;
  readonly descending: boolean;
}

export interface ExportTimesFacts {
  /** Number of logs without a time. */
  readonly without: number;
  /** Methods by which missing times were read. */
  readonly readBy: readonly string[];
}
