import { useComputed } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Column, columns, type WireRow } from '../../features/logs/protocol/protocol.ts';
import { Grid } from '../kit/grid/grid.tsx';
import { copyCell, showDetails, sortBy } from './actions.ts';
import type { LogsState } from './state.ts';

/** The rows of the answer. */
export function LogsGrid({ state }: { readonly state: LogsState }) {
  const { strings, active } = state;
  const openRow = useComputed(() => (state.details.value ? active.value.row : undefined));
  useEffect(
    () =>
      openRow.subscribe((row) => {
        if (row !== undefined && row >= 0) void showDetails(state, row);
      }),
    [openRow, state],
  );

  const { answer, more, canOpenExplorer } = state.snapshot.value;
  const { sort } = state.arrangement.value;
  return (
    <Grid
      grid={state}
      name={strings.grid}
      columnNames={columnNames(state)}
      columnHint={`${strings.sortHint} ${strings.resizeHint}`}
      sort={{
        column: sort?.column,
        descending: sort?.descending ?? false,
        by: (column) => sortBy(state, column),
      }}
      text={shownText}
      isOpenEnded={more}
      context={{ webviewSection: 'log', answer, canOpenExplorer }}
      rowContext={(row) => ({ log: row?.log })}
      onCopy={(row, column) => copyCell(state, row, column)}
      onOpen={(row) => void showDetails(state, row)}
    />
  );
}

function columnNames({ strings }: LogsState): Readonly<Record<Column, string>> {
  const names = columns.map((column) => [column, strings[column]]);
  return Object.fromEntries(names) as Record<Column, string>;
}

function shownText(row: WireRow, column: Column): string {
  switch (column) {
    case 'topics':
      return row.topics.join(' ');
    case 'index':
      return row.index.toString();
    default:
      return row[column];
  }
}
