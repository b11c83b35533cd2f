import { decodedLogToJson } from '../abi/logDecoder.ts';
import type { Address } from '../eth/hex.ts';
import { formatIsoTime } from '../eth/time.ts';
import { type Log, type LogJson, logToJson } from '../logs/log.ts';
import { createTableColumns, type ExportDecoding, textBatch, toBatches, toExportRows } from './columns.ts';

/**
 * Logs as CSV (RFC 4180): with a header, CRLF after every line, UTF-8 without a byte order mark. Integers are decimal,
 * a missing topic is an empty cell. Decoded columns follow those of the log.
 *
 * @example for await (const chunk of encodeCsv(rows)) await file.write(chunk);
 */
export async function* encodeCsv(
  rows: AsyncIterable<readonly Log[]>,
  decoding?: ExportDecoding,
): AsyncGenerator<Uint8Array> {
  const columns = createTableColumns(decoding);
  const encoder = new TextEncoder();
  yield encoder.encode(formatTableLine(columns.map(({ name }) => name)));
  for await (const logs of toBatches(rows, textBatch)) {
    const lines = toExportRows(logs, decoding).map((row) =>
      formatTableLine(columns.map(({ value }) => value(row)?.toString() ?? '')),
    );
    yield encoder.encode(lines.join(''));
  }
}

/**
 * A line of a table, ended with CRLF: of CSV, or with tabs, as spreadsheets paste a table.
 *
 * @example formatTableLine(['1,250', '=1+1'], '\t') // '1,250\t\'=1+1\r\n'
 */
export function formatTableLine(cells: readonly string[], separator: Separator = ','): string {
  return `${cells.map((cell) => formatCsvCell(cell, separator)).join(separator)}\r\n`;
}

/**
 * A cell of CSV. If a spreadsheet would run it as a formula, it gets a leading apostrophe, as OWASP advises (CSV
 * injection); a negative integer does not. It is quoted if it contains the separator, a quote or a line break.
 *
 * @example formatCsvCell('=1+1, or so') // '"\'=1+1, or so"'
 */
export function formatCsvCell(text: string, separator: Separator = ','): string {
  const safe = FORMULA_START.test(text) && !NEGATIVE_INTEGER.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES[separator].test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const NEEDS_QUOTES = { ',': /["\r\n,]/, '\t': /["\r\n\t]/ } as const;
type Separator = keyof typeof NEEDS_QUOTES;
/** Spreadsheets read such a cell as a formula. */
const FORMULA_START = /^[=+\-@\t\r]/;
const NEGATIVE_INTEGER = /^-\d+$/;

/**
 * Logs in the form of `eth_getLogs`, one JSON object a line, each line ended with LF. With a decoding, each has
 * `decoded`: the event, or why it is unknown; `names` by address, if any are known; and, if timed, `timestamp` in ISO
 * 8601.
 *
 * @example for await (const chunk of encodeNdjson(rows)) await file.write(chunk);
 */
export async function* encodeNdjson(
  rows: AsyncIterable<readonly Log[]>,
  decoding?: ExportDecoding,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const logs of toBatches(rows, textBatch))
    yield encoder.encode(`${stringifyLogs(logs, '\n', decoding)}\n`);
}

/**
 * Logs as one JSON array, like the result of `eth_getLogs`, one element a line.
 *
 * @example for await (const chunk of encodeJson(rows)) await file.write(chunk);
 */
export async function* encodeJson(
  rows: AsyncIterable<readonly Log[]>,
  decoding?: ExportDecoding,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let opening = '[\n';
  for await (const logs of toBatches(rows, textBatch)) {
    yield encoder.encode(`${opening}${stringifyLogs(logs, ',\n', decoding)}`);
    opening = ',\n';
  }
  yield encoder.encode(opening === '[\n' ? '[]\n' : '\n]\n');
}

/** The keys of each object, in order. */
export const jsonFields: readonly (keyof LogJson)[] = [
  'address',
  'blockHash',
  'blockNumber',
  'data',
  'logIndex',
  'topics',
  'transactionHash',
  'transactionIndex',
];

function stringifyLogs(
  logs: readonly Log[],
  separator: string,
  decoding: ExportDecoding | undefined,
): string {
  const toJson = (log: Log) =>
    decoding
      ? { ...logToJson(log), ...timeToJson(log, decoding), ...decodingToJson(log, decoding) }
      : logToJson(log);
  return logs.map((log) => JSON.stringify(toJson(log))).join(separator);
}

/** In ISO 8601; null if unknown. */
function timeToJson({ time }: Log, { timed }: ExportDecoding): { readonly timestamp?: string | null } {
  return timed ? { timestamp: formatIsoTime(time) ?? null } : {};
}

/** The decoded log, and the names of its addresses if any are known. */
function decodingToJson(log: Log, { decode, nameOf }: ExportDecoding) {
  const decoded = decode(log);
  const values = 'event' in decoded ? decoded.values : [];
  const inputs = 'event' in decoded ? decoded.event.inputs : [];
  const addresses = [log.address, ...values.filter((_, index) => inputs[index]?.type.kind === 'address')];
  const names = addresses.flatMap((address) => {
    const name = nameOf?.(address as Address);
    return name === undefined ? [] : [[address, name]];
  });
  const decodedJson = decodedLogToJson(decoded);
  return names.length > 0
    ? { decoded: decodedJson, names: Object.fromEntries(names) }
    : { decoded: decodedJson };
}
