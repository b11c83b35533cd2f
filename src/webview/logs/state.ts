import { type Signal, signal } from '@preact/signals';
import type { LogArrangement } from '../../core/index.ts';
import {
  type Column,
  columns,
  type LogsHost,
  type LogsSnapshot,
  type Opening,
  type ViewState,
  type WireLog,
} from '../../features/logs/protocol.ts';
import { checkForm, type FormProblems, type QueryForm } from '../../features/logs/queryForm.ts';
import type { LogsStrings } from '../../features/logs/strings.ts';
import type { Channel } from '../../messaging/channel.ts';
import type { GridCell } from './gridKeys.ts';
import { RowCache } from './rowCache.ts';

export type Widths = Readonly<Record<Column, number>>;

const DEFAULT_WIDTHS: Widths = {
  block: 100,
  index: 74,
  transaction: 160,
  address: 350,
  topics: 300,
  data: 160,
};

/** A cell to show and make the active one. */
export interface GoTo {
  readonly cell: GridCell;
  readonly focus: boolean;
  /** Puts its row on top instead of scrolling as little as it takes. */
  readonly onTop?: boolean;
  /** The row in whose place on screen its row is to stand, if that one is in view. */
  readonly insteadOf?: number;
}

/** The row whose details are open, as numbered in one order of the answer. */
export interface Details {
  readonly row: number;
  readonly order: number;
  /** Undefined until it has come; that of the row before while the next is on its way. */
  readonly log: WireLog | undefined;
}

/** What the panel shows and what the user typed, moved or opened. */
export interface LogsState {
  readonly strings: LogsStrings;
  readonly host: Channel<LogsHost>;
  readonly snapshot: Signal<LogsSnapshot>;
  readonly cache: RowCache;
  /** How the rows are to be arranged: the host may still be at it. */
  readonly arrangement: Signal<LogArrangement>;
  readonly form: Signal<QueryForm>;
  readonly problems: Signal<FormProblems>;
  readonly topicsOpen: Signal<boolean>;
  /** The reasons of the verdict are open. */
  readonly reasonsOpen: Signal<boolean>;
  readonly widths: Signal<Widths>;
  /** First row in view. */
  readonly topRow: Signal<number>;
  readonly active: Signal<GridCell>;
  readonly details: Signal<Details | undefined>;
  /** Set when the extension failed to do what was asked. */
  readonly hostFailure: Signal<string | undefined>;
  /** Asks the grid to move. */
  readonly goTo: Signal<GoTo | undefined>;
}

export function createLogsState(
  host: Channel<LogsHost>,
  opening: Opening,
  kept: ViewState | undefined,
): LogsState {
  const sameAnswer = kept?.answer === opening.snapshot.answer;
  const form = kept?.form ?? opening.form;
  const topRow = sameAnswer ? (kept?.topRow ?? 0) : 0;
  const cache = new RowCache((window, aborted) => host.request('rows', window, aborted));
  cache.follow(opening.snapshot, opening.snapshot.rows);
  return {
    strings: opening.strings,
    host,
    snapshot: signal(opening.snapshot),
    cache,
    arrangement: signal(opening.arrangement),
    form: signal(form),
    problems: signal(stillWrong(form, opening)),
    topicsOpen: signal(
      kept?.topicsOpen ?? [form.topic1, form.topic2, form.topic3].some((topic) => topic !== ''),
    ),
    reasonsOpen: signal(false),
    widths: signal(
      Object.fromEntries(
        columns.map((column) => [column, kept?.widths[column] ?? DEFAULT_WIDTHS[column]]),
      ) as Widths,
    ),
    topRow: signal(topRow),
    active: signal({ row: topRow, column: 0 }),
    details: signal(undefined),
    hostFailure: signal(undefined),
    goTo: signal(undefined),
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
