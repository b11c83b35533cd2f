import { type Clock, createTimeSlices, formatTableLine } from '../core/index.ts';
import type { RowsFormat } from '../messaging/rowSelection.ts';
import { formatMarkdownHead, formatMarkdownRow } from './ui/markdownBlocks.ts';

/** Rows as text. Markdown has the displayed texts; the other formats have exact values. */
export interface TextTable {
  readonly count: number;
  /** The displayed columns. */
  readonly columns: readonly { readonly name: string; readonly alignEnd?: boolean }[];
  readonly shown: (index: number) => readonly string[];
  readonly exactNames: readonly string[];
  readonly exact: (index: number) => readonly string[];
  readonly toJson: (index: number) => unknown;
}

export interface SliceOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * A table as text, in parts and in slices of time.
 *
 * @throws the signal's reason when it aborts.
 */
export async function* formatTable(
  format: RowsFormat,
  table: TextTable,
  { clock, signal }: SliceOptions,
): AsyncGenerator<string> {
  const { begin, line, end } = createWriter(format, table);
  const slices = createTimeSlices(clock);
  yield begin;
  for (let index = 0; index < table.count; index++) {
    if (slices.isOver()) await slices.rest({ signal });
    yield line(index);
  }
  yield end;
}

interface Writer {
  readonly begin: string;
  readonly line: (index: number) => string;
  readonly end: string;
}

function createWriter(format: RowsFormat, table: TextTable): Writer {
  const { columns, shown, exactNames, exact, toJson, count } = table;
  switch (format) {
    case 'tsv':
    case 'csv': {
      const separator = format === 'tsv' ? '\t' : ',';
      return {
        begin: formatTableLine(exactNames, separator),
        line: (index) => formatTableLine(exact(index), separator),
        end: '',
      };
    }
    case 'markdown':
      return {
        begin: formatMarkdownHead(columns),
        line: (index) => formatMarkdownRow(shown(index)),
        end: '',
      };
    case 'json':
      return count === 1
        ? { begin: '', line: (index) => JSON.stringify(toJson(index), undefined, 2), end: '' }
        : {
            begin: '[\n',
            line: (index) => `${JSON.stringify(toJson(index))}${index === count - 1 ? '\n' : ',\n'}`,
            end: ']\n',
          };
  }
}

/** More rows need an export to a file. */
export const MAX_COPIED_ROWS = 10_000;
export const MAX_COPIED_CHARS = 4_000_000;

/** Undefined if it is too long to copy. */
export async function joinText(parts: AsyncIterable<string>): Promise<string | undefined> {
  const texts: string[] = [];
  let length = 0;
  for await (const text of parts) {
    length += text.length;
    if (length > MAX_COPIED_CHARS) return undefined;
    texts.push(text);
  }
  return texts.join('');
}
