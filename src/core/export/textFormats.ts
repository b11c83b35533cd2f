import { decodedLogToJson } from '../abi/logDecoder.ts';
import type { Address } from '../eth/hex.ts';
import { formatIsoTime } from '../eth/time.ts';
import { type Log, type LogJson, logToJson } from '../logs/log.ts';
import { hasUnit, listEventTokens } from '../tokens/amounts.ts';
import {
  createCsvColumns,
  type ExportDecoding,
  type ExportRow,
  textBatch,
  toBatches,
  toExportRows,
} from './columns.ts';

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
  const columns = createCsvColumns(decoding);
  const event = decoding?.event;
  const hasUnits = event?.inputs.some((_, index) => hasUnit(event, index));
  const encoder = new TextEncoder();
  yield encoder.encode(formatTableLine(columns.map(({ name }) => name)));
  for await (const logs of toBatches(rows, textBatch)) {
    const decoded = toExportRows(logs, decoding);
    if (hasUnits) await decoding?.fetchUnits?.(new Set(decoded.flatMap(listRowTokens)));
    const lines = decoded.map((row) =>
      formatTableLine(columns.map(({ value }) => value(row)?.toString() ?? '')),
    );
    yield encoder.encode(lines.join(''));
  }
}

function listRowTokens({ log, decoded }: ExportRow): readonly string[] {
  return decoded && 'event' in decoded ? listEventTokens(decoded.event, log.address) : [];
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
 * injection); so does a part of it that would be a cell for a spreadsheet with another separator, as Excel has in many
 * languages. Numbers stay numbers. It is quoted if it contains a separator, a quote or a line break.
 *
 * @example formatCsvCell('=1+1, or so') // '"\'=1+1, or so"'
 */
export function formatCsvCell(text: string, separator: Separator = ','): string {
  const safe = defuseFormulas(text, separator);
  return NEEDS_QUOTES[separator].test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function defuseFormulas(text: string, separator: Separator): string {
  const start = FORMULA_START.test(text) && !NUMBER.test(text) ? "'" : '';
  const parts = text.replace(PART_START[separator], (before, at: number) => {
    FORMULA.lastIndex = at + before.length;
    return FORMULA.test(text) ? `${before}'` : before;
  });
  return start + parts;
}

type Separator = ',' | '\t';
const NEEDS_QUOTES = { ',': /[",;\t\r\n]/, '\t': /["\t\r\n]/ } as const;
const NUMBER = /^[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i;
/**
 * Spreadsheets read such a cell as a formula. They ignore white space before it, and some read the full-width and small
 * forms of the signs, and U+2212, as the signs themselves.
 */
const FORMULA_START = /^(?:[\t\r\n]|[\s\p{C}]*[=+\-@＝＋－＠﹦﹢﹣﹫−])/u;
/** What would begin a cell for another separator. A comma does not in CSV, where the cell is quoted because of it. */
const PART_START = { ',': /[;\t\r\n][\s\p{C}"]*/gu, '\t': /[,;\t\r\n][\s\p{C}"]*/gu } as const;
/** As it is in a part: not a number, as in the JSON of a list. */
const FORMULA = /(?![-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?["\]}]*(?:[,;\t\r\n]|$))[=+\-@＝＋－＠﹦﹢﹣﹫−]/iuy;

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
