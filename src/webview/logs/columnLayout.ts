import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { ColumnId, LogColumn } from '../../features/logs/protocol/grid.ts';
import type { LogsSnapshot, WireRow } from '../../features/logs/protocol/snapshot.ts';
import { fitColumns, measureColumns } from '../kit/grid/columnWidths.ts';
import type { ColumnWidths } from '../kit/grid/gridState.ts';
import type { RowCache } from '../kit/grid/rowCache.ts';

interface ColumnInputs {
  readonly snapshot: ReadonlySignal<LogsSnapshot>;
  readonly cache: RowCache<WireRow>;
  /** Of the view, in pixels. */
  readonly width: ReadonlySignal<number>;
}

/** The columns that fit the view: their choice, order and widths follow its width and the first page of rows. */
export function layOutLogColumns({
  snapshot,
  cache,
  width,
}: ColumnInputs): ReadonlySignal<readonly LogColumn[]> {
  // As text, so that a snapshot with the same columns changes nothing.
  const sent = computed(() => {
    const { columns, narrowColumns } = snapshot.value;
    return JSON.stringify({ columns, narrowColumns });
  });
  const hostColumns = computed<Pick<LogsSnapshot, 'columns' | 'narrowColumns'>>(() => JSON.parse(sent.value));
  const content = trackContent({ snapshot, cache }, hostColumns);
  return computed(() => {
    const { columns, narrowColumns } = hostColumns.value;
    const { widths, repeated } = content.value;
    const isNarrow = width.value < NARROW_WIDTH_PX;
    const arranged = arrangeColumns(isNarrow ? narrowColumns : columns, { isNarrow, repeated });
    const fitted = fitColumns(arranged, widths);
    return isNarrow ? fitSentence(fitted, width.value - MARGIN_PX) : fitted;
  });
}

/** Below, a row is one sentence: a column for each argument would leave the last ones out of sight. */
const NARROW_WIDTH_PX = 700;

/**
 * Orders the columns: addresses that repeat in every row come last; in a narrow view the time comes after the
 * content of a log.
 */
export function arrangeColumns(
  columns: readonly LogColumn[],
  { isNarrow, repeated }: { readonly isNarrow: boolean; readonly repeated: ReadonlySet<ColumnId> },
): readonly LogColumn[] {
  const isRepeated = (column: LogColumn) => column.isFixed === true || repeated.has(column.id);
  const ordered = [...columns.filter((column) => !isRepeated(column)), ...columns.filter(isRepeated)];
  const time = isNarrow ? ordered.find(({ id }) => id === 'time') : undefined;
  if (!time) return ordered;
  const others = ordered.filter((column) => column !== time);
  const end = others.findIndex(({ id }) => id === 'transaction');
  return others.toSpliced(end < 0 ? others.length : end, 0, time);
}

interface Content {
  /** Of the widest text of a column, in pixels. */
  readonly widths: ColumnWidths;
  /** Address columns with one value. */
  readonly repeated: ReadonlySet<ColumnId>;
}

/**
 * Measures the first page of rows. Within a result the order stays, and widths only grow until texts change:
 * sorting and following do not move the columns.
 */
function trackContent(
  { snapshot, cache }: Pick<ColumnInputs, 'snapshot' | 'cache'>,
  hostColumns: ReadonlySignal<Pick<LogsSnapshot, 'columns' | 'narrowColumns'>>,
): ReadonlySignal<Content> {
  const content = signal<Content>({ widths: {}, repeated: new Set() });
  const resultId = computed(() => snapshot.value.resultId);
  let measured: { readonly rows: unknown; readonly shape: unknown; readonly texts: string } | undefined;
  let compared: { readonly result: string; readonly shape: unknown } | undefined;
  effect(() => {
    cache.version.value;
    const shape = hostColumns.value;
    const result = resultId.value;
    const { rows, textVersion } = cache.firstPage;
    const texts = `${result} ${textVersion}`;
    const isMeasured = measured?.rows === rows && measured.shape === shape && measured.texts === texts;
    if (rows.length === 0 || isMeasured) return;
    const keepsWidths = measured?.shape === shape && measured.texts === texts;
    const keepsOrder = compared?.shape === shape && compared.result === result;
    measured = { rows, shape, texts };
    const columns = [...shape.columns, ...shape.narrowColumns];
    const before = content.peek();
    const widths = measureColumns(columns, rows, keepsWidths ? before.widths : {});
    const repeated = keepsOrder ? before.repeated : findRepeated(columns, rows);
    if (rows.length > 1) compared = { result, shape };
    content.value = { widths, repeated };
  });
  return content;
}

function findRepeated(columns: readonly LogColumn[], rows: readonly WireRow[]): ReadonlySet<ColumnId> {
  const exact = ({ cells, hints }: WireRow, id: ColumnId) => hints[id] ?? cells[id];
  const isRepeated = ({ id, context }: LogColumn) =>
    context?.holdsAddress === true &&
    rows.every((row, _, [first = row]) => exact(row, id) === exact(first, id));
  return new Set(rows.length > 1 ? columns.filter(isRepeated).map(({ id }) => id) : []);
}

/** Ends the sentence within the view, so that its amount is visible without scrolling. */
function fitSentence(columns: readonly LogColumn[], viewWidth: number): readonly LogColumn[] {
  const place = columns.findIndex(({ id }) => id === 'event');
  const start = columns.slice(0, place).reduce((sum, { width }) => sum + width, 0);
  const available = Math.max(viewWidth - start, MIN_SENTENCE_PX);
  return columns.map((column, index) =>
    index === place ? { ...column, width: Math.min(column.width, available) } : column,
  );
}

/** A name and an amount. */
const MIN_SENTENCE_PX = 160;

/** The padding of the next cell. With that of the cell itself it has room for a scroll bar. */
const MARGIN_PX = 8;
