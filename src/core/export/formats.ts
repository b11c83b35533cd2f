import { badInput, safeUrl } from '../base/errors.ts';
import type { Log } from '../logs/log.ts';
import { type LogFilter, resolveRelative } from '../logs/query/filter.ts';
import { logFilterToJson } from '../logs/query/queryJson.ts';
import { type Verdict, verdictToJson } from '../logs/query/verdict.ts';
import type { Network } from '../networks/network.ts';
import { createTableColumns, type ExportDecoding } from './columns.ts';
import { encodeCsv, encodeJson, encodeNdjson, jsonFields } from './textFormats.ts';

/** Logs, in order, as the bytes of a file. What is held at a time is bounded, however many logs there are. */
type LogEncoder = (
  rows: AsyncIterable<readonly Log[]>,
  decoding?: ExportDecoding,
) => AsyncGenerator<Uint8Array>;

/** Turns an English sentence into the reader's language. */
interface Localizer {
  t(message: string): string;
}

/** All that is known of a format of exported files, wherever it is offered, written or recorded. */
interface FormatRow {
  /** In lower case, as the record beside a file names the format. */
  readonly id: string;
  /** Its name, which is the same in every language. */
  readonly label: string;
  /** What it is for, in a few words. */
  readonly purpose: (l10n: Localizer) => string;
  /** Of the file, without a dot. */
  readonly extension: string;
  /** Columns or keys of a log, in order, as the record tells them. */
  readonly columns: (decoding?: ExportDecoding) => readonly string[];
  readonly encode: LogEncoder;
}

const namesOf = (decoding?: ExportDecoding) => createTableColumns(decoding).map(({ name }) => name);
const keysOf = (decoding?: ExportDecoding) => [
  ...jsonFields,
  ...(decoding?.timed ? ['timestamp'] : []),
  ...(decoding ? ['decoded'] : []),
  ...(decoding?.nameOf ? ['names'] : []),
];

/** The formats of exported files, in the order in which they are offered. */
export const exportFormats = [
  {
    id: 'csv',
    label: 'CSV',
    purpose: (l10n) => l10n.t('A table for spreadsheets and scripts'),
    extension: 'csv',
    columns: namesOf,
    encode: encodeCsv,
  },
  {
    id: 'json',
    label: 'JSON',
    purpose: (l10n) => l10n.t('One array, as eth_getLogs gives it'),
    extension: 'json',
    columns: keysOf,
    encode: encodeJson,
  },
  {
    id: 'ndjson',
    label: 'NDJSON',
    purpose: (l10n) => l10n.t('The same, an object a line'),
    extension: 'ndjson',
    columns: keysOf,
    encode: encodeNdjson,
  },
  {
    id: 'parquet',
    label: 'Parquet',
    purpose: (l10n) => l10n.t('A compressed table for DuckDB, Spark, pandas'),
    extension: 'parquet',
    columns: namesOf,
    // A quarter of the size of all the rest.
    encode: late(async () => (await import('./parquet.ts')).encodeParquet),
  },
] as const satisfies readonly FormatRow[];

export type ExportFormat = (typeof exportFormats)[number]['id'];

/**
 * The row of a format.
 *
 * @throws AppError `badInput` for `format` when there is none of this name.
 * @example getExportFormat('parquet').extension // 'parquet'
 */
export function getExportFormat(format: string): FormatRow {
  const row = exportFormats.find(({ id }) => id === format);
  if (row) return row;
  throw badInput(
    'format',
    `Not a format of exports. There are ${exportFormats.map(({ id }) => id).join(', ')}.`,
  );
}

/** An encoder that is loaded when it is first used. */
function late(load: () => Promise<LogEncoder>): LogEncoder {
  return async function* encode(rows, decoding) {
    yield* (await load())(rows, decoding);
  };
}

/**
 * The bytes of a file with these logs, in chunks as the logs come. What is held at a time is bounded, however many
 * logs there are. What `rows` throws is passed on; ending the loop early ends `rows`.
 *
 * @param decoding what the logs say is written beside what they are made of.
 * @throws AppError `badInput` when there is no such format.
 * @example for await (const chunk of encodeLogs('csv', rows)) await file.write(chunk);
 */
export function encodeLogs(
  format: ExportFormat,
  rows: AsyncIterable<readonly Log[]>,
  decoding?: ExportDecoding,
): AsyncGenerator<Uint8Array> {
  return getExportFormat(format).encode(rows, decoding);
}

/** How the logs of a file stand. */
export interface ExportOrder {
  /** `block` is the order of the chain, by block and log index. */
  readonly by: string;
  readonly descending: boolean;
}

/** The times of the logs of a file. */
export interface ExportTimesFacts {
  /** Logs of which none is known. */
  readonly without: number;
  /** What told those that were asked for besides. */
  readonly readBy: readonly string[];
}

/** Where the logs of a file came from. */
export interface ExportFacts {
  readonly format: ExportFormat;
  /** Logs in the file. */
  readonly rows: number;
  readonly filter: LogFilter;
  /** Left out where there are none. */
  readonly rowOrder?: ExportOrder | undefined;
  /** The filter that the logs have passed, as it was typed, and how many were looked at. */
  readonly filtered?: { readonly by: string; readonly of: number } | undefined;
  /** Where the logs are written with their times. */
  readonly times?: ExportTimesFacts | undefined;
  /** What the file was written with. */
  readonly decoding?: ExportDecoding | undefined;
  readonly network: Pick<Network, 'id' | 'name' | 'chainId' | 'rpcUrl'>;
  /** What the answer is worth that the logs are. */
  readonly verdict: Verdict;
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  readonly finishedAt: number;
  /** Version of Chainside. */
  readonly version: string;
}

/**
 * What stands beside an exported file, as plain JSON: how to ask the same again (`query` is what `eth_getLogs` and
 * `parseLogFilter` take), whom, and whether the file holds the whole answer. Of the endpoint only the origin, since
 * path and parameters can hold a key. Block numbers are decimal strings.
 *
 * @throws AppError `badInput` when there is no such format.
 * @example createExportRecord({ format: 'csv', rows, filter, network, verdict, startedAt, finishedAt, version }).query
 */
export function createExportRecord(all: ExportFacts) {
  const { format, rows, rowOrder, filtered, filter, network, times, decoding, ...facts } = all;
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
    ...{ fromBlock, toBlock, head, order, readThrough },
    ...(verdict.found && { found: verdict.found }),
    verdict: { state: verdict.state, reasons: verdict.reasons },
    requests: verdict.requests,
    startedAt: new Date(facts.startedAt).toISOString(),
    finishedAt: new Date(facts.finishedAt).toISOString(),
    generator: { name: 'Chainside', version: facts.version },
  };
}
