import { type Clock, createTimeSlices, formatTableLine, type Log, logToJson } from '../../../core/index.ts';
import { markdownText } from '../../../host/surface/markdownText.ts';
import type { RowTable } from '../decoded/rowReader.ts';
import type { RowsFormat } from '../protocol/selectedRows.ts';

/** Rows that the clipboard takes; more are for a file. */
export const MOST_COPIED = 10_000;
/** Characters that go through the clipboard in one turn. */
const MOST_CHARACTERS = 4_000_000;
/** Without anything that Markdown, or what makes links and mentions of it, takes for markup. */
const PLAIN = /^(?!.*www\.)[\p{L}\p{N} ,.…()+\-/%]*$/iu;

interface RowsSource {
  readonly count: number;
  readonly logAt: (index: number) => Log;
  /** The columns as they are shown. */
  readonly table: RowTable;
}

/**
 * Rows as a text for the clipboard, made in slices of time; undefined where there are too many, it would be too long, or `signal` aborts. In
 * Markdown they say what the panel shows, for people; in tables for spreadsheets stand exact values.
 */
export async function rowsText(
  format: RowsFormat,
  { count, logAt, table }: RowsSource,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<string | undefined> {
  if (count > MOST_COPIED) return undefined;
  const { begin, line, end } = writers[format](table, count);
  const slices = createTimeSlices(clock);
  const parts = [begin];
  let length = begin.length;
  for (let index = 0; index < count; index++) {
    const part = line(logAt(index), index === count - 1);
    length += part.length;
    if (length > MOST_CHARACTERS) return undefined;
    parts.push(part);
    if (slices.isOver()) await slices.rest();
    if (signal.aborted) return undefined;
  }
  return parts.join('') + end;
}

interface Writer {
  readonly begin: string;
  readonly line: (log: Log, isLast: boolean) => string;
  readonly end: string;
}

const writers: Readonly<Record<RowsFormat, (table: RowTable, count: number) => Writer>> = {
  tsv: (table) => separated(table, '\t'),
  csv: (table) => separated(table, ','),
  markdown({ columns, shown }) {
    const rule = columns.map(({ alignEnd }) => (alignEnd ? '---:' : '---'));
    const begin = `${markdownLine(columns.map(({ name }) => name))}| ${rule.join(' | ')} |\n`;
    return { begin, line: (log) => markdownLine(shown(log)), end: '' };
  },
  json: (_, count) =>
    count === 1
      ? { begin: '', line: (log) => JSON.stringify(logToJson(log), undefined, 2), end: '' }
      : {
          begin: '[\n',
          line: (log, isLast) => `${JSON.stringify(logToJson(log))}${isLast ? '\n' : ',\n'}`,
          end: ']\n',
        },
};

function separated({ columns, exact }: RowTable, separator: ',' | '\t'): Writer {
  const header = columns.map(({ name }) => name);
  return {
    begin: formatTableLine(header, separator),
    line: (log) => formatTableLine(exact(log), separator),
    end: '',
  };
}

function markdownLine(cells: readonly string[]): string {
  return `| ${cells.map((cell) => (PLAIN.test(cell) ? cell : markdownText(cell))).join(' | ')} |\n`;
}
