import { decodedLogToJson } from '../abi/logDecoder.ts';
import type { Address } from '../eth/hex.ts';
import { formatIsoTime } from '../eth/time.ts';
import { type Log, type LogJson, logToJson } from '../logs/log.ts';
import { createTableColumns, type ExportDecoding, textBatch, toBatches, toExportRows } from './columns.ts';

const NEEDS_QUOTES = { ',': /["\r\n,]/, '\t': /["\r\n\t]/ } as const;
type Separator = keyof typeof NEEDS_QUOTES;
/** What makes a spreadsheet take a cell for a formula. */
const FORMULA_START = /^[=+\-@\t\r]/;
const NEGATIVE_INTEGER = /^-\d+$/;

/**
 * Logs as CSV of RFC 4180: a header, CRLF at the end of every line. Integers are decimal, an absent topic is an
 * empty cell. UTF-8 without a byte order mark. With a decoding, what the logs say stands behind what they are made of.
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
 * Cells as a line of a table, ended with CRLF: of CSV, or with tabs between them, as spreadsheets take a table from the
 * clipboard.
 *
 * @example formatTableLine(['1,250', '=1+1'], '\t') // '1,250\t\'=1+1\r\n'
 */
export function formatTableLine(cells: readonly string[], separator: Separator = ','): string {
  return `${cells.map((cell) => formatCsvCell(cell, separator)).join(separator)}\r\n`;
}

/**
 * A text as one cell of CSV. One that a spreadsheet would run as a formula gets an apostrophe before it, as OWASP
 * advises (CSV injection), but for a negative integer, which is what it says; one with the separator, a quote or a line break
 * is quoted.
 *
 * @example formatCsvCell('=1+1, or so') // '"\'=1+1, or so"'
 */
export function formatCsvCell(text: string, separator: Separator = ','): string {
  const safe = FORMULA_START.test(text) && !NEGATIVE_INTEGER.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES[separator].test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
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

/**
 * Logs in the form of `eth_getLogs`, one JSON object a line, every line ended with LF. With a decoding, each has
 * `decoded` besides: what it says, or why that is not known; `names`, by address, where some are known; and, where it
 * is timed, `timestamp` in ISO 8601.
 *
 * @example for await (const chunk of encodeNdjson(rows)) await file.write(chunk);
 */
export async function* encodeNdjson(
  rows: AsyncIterable<readonly Log[]>,
  decoding?: ExportDecoding,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const logs of toBatches(rows, textBatch))
    yield encoder.encode(`${jsonOf(logs, '\n', decoding)}\n`);
}

/**
 * Logs as one JSON array, as the result of `eth_getLogs` is, an element a line.
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
    yield encoder.encode(`${opening}${jsonOf(logs, ',\n', decoding)}`);
    opening = ',\n';
  }
  yield encoder.encode(opening === '[\n' ? '[]\n' : '\n]\n');
}

function jsonOf(logs: readonly Log[], separator: string, decoding: ExportDecoding | undefined): string {
  const jsonOfOne = (log: Log) =>
    decoding ? { ...logToJson(log), ...timeOf(log, decoding), ...knownOf(log, decoding) } : logToJson(log);
  return logs.map((log) => JSON.stringify(jsonOfOne(log))).join(separator);
}

/** In ISO 8601; null where it is not known. */
function timeOf({ time }: Log, { timed }: ExportDecoding): { readonly timestamp?: string | null } {
  return timed ? { timestamp: formatIsoTime(time) ?? null } : {};
}

/** What a log says, and the names of its addresses where there are some. */
function knownOf(log: Log, { decode, nameOf }: ExportDecoding) {
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
