import type { Clock } from '../../../core/index.ts';
import { formatTable } from '../../../host/tableText.ts';
import type { RowsFormat } from '../../../messaging/rowSelection.ts';
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
export function formatGroups(
  format: RowsFormat,
  { groups, reader }: GroupTable,
  options: { readonly clock: Clock; readonly signal: AbortSignal },
): AsyncGenerator<string> {
  const { columns } = reader;
  // A share is of what is loaded now, and can be made of the sums.
  const exact = columns.filter(({ id }) => id !== 'share');
  const groupAt = (index: number) => groups[index] ?? 0;
  const table = {
    count: groups.length,
    columns,
    shown: (index: number) => columns.map(({ id }) => reader.cell(groupAt(index), id).text),
    exactNames: exact.map(({ name }) => name),
    exact: (index: number) => exact.map(({ id }) => reader.cell(groupAt(index), id).exact),
    toJson: (index: number) => reader.toJson(groupAt(index)),
  };
  return formatTable(format, table, options);
}
