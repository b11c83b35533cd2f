import { computed, type ReadonlySignal, signal } from '@preact/signals';
import {
  MAX_SCROLL_HEIGHT,
  type RowsGeometry,
  revealing,
  rowsInView,
  type ScrollState,
  scrolled,
  scrollHeight,
  scrollTo,
} from './virtualRows.ts';

export const ROW_HEIGHT = 22;
const HEADER_HEIGHT = 24;
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
      rowHeight: ROW_HEIGHT,
      viewport: this.#viewport.value,
    }));
    this.height = computed(() => scrollHeight(this.#geometry.value));
    let last: DrawnRows | undefined;
    this.drawn = computed(() => {
      const scroll = this.#state.value;
      const { start, end } = rowsInView(this.#geometry.value, scroll.position, overscan);
      if (!last || last.start !== start || last.end !== end || shift(last.scroll) !== shift(scroll)) {
        last = { start, end, scroll };
      }
      return last;
    });
  }

  get pageRows(): number {
    return Math.max(1, Math.floor(this.#viewport.value / ROW_HEIGHT) - 1);
  }

  get topRow(): number {
    return Math.round(this.#state.value.position / ROW_HEIGHT);
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
      this.#viewport.value = Math.max(0, element.clientHeight - HEADER_HEIGHT);
      if (wasInView) this.reveal(row);
    };
    const follow = () => {
      this.#state.value = scrolled(this.#geometry.value, this.#state.value, element.scrollTop);
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
    const wanted = revealing(this.#geometry.value, position, Math.max(0, row));
    if (wanted !== position) this.#move(wanted);
  }

  /** Puts `row` on top. */
  moveTo(row: number): void {
    this.#move(row * ROW_HEIGHT);
  }

  /** Scrolls so that `row` stands where `before` did, if that was in view. */
  keepInPlace(row: number, before: number): void {
    if (!this.#isInView(before)) return;
    this.#move(this.#state.value.position + (row - before) * ROW_HEIGHT);
  }

  /** Keeps what is on screen where rows have moved; at the very top the first rows are shown, whichever they are. */
  follow(moved: (row: number) => number): void {
    const { position } = this.#state.value;
    const top = Math.floor(position / ROW_HEIGHT);
    if (position > 0) this.#move(position + (moved(top) - top) * ROW_HEIGHT);
  }

  #isInView(row: number): boolean {
    const { position } = this.#state.value;
    return row >= 0 && revealing(this.#geometry.value, position, row) === position;
  }

  #move(position: number): void {
    const state = scrollTo(this.#geometry.value, position);
    this.#state.value = state;
    if (this.#element) this.#element.scrollTop = state.scrollTop;
  }

  /** In content too high to lay out, brings the scroll bar to where it belongs; what is seen stays. */
  #settle(): void {
    const { rowCount } = this.#geometry.value;
    if (rowCount * ROW_HEIGHT > MAX_SCROLL_HEIGHT) this.#move(this.#state.value.position);
  }
}

function shift({ scrollTop, position }: ScrollState): number {
  return scrollTop - position;
}
