import { computed, type ReadonlySignal, signal } from '@preact/signals';

export const ROW_HEIGHT_PX = 22;
const HEADER_HEIGHT_PX = 24;
const SETTLE_MS = 120;

/** Rows to draw, and by how many pixels the scroller stands off the content. */
interface DrawnRows {
  readonly start: number;
  readonly end: number;
  readonly scroll: ScrollState;
}

/** The scrolling of the grid: follows its element and says which rows to draw. */
export class GridScroll {
  readonly drawn: ReadonlySignal<DrawnRows>;
  /** Height to give to the scrolled element, in pixels. */
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
   * Begins to follow `element`; the returned function ends it. The row that `activeRow` tells stays in view when the
   * element becomes lower.
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
        // Scrolled on, and the event is still to come: settling now would undo that.
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

  /** Scrolls as little as it takes to see `row` whole. */
  reveal(row: number): void {
    const { position } = this.#state.value;
    const wanted = findRevealingPosition(this.#geometry.value, position, Math.max(0, row));
    if (wanted !== position) this.#move(wanted);
  }

  /** Puts `row` on top. */
  moveTo(row: number): void {
    this.#move(row * ROW_HEIGHT_PX);
  }

  /** Scrolls so that `row` stands where `before` did, if that was in view. */
  keepInPlace(row: number, before: number): void {
    if (!this.#isInView(before)) return;
    this.#move(this.#state.value.position + (row - before) * ROW_HEIGHT_PX);
  }

  /** Keeps what is on screen where rows have moved; at the very top the first rows are shown, whichever they are. */
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

  /** In content too high to lay out, brings the scroll bar to where it belongs; what is seen stays. */
  #settle(): void {
    const { rowCount } = this.#geometry.value;
    if (rowCount * ROW_HEIGHT_PX > MAX_SCROLL_HEIGHT_PX) this.#move(this.#state.value.position);
  }
}

function getScrollShift({ scrollTop, position }: ScrollState): number {
  return scrollTop - position;
}

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

interface ScrollState {
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
export const MAX_SCROLL_HEIGHT_PX = 15_000_000;

/** Content too high to lay out still moves with the scroll bar pixel by pixel so far from either end. */
const EXACT_ENDS_PX = 100_000;

/** Height of the scrolled element. */
export function getScrollHeight({ rowCount, rowHeight }: RowsGeometry): number {
  return Math.min(rowCount * rowHeight, MAX_SCROLL_HEIGHT_PX);
}

/**
 * The state after the element was scrolled to `scrollTop`. A short way, as by wheel or touch, moves the content by
 * as many pixels; a long one, as by dragging the scroll bar, goes to the place in the content that the bar tells.
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

/** The state with `position` at the top of the viewport and the scroll bar where it belongs. */
export function scrollToPosition(geometry: RowsGeometry, position: number): ScrollState {
  const clamped = clampPosition(geometry, position);
  const scrollTop = Math.round(rescale(clamped, getMaxPosition(geometry), getMaxScrollTop(geometry)));
  return { scrollTop, position: clamped };
}

/** The position nearest to `position` in which `row` is seen whole. */
export function findRevealingPosition(
  { rowHeight, viewport }: RowsGeometry,
  position: number,
  row: number,
): number {
  const top = row * rowHeight;
  return Math.min(Math.max(position, top + rowHeight - viewport), top);
}

/** The rows to draw: those in view and `overscan` to either side, in steps that keep redrawing rare. */
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

/** The rows to draw: those in view, and the active one wherever it is, since it holds the focus. */
export function getRowsToDraw({ start, end }: RowRange, active: number, rows: number): readonly number[] {
  const drawn = Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index);
  if (active >= 0 && active < start) return [active, ...drawn];
  if (active >= end && active < rows) return [...drawn, active];
  return drawn;
}

/** Where a row stands in the scrolled element, in pixels from its top. */
export function getRowTop(rowHeight: number, state: ScrollState, row: number): number {
  return row * rowHeight - state.position + state.scrollTop;
}

/**
 * Takes a place from a way of `from` pixels to one of `to`: evenly, but for the ends, which are alike on both. A wheel
 * turned there would otherwise bring the bar to its end before the content, and skip the rows between.
 */
function rescale(place: number, from: number, to: number): number {
  const ends = Math.min(EXACT_ENDS_PX, from / 2, to / 2);
  if (place <= ends) return place;
  if (place >= from - ends) return to - (from - place);
  return ends + ((place - ends) * (to - 2 * ends)) / (from - 2 * ends);
}

function getMaxPosition({ rowCount, rowHeight, viewport }: RowsGeometry): number {
  return Math.max(0, rowCount * rowHeight - viewport);
}

function getMaxScrollTop(geometry: RowsGeometry): number {
  return Math.max(0, getScrollHeight(geometry) - geometry.viewport);
}

function clampPosition(geometry: RowsGeometry, position: number): number {
  return Math.min(Math.max(0, Number.isFinite(position) ? position : 0), getMaxPosition(geometry));
}
