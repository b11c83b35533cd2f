import { badInput } from '../base/errors.ts';
import type { Log } from '../logs/query/log.ts';
import { encodeCsv } from './csv.ts';
import type { ExportDecoding } from './exportDecoding.ts';
import { encodeJson, encodeNdjson, jsonFields } from './json.ts';
import { tableColumns } from './tableColumns.ts';

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

const namesOf = (decoding?: ExportDecoding) => tableColumns(decoding).map(({ name }) => name);
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
 * @example formatOf('parquet').extension // 'parquet'
 */
export function formatOf(format: string): FormatRow {
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
