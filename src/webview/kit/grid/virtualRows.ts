/**
 * Rows of one height in a scroller, however many: positions are counted in content pixels, and where the content is
 * higher than a browser can lay out, the scroller is shorter and `position` goes its own way beside `scrollTop`.
 */
export interface RowsGeometry {
  readonly rowCount: number;
  readonly rowHeight: number;
  /** Height that rows are seen in, in pixels. */
  readonly viewport: number;
}

export interface ScrollState {
  /** Of the scrolling element. */
  readonly scrollTop: number;
  /** Content pixel at the top of the viewport. */
  readonly position: number;
}

/** Rows `start` up to, not including, `end`. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

/** Firefox lays out up to about 17.9 million pixels, Chromium and WebKit 33.5 million. */
export const MAX_SCROLL_HEIGHT = 15_000_000;

/** Content too high to lay out still moves with the scroll bar pixel by pixel so far from either end. */
const EXACT_ENDS = 100_000;

/** Height of the scrolled element. */
export function scrollHeight({ rowCount, rowHeight }: RowsGeometry): number {
  return Math.min(rowCount * rowHeight, MAX_SCROLL_HEIGHT);
}

/**
 * The state after the element was scrolled to `scrollTop`. A short way, as by wheel or touch, moves the content by
 * as many pixels; a long one, as by dragging the scroll bar, goes to the place in the content that the bar tells.
 */
export function scrolled(geometry: RowsGeometry, before: ScrollState, scrollTop: number): ScrollState {
  const delta = scrollTop - before.scrollTop;
  const isShort = Math.abs(delta) <= geometry.viewport && scrollTop > 0 && scrollTop < maxScrollTop(geometry);
  const position = isShort
    ? before.position + delta
    : rescaled(scrollTop, maxScrollTop(geometry), maxPosition(geometry));
  return { scrollTop, position: clampPosition(geometry, position) };
}

/** The state with `position` at the top of the viewport and the scroll bar where it belongs. */
export function scrollTo(geometry: RowsGeometry, position: number): ScrollState {
  const clamped = clampPosition(geometry, position);
  const scrollTop = Math.round(rescaled(clamped, maxPosition(geometry), maxScrollTop(geometry)));
  return { scrollTop, position: clamped };
}

/** The position nearest to `position` in which `row` is seen whole. */
export function revealing({ rowHeight, viewport }: RowsGeometry, position: number, row: number): number {
  const top = row * rowHeight;
  return Math.min(Math.max(position, top + rowHeight - viewport), top);
}

/** The rows to draw: those in view and `overscan` to either side, in steps that keep redrawing rare. */
export function rowsInView(geometry: RowsGeometry, position: number, overscan: number): RowRange {
  const { rowCount, rowHeight, viewport } = geometry;
  const step = Math.max(1, Math.floor(overscan / 2));
  const first = Math.floor(position / rowHeight) - overscan;
  const last = Math.ceil((position + viewport) / rowHeight) + overscan;
  return {
    start: Math.max(0, Math.floor(first / step) * step),
    end: Math.min(rowCount, Math.ceil(last / step) * step),
  };
}

/** The rows to draw: those in view, and the active one wherever it is, since it holds the focus. */
export function rowsToDraw({ start, end }: RowRange, active: number, rows: number): readonly number[] {
  const drawn = Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index);
  if (active >= 0 && active < start) return [active, ...drawn];
  if (active >= end && active < rows) return [...drawn, active];
  return drawn;
}

/** Where a row stands in the scrolled element, in pixels from its top. */
export function rowTop(rowHeight: number, state: ScrollState, row: number): number {
  return row * rowHeight - state.position + state.scrollTop;
}

/**
 * Takes a place from a way of `from` pixels to one of `to`: evenly, but for the ends, which are alike on both. A wheel
 * turned there would otherwise bring the bar to its end before the content, and skip the rows between.
 */
function rescaled(place: number, from: number, to: number): number {
  const ends = Math.min(EXACT_ENDS, from / 2, to / 2);
  if (place <= ends) return place;
  if (place >= from - ends) return to - (from - place);
  return ends + ((place - ends) * (to - 2 * ends)) / (from - 2 * ends);
}

function maxPosition({ rowCount, rowHeight, viewport }: RowsGeometry): number {
  return Math.max(0, rowCount * rowHeight - viewport);
}

function maxScrollTop(geometry: RowsGeometry): number {
  return Math.max(0, scrollHeight(geometry) - geometry.viewport);
}

function clampPosition(geometry: RowsGeometry, position: number): number {
  return Math.min(Math.max(0, Number.isFinite(position) ? position : 0), maxPosition(geometry));
}
