import { useComputed } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { SortColumn } from '../../features/logs/protocol/columns.ts';
import type { EmptyOffer } from '../../features/logs/protocol/emptyRows.ts';
import type { WireRow } from '../../features/logs/protocol/logsSnapshot.ts';
import { fill } from '../../messaging/fill.ts';
import { Grid } from '../kit/grid/grid.tsx';
import type { RowMark } from '../kit/grid/gridRow.tsx';
import { countOf } from '../kit/grid/selection.ts';
import { copyCell, copyRows, enterDetails, showDetails, stretchesOf, switchToChain } from './actions.ts';
import { arrange, sortBy } from './arranging.ts';
import { EmptyRows } from './parts/emptyRows.tsx';
import { runForm } from './queryForm.tsx';
import { tellInView } from './rowsInView.ts';
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

  const { answer, order, more, canOpenExplorer, empty } = state.snapshot.value;
  if (empty) return <EmptyRows empty={empty} onOffer={(offer) => void takeOffer(state, offer)} />;
  const ranges = state.selection.value?.ranges;
  const selected = ranges && countOf(ranges) > 1 ? stretchesOf(ranges) : undefined;
  const { sort } = state.arrangement.value;
  const { freshFrom, struck } = state.snapshot.value.follow;
  const isStruck = new Set(struck);
  const markOf = ({ log }: WireRow): RowMark | undefined =>
    isStruck.has(log) ? 'struck' : freshFrom !== undefined && log >= freshFrom ? 'fresh' : undefined;
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
      mark={markOf}
      isOpenEnded={more}
      context={{ webviewSection: 'log', answer, order, selected, canOpenExplorer }}
      rowContext={(row) => ({ log: row?.log, canGoToEvent: row?.isDeclared === true })}
      onInView={(rows) => tellInView(state, rows)}
      onCopy={(row, column) => copyCell(state, row, column)}
      onOpen={(row, { byKey }) => void (byKey ? enterDetails(state, row) : showDetails(state, row))}
      onCopyRows={(rows) => copyRows(state, rows)}
      selectedText={(count) =>
        fill(strings.rowsSelected, count.toLocaleString(document.documentElement.lang))
      }
    />
  );
}

/** Does what is offered where there are no rows. */
async function takeOffer(state: LogsState, { form, chainId }: EmptyOffer): Promise<void> {
  if (form) state.form.value = form;
  else if (chainId === undefined) return arrange(state, { ...state.arrangement.value, filter: '' });
  else if (!(await switchToChain(state, chainId))) return;
  await runForm(state);
}
