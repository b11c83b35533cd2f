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
import { layOutLogColumns } from './columnLayout.ts';
import { validateForm } from './formValidation.ts';
import { createGroupsState, type GroupsState } from './groupsState.ts';

/** What the panel shows, and what the user has typed, moved or opened. */
export interface LogsState
  extends GridState<ColumnId, WireRow>,
    PanelState<LogsHost, LogsSnapshot, LogsStrings> {
  /** The requested arrangement of the rows: the host may not have applied it yet. */
  readonly arrangement: Signal<Arrangement>;
  readonly columns: ReadonlySignal<readonly LogColumn[]>;
  /** Whether the details show topics and data. */
  readonly rawOpen: Signal<boolean>;
  readonly form: Signal<QueryForm>;
  readonly fieldErrors: Signal<FormErrors>;
  /** What the host has found out about the form; undefined until its first response. */
  readonly facts: Signal<FormFacts | undefined>;
  readonly topicsOpen: Signal<boolean>;
  /** Whether the form is open; otherwise the query that ran is shown in one line. */
  readonly formOpen: Signal<boolean>;
  /** What gets the focus as soon as it is drawn. */
  readonly wantsFocus: { current: 'form' | 'line' | 'details' | 'groups' | undefined };
  /** Whether the filter that is sent is shown. */
  readonly sentOpen: Signal<boolean>;
  readonly details: Signal<OpenDetails | undefined>;
  readonly chart: ChartState;
  readonly groups: GroupsState;
}

/** What the chart shows, and the position of the user in it. */
export interface ChartState {
  readonly isShown: ReadonlySignal<boolean>;
  /** The choice of the user; undefined while the width of the view decides. */
  readonly isWanted: Signal<boolean | undefined>;
  readonly unit: Signal<WireChart['unit']>;
  /** Undefined until the host has sent it. */
  readonly data: Signal<WireChart | undefined>;
  /** Whether the bars are on the screen: their code is loaded with the first chart. */
  readonly isDrawn: Signal<boolean>;
  /** Whether the bars are of the rows as they are now. */
  readonly isCurrent: Signal<boolean>;
  /** Number of bars that fit; undefined until it is drawn. */
  readonly maxBars: Signal<number | undefined>;
  readonly isTableOpen: Signal<boolean>;
  readonly pointed: Signal<number | undefined>;
  readonly cursor: Signal<ChartCursor | undefined>;
}

/** What the chart needs of its panel. */
export interface ChartPanel {
  readonly chart: ChartState;
  readonly strings: LogsStrings;
  /** BCP 47. */
  readonly locale: string;
  readonly offer: ChartOffer | undefined;
  /** The filter of the rows. */
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
}

/** The row whose details are open, as numbered in one order of the result. */
interface OpenDetails {
  readonly row: number;
  readonly order: number;
  /** Undefined until fetched; the previous row's log while the next one is fetched. */
  readonly log: WireLog | undefined;
}

export function createLogsState(
  host: Channel<LogsHost>,
  opening: LogsOpening,
  { saved, width }: { readonly saved: LogsViewState | undefined; readonly width: ReadonlySignal<number> },
): LogsState {
  const isSameResult = saved?.answer === opening.snapshot.resultId;
  const form = saved?.form ?? opening.form;
  const errors = findRemainingErrors(form, opening);
  const hasErrors = Object.keys(errors).length > 0;
  const topRow = isSameResult ? (saved?.topRow ?? 0) : 0;
  const panel = createPanelState(host, opening);
  const { snapshot } = panel;
  const cache = new RowCache<WireRow>((window, options) => host.request('rows', window, options));
  cache.update(opening.snapshot, opening.snapshot.rows);
  const columns = layOutLogColumns({ snapshot, cache, width });
  const grid = createGridState<ColumnId, WireRow>({
    columns,
    cache,
    topRow,
    savedWidths: saved?.widths,
    rowCount: computed(() => snapshot.value.rows),
    order: computed(() => snapshot.value.order),
    textVersion: computed(() => snapshot.value.textVersion),
  });
  return {
    ...panel,
    ...grid,
    facts: signal(undefined),
    sentOpen: signal(false),
    columns,
    rawOpen: signal(false),
    arrangement: signal(opening.arrangement),
    form: signal(form),
    fieldErrors: signal(errors),
    topicsOpen: signal(
      saved?.topicsOpen ?? [form.topic1, form.topic2, form.topic3].some((topic) => topic !== ''),
    ),
    formOpen: signal(
      opening.snapshot.executed === undefined || hasErrors || (isSameResult && saved?.formOpen === true),
    ),
    wantsFocus: { current: undefined },
    details: signal(undefined),
    chart: createChartState(saved?.chart, width),
    groups: createGroupsState(host, snapshot, saved?.widths),
  };
}

/** The state to save while the page is hidden. */
export function getViewState(state: LogsState): LogsViewState {
  return {
    form: state.form.value,
    widths: { ...state.widths.value, ...state.groups.widths.value },
    topicsOpen: state.topicsOpen.value,
    formOpen: state.formOpen.value,
    arrangement: state.arrangement.value,
    chart: { isShown: state.chart.isWanted.value, unit: state.chart.unit.value },
    groups: state.snapshot.value.groups?.choice,
    answer: state.snapshot.value.resultId,
    network: state.snapshot.value.network.move === undefined ? undefined : state.snapshot.value.network.id,
    topRow: state.topRow.value,
    detailed: state.details.value?.log?.log,
  };
}

/** The errors of the host that still apply to the typed form. */
function findRemainingErrors(form: QueryForm, opening: LogsOpening): FormErrors {
  const { errors, snapshot, strings } = opening;
  const { field, message } = snapshot.error ?? {};
  if (field && message) return { [field]: message };
  if (Object.keys(errors).length === 0) return {};
  // Errors that only the host finds, such as unknown names, apply until the form is changed.
  const isSame = JSON.stringify(form) === JSON.stringify(opening.form);
  return isSame ? errors : validateForm(form, strings);
}

function createChartState(
  saved: LogsViewState['chart'] | undefined,
  width: ReadonlySignal<number>,
): ChartState {
  const isWanted = signal(saved?.isShown);
  return {
    isWanted,
    isShown: computed(() => isWanted.value ?? width.value >= MIN_CHART_WIDTH_PX),
    unit: signal(saved?.unit ?? 'block'),
    data: signal(undefined),
    isDrawn: signal(false),
    isCurrent: signal(false),
    maxBars: signal(undefined),
    isTableOpen: signal(false),
    pointed: signal(undefined),
    cursor: signal(undefined),
  };
}

/** In a narrower view beside the code, the lines above the rows already take much of its height. */
const MIN_CHART_WIDTH_PX = 400;
