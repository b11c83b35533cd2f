import type { Log } from '../logs/query/log.ts';
import { batches, textBatch } from './batches.ts';
import { logColumns } from './logColumns.ts';

const NEEDS_QUOTES = /["\r\n,]/;
/** What makes a spreadsheet take a cell for a formula. */
const FORMULA_START = /^[=+\-@\t\r]/;

/**
 * Logs as CSV of RFC 4180: a header, CRLF at the end of every line. Integers are decimal, an absent topic is an
 * empty cell. UTF-8 without a byte order mark; all of it is ASCII.
 *
 * @example for await (const chunk of encodeCsv(rows)) await file.write(chunk);
 */
export async function* encodeCsv(rows: AsyncIterable<readonly Log[]>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  yield encoder.encode(csvLine(logColumns.map(({ name }) => name)));
  for await (const logs of batches(rows, textBatch)) {
    const lines = logs.map((log) => csvLine(logColumns.map(({ value }) => value(log)?.toString() ?? '')));
    yield encoder.encode(lines.join(''));
  }
}

function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/**
 * A text as one cell of CSV. One that a spreadsheet would run as a formula gets an apostrophe before it, as OWASP
 * advises (CSV injection); one with a comma, quote or line break is quoted.
 *
 * @example csvCell('=1+1, or so') // '"\'=1+1, or so"'
 */
export function csvCell(text: string): string {
  const safe = FORMULA_START.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
