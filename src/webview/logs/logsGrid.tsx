import { useComputed } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { SortColumn } from '../../features/logs/protocol/grid.ts';
import type { EmptyRows as Empty, EmptyOffer, WireRow } from '../../features/logs/protocol/snapshot.ts';
import { fillTemplate } from '../../messaging/panel.ts';
import { Grid, type RowMark } from '../kit/grid/grid.tsx';
import { countRows, toRowPairs } from '../kit/grid/gridState.ts';
import {
  arrangeRows,
  copyCell,
  copyRows,
  focusDetails,
  reportRowsInView,
  showDetails,
  sortByColumn,
  switchToChain,
} from './logsActions.ts';
import type { LogsState } from './logsState.ts';
import { runForm } from './queryForm.tsx';

/** The rows of the result, or why there are none. */
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

  const { resultId, order, more, canOpenExplorer, empty } = state.snapshot.value;
  if (empty) return <EmptyRows empty={empty} onOffer={(offer) => void applyOffer(state, offer)} />;
  const ranges = state.selection.value?.ranges;
  const selected = ranges && countRows(ranges) > 1 ? toRowPairs(ranges) : undefined;
  const { sort } = state.arrangement.value;
  const { freshFrom, struck } = state.snapshot.value.follow;
  const struckLogs = new Set(struck);
  const getMark = ({ log }: WireRow): RowMark | undefined =>
    struckLogs.has(log) ? 'struck' : freshFrom !== undefined && log >= freshFrom ? 'fresh' : undefined;
  return (
    <Grid
      grid={state}
      name={strings.grid}
      columnHint={`${strings.sortHint} ${strings.resizeHint}`}
      sort={{
        key: sort?.column,
        descending: sort?.descending ?? false,
        onSort: (key) => sortByColumn(state, key as SortColumn),
      }}
      text={({ cells }, column) => cells[column] ?? ''}
      hint={({ hints, cells }, column) => hints[column] ?? (column === 'event' ? cells.event : undefined)}
      sentence={({ sentence }, column) => (column === 'event' ? sentence : undefined)}
      isMuted={({ isRaw }) => isRaw}
      mark={getMark}
      isOpenEnded={more}
      context={{ webviewSection: 'log', resultId, order, selected, canOpenExplorer }}
      rowContext={(row) => ({ log: row?.log, canGoToEvent: row?.isDeclared === true })}
      onInView={(rows) => reportRowsInView(state, rows)}
      onCopy={(row, column) => copyCell(state, row, column)}
      onOpen={(row, { byKey }) => void (byKey ? focusDetails(state, row) : showDetails(state, row))}
      onCopyRows={(rows) => copyRows(state, rows)}
      selectedText={(count) =>
        fillTemplate(strings.rowsSelected, count.toLocaleString(document.documentElement.lang))
      }
    />
  );
}

/** Applies an offer of the empty result. */
async function applyOffer(state: LogsState, { form, chainId }: EmptyOffer): Promise<void> {
  if (form) state.form.value = form;
  else if (chainId === undefined) return arrangeRows(state, { ...state.arrangement.value, filter: '' });
  else if (!(await switchToChain(state, chainId))) return;
  await runForm(state);
}

/** Says why there are no rows, with offers to change that. */
function EmptyRows({
  empty: { title, detail, reasons },
  onOffer,
}: {
  readonly empty: Empty;
  readonly onOffer: (offer: EmptyOffer) => void;
}) {
  return (
    <section class="empty" aria-label={title}>
      <h2>{title}</h2>
      <p class="where">{detail}</p>
      {reasons.map(({ text, offers }) => (
        <div key={text} class="reason">
          {text !== '' && <p>{text}</p>}
          <ul class="offers">
            {offers.map((offer) => (
              <li key={offer.label}>
                <button type="button" class="plain" onClick={() => onOffer(offer)}>
                  {offer.label}
                </button>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
