import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { GridColumn } from '../../../messaging/panel.ts';
import type { ColumnWidths } from './gridState.ts';
import type { RowCache } from './rowCache.ts';

/**
 * The columns, as wide as the texts of the first rows. Widths only grow while the columns stay.
 *
 * @param bar the column of a bar, which has no text to measure.
 */
export function fitToContent<Column extends GridColumn<string, string>>(
  columns: ReadonlySignal<readonly Column[]>,
  cache: RowCache<{ readonly cells: Readonly<Partial<Record<Column['id'], string>>> }>,
  bar?: Column['id'],
): ReadonlySignal<readonly Column[]> {
  // As text, so that a snapshot with the same columns changes nothing.
  const sent = computed(() => JSON.stringify(columns.value));
  const hostColumns = computed<readonly Column[]>(() => JSON.parse(sent.value));
  const widths = signal<ColumnWidths>({});
  let measured: { readonly columns: unknown; readonly rows: unknown } | undefined;
  effect(() => {
    cache.version.value;
    const shape = hostColumns.value;
    const { rows } = cache.firstPage;
    if (rows.length === 0 || (measured?.rows === rows && measured.columns === shape)) return;
    const before = measured?.columns === shape ? widths.peek() : {};
    measured = { columns: shape, rows };
    widths.value = measureColumns<Column['id']>(
      shape.filter(({ id }) => id !== bar),
      rows,
      before,
    );
  });
  return computed(() => fitColumns(hostColumns.value, widths.value));
}

/** Returns the width of the widest text of each column, at least that of `before`. */
export function measureColumns<Id extends string>(
  columns: readonly GridColumn<Id, string>[],
  rows: readonly { readonly cells: Readonly<Partial<Record<Id, string>>> }[],
  before: ColumnWidths,
): ColumnWidths {
  const fonts = readFonts();
  const widths: Record<string, number> = {};
  for (const { id, name, isProse } of columns) {
    const texts = new Set(rows.map(({ cells }) => cells[id] ?? ''));
    const widest = Math.max(
      measureWidest([name], fonts.head) + SORT_MARK_PX,
      measureWidest(texts, isProse ? fonts.prose : fonts.cell),
    );
    widths[id] = Math.max(before[id] ?? 0, Math.ceil(widest) + CELL_PADDING_PX);
  }
  return widths;
}

/** Sets the widths of columns: that of their content, at most that of the host. */
export function fitColumns<Column extends GridColumn<string, string>>(
  columns: readonly Column[],
  widths: ColumnWidths,
): readonly Column[] {
  return columns.map((column) => ({
    ...column,
    width: Math.min(widths[column.id] ?? column.width, column.width),
  }));
}

/** The padding of a cell, and a pixel for rounding. */
export const CELL_PADDING_PX = 17;

/** The mark of the sorted column. */
const SORT_MARK_PX = 14;

let canvas: CanvasRenderingContext2D | null | undefined;

function measureWidest(texts: Iterable<string>, font: string): number {
  canvas ??= document.createElement('canvas').getContext('2d');
  if (!canvas) return 0;
  // Reading or setting a font takes as long as measuring a text.
  canvas.font = font;
  let widest = 0;
  for (const text of texts) widest = Math.max(widest, canvas.measureText(text).width);
  return widest;
}

/** The width of a text in the font of sentences, in pixels. */
export function measureProse(text: string): number {
  const { prose } = readFonts();
  const key = `${prose} ${text}`;
  const cached = proseWidths.get(key);
  if (cached !== undefined) return cached;
  if (proseWidths.size >= MAX_CACHED_WIDTHS) proseWidths.clear();
  const width = measureWidest([text], prose);
  proseWidths.set(key, width);
  return width;
}

const proseWidths = new Map<string, number>();
const MAX_CACHED_WIDTHS = 2000;

/** The fonts of the grid's style sheet. */
function readFonts(): Readonly<Record<'cell' | 'prose' | 'head', string>> {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(name).trim();
  const size = read('--vscode-font-size') || '13px';
  const prose = `${size} ${read('--vscode-font-family') || 'sans-serif'}`;
  return {
    cell: `${size} ${read('--vscode-editor-font-family') || 'monospace'}`,
    prose,
    head: `600 ${prose}`,
  };
}
