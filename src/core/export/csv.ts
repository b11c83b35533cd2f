import type { Log } from '../logs/query/log.ts';
import { batches, textBatch } from './batches.ts';
import type { ExportDecoding } from './exportDecoding.ts';
import { exportRows, tableColumns } from './tableColumns.ts';

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
  const columns = tableColumns(decoding);
  const encoder = new TextEncoder();
  yield encoder.encode(tableLine(columns.map(({ name }) => name)));
  for await (const logs of batches(rows, textBatch)) {
    const lines = exportRows(logs, decoding).map((row) =>
      tableLine(columns.map(({ value }) => value(row)?.toString() ?? '')),
    );
    yield encoder.encode(lines.join(''));
  }
}

/**
 * Cells as a line of a table, ended with CRLF: of CSV, or with tabs between them, as spreadsheets take a table from the
 * clipboard.
 *
 * @example tableLine(['1,250', '=1+1'], '\t') // '1,250\t\'=1+1\r\n'
 */
export function tableLine(cells: readonly string[], separator: Separator = ','): string {
  return `${cells.map((cell) => csvCell(cell, separator)).join(separator)}\r\n`;
}

/**
 * A text as one cell of CSV. One that a spreadsheet would run as a formula gets an apostrophe before it, as OWASP
 * advises (CSV injection), but for a negative integer, which is what it says; one with the separator, a quote or a line break
 * is quoted.
 *
 * @example csvCell('=1+1, or so') // '"\'=1+1, or so"'
 */
export function csvCell(text: string, separator: Separator = ','): string {
  const safe = FORMULA_START.test(text) && !NEGATIVE_INTEGER.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES[separator].test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
