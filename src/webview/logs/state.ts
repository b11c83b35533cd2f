import { computed, type Signal, signal } from '@preact/signals';
import type { LogArrangement } from '../../core/index.ts';
import {
  type Column,
  columns,
  type LogsHost,
  type LogsSnapshot,
  type Opening,
  type ViewState,
  type WireLog,
  type WireRow,
} from '../../features/logs/protocol/protocol.ts';
import { checkForm, type FormProblems, type QueryForm } from '../../features/logs/protocol/queryForm.ts';
import type { LogsStrings } from '../../features/logs/protocol/strings.ts';
import type { Channel } from '../../messaging/channel.ts';
import { createGridState, type GridState, type Widths } from '../kit/grid/gridState.ts';
import { RowCache } from '../kit/grid/rowCache.ts';

const DEFAULT_WIDTHS: Widths<Column> = {
  block: 100,
  index: 74,
  transaction: 160,
  address: 350,
  topics: 300,
  data: 160,
};

/** The row whose details are open, as numbered in one order of the answer. */
export interface Details {
  readonly row: number;
  readonly order: number;
  /** Undefined until it has come; that of the row before while the next is on its way. */
  readonly log: WireLog | undefined;
}

/** What the panel shows and what the user typed, moved or opened. */
export interface LogsState extends GridState<Column, WireRow> {
  readonly strings: LogsStrings;
  readonly host: Channel<LogsHost>;
  readonly snapshot: Signal<LogsSnapshot>;
  /** How the rows are to be arranged: the host may still be at it. */
  readonly arrangement: Signal<LogArrangement>;
  readonly form: Signal<QueryForm>;
  readonly problems: Signal<FormProblems>;
  readonly topicsOpen: Signal<boolean>;
  /** The reasons of the verdict are open. */
  readonly reasonsOpen: Signal<boolean>;
  readonly details: Signal<Details | undefined>;
  /** Set when the extension failed to do what was asked. */
  readonly hostFailure: Signal<string | undefined>;
}

export function createLogsState(
  host: Channel<LogsHost>,
  opening: Opening,
  kept: ViewState | undefined,
): LogsState {
  const sameAnswer = kept?.answer === opening.snapshot.answer;
  const form = kept?.form ?? opening.form;
  const topRow = sameAnswer ? (kept?.topRow ?? 0) : 0;
  const snapshot = signal(opening.snapshot);
  const cache = new RowCache<WireRow>((window, aborted) => host.request('rows', window, aborted));
  cache.follow(opening.snapshot, opening.snapshot.rows);
  const grid = createGridState({
    ...{ columns, cache, topRow, defaultWidths: DEFAULT_WIDTHS, keptWidths: kept?.widths },
    rowCount: computed(() => snapshot.value.rows),
    order: computed(() => snapshot.value.order),
  });
  return {
    ...grid,
    strings: opening.strings,
    host,
    snapshot,
    arrangement: signal(opening.arrangement),
    form: signal(form),
    problems: signal(stillWrong(form, opening)),
    topicsOpen: signal(
      kept?.topicsOpen ?? [form.topic1, form.topic2, form.topic3].some((topic) => topic !== ''),
    ),
    reasonsOpen: signal(false),
    details: signal(undefined),
    hostFailure: signal(undefined),
  };
}

export function isSameArrangement(a: LogArrangement, b: LogArrangement): boolean {
  return (
    a.filter === b.filter && a.sort?.column === b.sort?.column && a.sort?.descending === b.sort?.descending
  );
}

/** What the host told of the form, as far as it holds for what is typed in it by now. */
function stillWrong(form: QueryForm, { problems, snapshot }: Opening): FormProblems {
  const { field, message } = snapshot.problem ?? {};
  if (field && message) return { [field]: message };
  return Object.keys(problems).length === 0 ? {} : (checkForm(form).problems ?? {});
}

/** What to keep while the page is away. */
export function viewState(state: LogsState): ViewState {
  return {
    form: state.form.value,
    widths: state.widths.value,
    topicsOpen: state.topicsOpen.value,
    arrangement: state.arrangement.value,
    answer: state.snapshot.value.answer,
    topRow: state.topRow.value,
  };
}
