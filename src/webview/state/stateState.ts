import { batch, computed, type Signal, signal } from '@preact/signals';
import type {
  StateArrangement,
  StateColumn,
  StateColumnId,
  StateForm,
  StateHost,
  StateOpening,
  StateSnapshot,
  StateStrings,
  StateViewState,
  WireStateRow,
} from '../../features/state/protocol.ts';
import type { Channel } from '../../messaging/channel.ts';
import type { RowsFormat } from '../../messaging/rowSelection.ts';
import { fitToContent } from '../kit/grid/columnWidths.ts';
import type { RowRange } from '../kit/grid/gridScroll.ts';
import { createGridState, type GridState, toRowPairs } from '../kit/grid/gridState.ts';
import { RowCache } from '../kit/grid/rowCache.ts';
import { callHost, createPanelState, type PanelState, trackViewWidth } from '../kit/panelState.ts';

/** What the panel shows, and what the user has typed. */
export interface StatePage extends PanelState<StateHost, StateSnapshot, StateStrings> {
  readonly form: Signal<StateForm>;
  readonly filter: Signal<string>;
  readonly grid: GridState<StateColumnId, WireStateRow>;
}

export function createStatePage(
  host: Channel<StateHost>,
  opening: StateOpening,
  saved: StateViewState | undefined,
): StatePage {
  const panel = createPanelState(host, opening);
  const { snapshot } = panel;
  const cache = new RowCache<WireStateRow>((window, options) => host.request('rows', window, options));
  cache.update(opening.snapshot, opening.snapshot.rows);
  const fitted = fitToContent<StateColumn>(
    computed(() => snapshot.value.columns),
    cache,
    'share',
  );
  const viewWidth = trackViewWidth();
  return {
    ...panel,
    form: signal(saved?.form ?? opening.form),
    filter: signal(opening.snapshot.arrangement.filter),
    grid: createGridState({
      columns: computed(() => fitToView(fitted.value, viewWidth.value)),
      rowCount: computed(() => snapshot.value.rows),
      order: computed(() => snapshot.value.order),
      textVersion: computed(() => snapshot.value.textVersion),
      ...{ cache, savedWidths: saved?.widths, topRow: 0 },
    }),
  };
}

/** Cuts the addresses of a narrow view, so that values are visible without scrolling; the difference comes first. */
function fitToView(fitted: readonly StateColumn[], viewWidth: number): readonly StateColumn[] {
  const width = fitted.reduce((sum, column) => sum + column.width, SCROLL_BAR_PX);
  const columns = viewWidth < NARROW_VIEW_PX && width > viewWidth ? moveDifference(fitted) : fitted;
  const isLong = ({ width }: StateColumn) => width > MIN_ADDRESS_PX;
  const texts = columns.filter((column) => column.alignEnd !== true && isLong(column));
  const missing = width - viewWidth;
  if (missing <= 0 || texts.length === 0) return columns;
  const cut = Math.ceil(missing / texts.length);
  return columns.map((column) =>
    texts.includes(column) ? { ...column, width: Math.max(MIN_ADDRESS_PX, column.width - cut) } : column,
  );
}

function moveDifference(columns: readonly StateColumn[]): readonly StateColumn[] {
  const difference = columns.filter(({ id }) => id === 'difference');
  const others = columns.filter(({ id }) => id !== 'difference');
  return others.toSpliced(
    others.findIndex(({ id }) => id === 'other'),
    0,
    ...difference,
  );
}

/** Below, two values and their difference are not in sight at once. */
const NARROW_VIEW_PX = 700;
/** `0x` and some digits. */
const MIN_ADDRESS_PX = 120;
const SCROLL_BAR_PX = 14;

export function showSnapshot(page: StatePage, next: StateSnapshot): void {
  const before = page.snapshot.value;
  const { grid } = page;
  grid.cache.update(next, next.rows);
  batch(() => {
    page.snapshot.value = next;
    page.hostError.value = undefined;
    if (next.order === before.order && next.resultId === before.resultId) return;
    grid.selection.value = undefined;
    const { row, column } = grid.active.value;
    grid.goTo.value = { cell: { row: Math.min(row, 0), column }, focus: false, onTop: true };
  });
  // A field shows what is wrong with it while it has the focus.
  const { invalid } = next;
  if (invalid && invalid.message !== before.invalid?.message) {
    setTimeout(() => document.getElementById(invalid.field)?.focus());
  }
}

export function getViewState({ snapshot, form, grid }: StatePage): StateViewState {
  const { kind, address, arrangement } = snapshot.value;
  return { kind, address, form: form.value, arrangement, widths: grid.widths.value };
}

export function load(page: StatePage): void {
  void callHost(page, 'load', page.form.value);
}

export function changeForm({ form }: StatePage, field: keyof StateForm, text: string): void {
  form.value = { ...form.value, [field]: text };
}

export function changeFilter(page: StatePage, filter: string): void {
  page.filter.value = filter;
  arrange(page, { filter });
}

export function arrange(page: StatePage, change: Partial<StateArrangement>): void {
  const { arrangement } = page.snapshot.value;
  void callHost(page, 'arrange', { ...arrangement, filter: page.filter.value, ...change });
}

/** Numbers come first with the largest one, texts in alphabetical order; then the other way round. */
export function sortBy(page: StatePage, column: StateColumnId): void {
  const { arrangement, columns } = page.snapshot.value;
  const { sort } = arrangement;
  const isNumber = columns.find(({ id }) => id === column)?.alignEnd === true;
  const descending = sort?.column === column ? !sort.descending : isNumber;
  arrange(page, { sort: { column, descending } });
}

export function copyCell(page: StatePage, row: number, column: StateColumnId): void {
  const text = page.grid.cache.get(row)?.exact[column];
  if (text !== undefined) void callHost(page, 'copyText', text);
}

/** Copies rows. The host has them all, also those that are not cached here. */
export function copyRows(page: StatePage, ranges: readonly RowRange[], format: RowsFormat = 'tsv'): void {
  const { resultId, order } = page.snapshot.value;
  void callHost(page, 'copyRows', { resultId, order, format, selected: toRowPairs(ranges) });
}
