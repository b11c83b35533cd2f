import { computed, type ReadonlySignal, signal } from '@preact/signals';

export const ROW_HEIGHT_PX = 22;
const HEADER_HEIGHT_PX = 24;
const SETTLE_MS = 120;

/** Rows to draw, and the scroll state that they are placed by. */
interface DrawnRows {
  readonly start: number;
  readonly end: number;
  readonly scroll: ScrollState;
}

/** The scroll state of the grid: follows its element and computes which rows to draw. */
export class GridScroll {
  readonly drawn: ReadonlySignal<DrawnRows>;
  /** Height of the scrolled element, in pixels. */
  readonly height: ReadonlySignal<number>;
  readonly #viewport = signal(0);
  readonly #state = signal<ScrollState>({ scrollTop: 0, position: 0 });
  readonly #geometry: ReadonlySignal<RowsGeometry>;
  #element: HTMLElement | undefined;
  #settling: ReturnType<typeof setTimeout> | undefined;

  constructor(rowCount: ReadonlySignal<number>, overscan: number) {
    this.#geometry = computed(() => ({
      rowCount: rowCount.value,
      rowHeight: ROW_HEIGHT_PX,
      viewport: this.#viewport.value,
    }));
    this.height = computed(() => getScrollHeight(this.#geometry.value));
    let last: DrawnRows | undefined;
    this.drawn = computed(() => {
      const scroll = this.#state.value;
      const { start, end } = getRowsInView(this.#geometry.value, scroll.position, overscan);
      if (
        !last ||
        last.start !== start ||
        last.end !== end ||
        getScrollShift(last.scroll) !== getScrollShift(scroll)
      ) {
        last = { start, end, scroll };
      }
      return last;
    });
  }

  get pageRows(): number {
    return Math.max(1, Math.floor(this.#viewport.value / ROW_HEIGHT_PX) - 1);
  }

  get topRow(): number {
    return Math.round(this.#state.value.position / ROW_HEIGHT_PX);
  }

  /**
   * Starts to follow `element`; the returned function stops it. The row of `activeRow` stays in view when the
   * element shrinks.
   */
  attach(element: HTMLElement, activeRow: () => number, onSettled: () => void): () => void {
    this.#element = element;
    const measure = () => {
      const row = activeRow();
      const wasInView = this.#isInView(row);
      this.#viewport.value = Math.max(0, element.clientHeight - HEADER_HEIGHT_PX);
      if (wasInView) this.reveal(row);
    };
    const follow = () => {
      this.#state.value = applyScroll(this.#geometry.value, this.#state.value, element.scrollTop);
      clearTimeout(this.#settling);
      this.#settling = setTimeout(() => {
        // A further scroll event is still to come: settling now would undo it.
        if (element.scrollTop !== this.#state.value.scrollTop) return;
        this.#settle();
        onSettled();
      }, SETTLE_MS);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', follow, { passive: true });
    measure();
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', follow);
      clearTimeout(this.#settling);
    };
  }

  /** Scrolls as little as possible to show all of `row`. */
  reveal(row: number): void {
    const { position } = this.#state.value;
    const revealing = findRevealingPosition(this.#geometry.value, position, Math.max(0, row));
    if (revealing !== position) this.#move(revealing);
  }

  /** Scrolls `row` to the top. */
  moveTo(row: number): void {
    this.#move(row * ROW_HEIGHT_PX);
  }

  /** Scrolls so that `row` takes the place of `before` on screen, if that was in view. */
  keepInPlace(row: number, before: number): void {
    if (!this.#isInView(before)) return;
    this.#move(this.#state.value.position + (row - before) * ROW_HEIGHT_PX);
  }

  /**
   * Follows the rows on screen when rows have moved. At the very top it stays there, whichever rows come first.
   */
  follow(moved: (row: number) => number): void {
    const { position } = this.#state.value;
    const top = Math.floor(position / ROW_HEIGHT_PX);
    if (position > 0) this.#move(position + (moved(top) - top) * ROW_HEIGHT_PX);
  }

  #isInView(row: number): boolean {
    const { position } = this.#state.value;
    return row >= 0 && findRevealingPosition(this.#geometry.value, position, row) === position;
  }

  #move(position: number): void {
    const state = scrollToPosition(this.#geometry.value, position);
    this.#state.value = state;
    if (this.#element) this.#element.scrollTop = state.scrollTop;
  }

  /** In content too high to lay out, moves the scroll bar to the matching place; the visible rows stay. */
  #settle(): void {
    const { rowCount } = this.#geometry.value;
    if (rowCount * ROW_HEIGHT_PX > MAX_SCROLL_HEIGHT_PX) this.#move(this.#state.value.position);
  }
}

/**
 * Any number of rows of one height in a scroller. Positions are counted in content pixels. If the content is
 * higher than a browser can lay out, the scroller is shorter, and `position` differs from `scrollTop`.
 */
export interface RowsGeometry {
  readonly rowCount: number;
  readonly rowHeight: number;
  /** Height of the visible rows, in pixels. */
  readonly viewport: number;
}

interface ScrollState {
  readonly scrollTop: number;
  /** The content pixel at the top of the viewport. */
  readonly position: number;
}

/** Rows `start` up to, not including, `end`. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

function getScrollShift({ scrollTop, position }: ScrollState): number {
  return scrollTop - position;
}

export function getScrollHeight({ rowCount, rowHeight }: RowsGeometry): number {
  return Math.min(rowCount * rowHeight, MAX_SCROLL_HEIGHT_PX);
}

/** Firefox lays out up to about 17.9 million pixels, Chromium and WebKit 33.5 million. */
export const MAX_SCROLL_HEIGHT_PX = 15_000_000;

/**
 * Returns the state after the element was scrolled to `scrollTop`. A short way, as by wheel or touch, moves the
 * content by as many pixels. A long way, as by dragging the scroll bar, goes to the proportional place in the
 * content.
 */
export function applyScroll(geometry: RowsGeometry, before: ScrollState, scrollTop: number): ScrollState {
  const delta = scrollTop - before.scrollTop;
  const isShort =
    Math.abs(delta) <= geometry.viewport && scrollTop > 0 && scrollTop < getMaxScrollTop(geometry);
  const position = isShort
    ? before.position + delta
    : rescale(scrollTop, getMaxScrollTop(geometry), getMaxPosition(geometry));
  return { scrollTop, position: clampPosition(geometry, position) };
}

/** Returns the state with `position` at the top of the viewport and the scroll bar at the matching place. */
export function scrollToPosition(geometry: RowsGeometry, position: number): ScrollState {
  const clamped = clampPosition(geometry, position);
  const scrollTop = Math.round(rescale(clamped, getMaxPosition(geometry), getMaxScrollTop(geometry)));
  return { scrollTop, position: clamped };
}

/** Returns the position nearest to `position` that shows all of `row`. */
export function findRevealingPosition(
  { rowHeight, viewport }: RowsGeometry,
  position: number,
  row: number,
): number {
  const top = row * rowHeight;
  return Math.min(Math.max(position, top + rowHeight - viewport), top);
}

/**
 * Returns the rows to draw: those in view and `overscan` to either side, rounded to steps so that redraws are
 * rare.
 */
export function getRowsInView(geometry: RowsGeometry, position: number, overscan: number): RowRange {
  const { rowCount, rowHeight, viewport } = geometry;
  const step = Math.max(1, Math.floor(overscan / 2));
  const first = Math.floor(position / rowHeight) - overscan;
  const last = Math.ceil((position + viewport) / rowHeight) + overscan;
  return {
    start: Math.max(0, Math.floor(first / step) * step),
    end: Math.min(rowCount, Math.ceil(last / step) * step),
  };
}

/** Returns the rows to draw: those in view, and the active one wherever it is, as it has the focus. */
export function getRowsToDraw({ start, end }: RowRange, active: number, rows: number): readonly number[] {
  const drawn = Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index);
  if (active >= 0 && active < start) return [active, ...drawn];
  if (active >= end && active < rows) return [...drawn, active];
  return drawn;
}

/** Returns the place of a row in the scrolled element, in pixels from its top. */
export function getRowTop(rowHeight: number, state: ScrollState, row: number): number {
  return row * rowHeight - state.position + state.scrollTop;
}

/**
 * Scales a place on a range of `from` pixels to a range of `to` pixels: linearly, except for the ends, which are
 * not scaled. Otherwise a wheel would move the bar to its end before the content, and skip the rows between.
 */
function rescale(place: number, from: number, to: number): number {
  const ends = Math.min(EXACT_ENDS_PX, from / 2, to / 2);
  if (place <= ends) return place;
  if (place >= from - ends) return to - (from - place);
  return ends + ((place - ends) * (to - 2 * ends)) / (from - 2 * ends);
}

/**
 * In content too high to lay out, this far from either end, the content still moves with the scroll bar pixel by
 * pixel.
 */
const EXACT_ENDS_PX = 100_000;

function getMaxPosition({ rowCount, rowHeight, viewport }: RowsGeometry): number {
  return Math.max(0, rowCount * rowHeight - viewport);
}

function getMaxScrollTop(geometry: RowsGeometry): number {
  return Math.max(0, getScrollHeight(geometry) - geometry.viewport);
}

function clampPosition(geometry: RowsGeometry, position: number): number {
  return Math.min(Math.max(0, Number.isFinite(position) ? position : 0), getMaxPosition(geometry));
}
