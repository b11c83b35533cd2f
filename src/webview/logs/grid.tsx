import { useComputed } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { SortColumn } from '../../features/logs/protocol/columns.ts';
import { Grid } from '../kit/grid/grid.tsx';
import { copyCell, showDetails } from './actions.ts';
import { sortBy } from './arranging.ts';
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
      columnHint={`${strings.sortHint} ${strings.resizeHint}`}
      sort={{
        key: sort?.column,
        descending: sort?.descending ?? false,
        by: (key) => sortBy(state, key as SortColumn),
      }}
      text={({ cells }, column) => cells[column] ?? ''}
      hint={({ hints }, column) => hints[column]}
      isMuted={({ isRaw }) => isRaw}
      isOpenEnded={more}
      context={{ webviewSection: 'log', answer, canOpenExplorer }}
      rowContext={(row) => ({ log: row?.log, canGoToEvent: row?.isDeclared === true })}
      onCopy={(row, column) => copyCell(state, row, column)}
      onOpen={(row) => void showDetails(state, row)}
    />
  );
}
