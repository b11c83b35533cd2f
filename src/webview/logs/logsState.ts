import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { QueryForm } from '../../core/index.ts';
import type {
  Arrangement,
  ChartOffer,
  ColumnId,
  LogColumn,
  WireChart,
} from '../../features/logs/protocol/grid.ts';
import type {
  FormErrors,
  FormFacts,
  LogsHost,
  LogsOpening,
  LogsViewState,
} from '../../features/logs/protocol/protocol.ts';
import type { LogsSnapshot, WireLog, WireRow } from '../../features/logs/protocol/snapshot.ts';
import type { LogsStrings } from '../../features/logs/protocol/strings.ts';
import type { Channel } from '../../messaging/channel.ts';
import { createGridState, type GridState } from '../kit/grid/gridState.ts';
import { RowCache } from '../kit/grid/rowCache.ts';
import { createPanelState, type PanelState } from '../kit/panelState.ts';
import type { ChartCursor } from './chartBars.ts';
import { validateForm } from './formValidation.ts';

/** The row whose details are open, as numbered in one order of the answer. */
interface OpenDetails {
  readonly row: number;
  readonly order: number;
  /** Undefined until it has come; that of the row before while the next is on its way. */
  readonly log: WireLog | undefined;
}

/** What the panel shows and what the user typed, moved or opened. */
export interface LogsState
  extends GridState<ColumnId, WireRow>,
    PanelState<LogsHost, LogsSnapshot, LogsStrings> {
  /** How the rows are to be arranged: the host may still be at it. */
  readonly arrangement: Signal<Arrangement>;
  /** As the host has them. */
  readonly hostColumns: Signal<readonly LogColumn[]>;
  readonly columns: ReadonlySignal<readonly LogColumn[]>;
  /** Topics and data are open in the details. */
  readonly rawOpen: Signal<boolean>;
  readonly form: Signal<QueryForm>;
  readonly fieldErrors: Signal<FormErrors>;
  /** What the host knows of the form; undefined until it has said so. */
  readonly facts: Signal<FormFacts | undefined>;
  readonly topicsOpen: Signal<boolean>;
  /** The form is open; else the query that ran stands in its place. */
  readonly formOpen: Signal<boolean>;
  /** What takes the keyboard as soon as it is drawn. */
  readonly wantsFocus: { current: 'form' | 'line' | 'details' | undefined };
  /** What is sent is shown. */
  readonly sentOpen: Signal<boolean>;
  readonly details: Signal<OpenDetails | undefined>;
  readonly chart: ChartState;
}

export function createLogsState(
  host: Channel<LogsHost>,
  opening: LogsOpening,
  { kept, width }: { readonly kept: LogsViewState | undefined; readonly width: ReadonlySignal<number> },
): LogsState {
  const sameAnswer = kept?.answer === opening.snapshot.answer;
  const form = kept?.form ?? opening.form;
  const problems = findRemainingErrors(form, opening);
  const hasProblem = Object.keys(problems).length > 0;
  const topRow = sameAnswer ? (kept?.topRow ?? 0) : 0;
  const panel = createPanelState(host, opening);
  const { snapshot } = panel;
  const cache = new RowCache<WireRow>((window, options) => host.request('rows', window, options));
  cache.update(opening.snapshot, opening.snapshot.rows);
  const toldColumns = signal(opening.snapshot.columns);
  const columns = computed(() => arrangeColumns(toldColumns.value, width.value));
  const grid = createGridState<ColumnId, WireRow>({
    columns,
    cache,
    topRow,
    savedWidths: kept?.widths,
    rowCount: computed(() => snapshot.value.rows),
    order: computed(() => snapshot.value.order),
    textVersion: computed(() => snapshot.value.textVersion),
  });
  return {
    ...panel,
    ...grid,
    facts: signal(undefined),
    sentOpen: signal(false),
    hostColumns: toldColumns,
    columns,
    rawOpen: signal(false),
    arrangement: signal(opening.arrangement),
    form: signal(form),
    fieldErrors: signal(problems),
    topicsOpen: signal(
      kept?.topicsOpen ?? [form.topic1, form.topic2, form.topic3].some((topic) => topic !== ''),
    ),
    formOpen: signal(
      opening.snapshot.executed === undefined || hasProblem || (sameAnswer && kept?.formOpen === true),
    ),
    wantsFocus: { current: undefined },
    details: signal(undefined),
    chart: createChartState(kept?.chart, width),
  };
}

