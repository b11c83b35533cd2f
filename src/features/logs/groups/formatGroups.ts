import { type Clock, createTimeSlices, formatTableLine } from '../../../core/index.ts';
import { formatMarkdownHead, formatMarkdownRow } from '../../../host/ui/markdownBlocks.ts';
import type { RowsFormat } from '../protocol/grid.ts';
import type { GroupReader } from './groupReader.ts';

/** Groups by their numbers, in order. */
export interface GroupTable {
  readonly groups: readonly number[] | Uint32Array;
  readonly reader: GroupReader;
}

/**
 * Groups as text, in parts and in slices of time. Markdown has the displayed texts; the others have exact values, JSON
 * in the form of the command line.
 *
 * @throws the signal's reason when it aborts.
 */
export async function* formatGroups(
  format: RowsFormat,
  { groups, reader }: GroupTable,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): AsyncGenerator<string> {
  const { begin, line, end } = createWriter(format, reader, groups.length);
  const slices = createTimeSlices(clock);
  yield begin;
  for (const [index, group] of groups.entries()) {
    if (slices.isOver()) await slices.rest({ signal });
    yield line(group, index === groups.length - 1);
  }
  yield end;
}

interface Writer {
  readonly begin: string;
  readonly line: (group: number, isLast: boolean) => string;
  readonly end: string;
}

function createWriter(format: RowsFormat, reader: GroupReader, count: number): Writer {
  const { columns } = reader;
  switch (format) {
    case 'tsv':
    case 'csv': {
      const separator = format === 'tsv' ? '\t' : ',';
      // A share is of what is loaded now, and can be made of the sums.
      const exact = columns.filter(({ id }) => id !== 'share');
      return {
        begin: formatTableLine(
          exact.map(({ name }) => name),
          separator,
        ),
        line: (group) =>
          formatTableLine(
            exact.map(({ id }) => reader.cell(group, id).exact),
            separator,
          ),
        end: '',
      };
    }
    case 'markdown':
      return {
        begin: formatMarkdownHead(columns),
        line: (group) => formatMarkdownRow(columns.map(({ id }) => reader.cell(group, id).text)),
        end: '',
      };
    case 'json':
      return count === 1
        ? { begin: '', line: (group) => JSON.stringify(reader.toJson(group), undefined, 2), end: '' }
        : {
            begin: '[\n',
            line: (group, isLast) => `${JSON.stringify(reader.toJson(group))}${isLast ? '\n' : ',\n'}`,
            end: ']\n',
          };
  }
}