/** What the host told of the form, as far as it holds for what is typed in it by now. */
function findRemainingErrors(form: QueryForm, opening: LogsOpening): FormErrors {
  const { errors, snapshot, strings } = opening;
  const { field, message } = snapshot.error ?? {};
  if (field && message) return { [field]: message };
  if (Object.keys(errors).length === 0) return {};
  // What only the host knows, such as names, holds as long as nothing else is typed.
  const isSame = JSON.stringify(form) === JSON.stringify(opening.form);
  return isSame ? errors : validateForm(form, strings);
}

/** What to keep while the page is away. */
export function getViewState(state: LogsState): LogsViewState {
  return {
    form: state.form.value,
    widths: state.widths.value,
    topicsOpen: state.topicsOpen.value,
    formOpen: state.formOpen.value,
    arrangement: state.arrangement.value,
    chart: { isShown: state.chart.isWanted.value, unit: state.chart.unit.value },
    answer: state.snapshot.value.answer,
    network: state.snapshot.value.network.move === undefined ? undefined : state.snapshot.value.network.id,
    topRow: state.topRow.value,
    detailed: state.details.value?.log?.log,
  };
}

/** What the chart shows, and where the user is in it. */
export interface ChartState {
  readonly isShown: ReadonlySignal<boolean>;
  /** What the user wants; undefined as long as the room in the view decides. */
  readonly isWanted: Signal<boolean | undefined>;
  readonly unit: Signal<WireChart['unit']>;
  /** Undefined until the host has told. */
  readonly data: Signal<WireChart | undefined>;
  /** Bars that there is room for; undefined until it is drawn. */
  readonly maxBars: Signal<number | undefined>;
  readonly isTableOpen: Signal<boolean>;
  /** The bar under the pointer. */
  readonly pointed: Signal<number | undefined>;
  readonly cursor: Signal<ChartCursor | undefined>;
}

/** Pixels: in a view beside the code that is narrower, the lines above the rows have taken much of its height. */
const MIN_CHART_WIDTH_PX = 400;

function createChartState(
  kept: LogsViewState['chart'] | undefined,
  width: ReadonlySignal<number>,
): ChartState {
  const isWanted = signal(kept?.isShown);
  return {
    isWanted,
    isShown: computed(() => isWanted.value ?? width.value >= MIN_CHART_WIDTH_PX),
    unit: signal(kept?.unit ?? 'block'),
    data: signal(undefined),
    maxBars: signal(undefined),
    isTableOpen: signal(false),
    pointed: signal(undefined),
    cursor: signal(undefined),
  };
}

/** What the chart has to do with the panel that it is in. */
export interface ChartPanel {
  readonly chart: ChartState;
  readonly strings: LogsStrings;
  /** As BCP 47 names it. */
  readonly locale: string;
  readonly offer: ChartOffer | undefined;
  /** By which the rows are narrowed. */
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
}

/** Pixels for the place of a log, its time, and enough of what it says. */
const NARROW_WIDTH_PX = 500;

/** The columns in their order: in a narrow view the time stands behind what a log says, else little of that is in sight. */
export function arrangeColumns(columns: readonly LogColumn[], width: number): readonly LogColumn[] {
  const time = columns.find(({ id }) => id === 'time');
  if (!time || width >= NARROW_WIDTH_PX) return columns;
  const others = columns.filter((column) => column !== time);
  const end = others.findIndex(({ id }) => id === 'transaction');
  return others.toSpliced(end < 0 ? others.length : end, 0, time);
}
