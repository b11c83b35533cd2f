import { signal } from '@preact/signals';
import { PAGE_ROWS, type RowNumbering, type RowWindow } from '../../../messaging/panel.ts';
import type { RowRange } from './gridScroll.ts';

/** The rows near those in view, fetched by page from the host, which has all rows. */
export class RowCache<Row> {
  /** Increases when rows arrive or go. */
  readonly version = signal(0);
  readonly #fetch: FetchRows<Row>;
  readonly #pages = new Map<number, Page<Row>>();
  readonly #fetching = new Map<number, AbortController>();
  #numbering: RowNumbering = { resultId: '', order: 0 };
  #textVersion = 0;
  #rowCount = 0;
  #firstVisible = 0;
  #lastVisible = -1;
  #activePage = -1;

  constructor(fetch: FetchRows<Row>) {
    this.#fetch = fetch;
  }

  /**
   * Follows the result. Rows of another result are dropped. If only the order or the texts have changed, the rows
   * in view stay until the new ones arrive, so that nothing flickers. Rows may be appended. `topRows` are up to a
   * page of rows from row 0 on; the rest is fetched.
   */
  update(
    { resultId, order, textVersion = 0 }: RowsVersion,
    rowCount: number,
    topRows?: readonly Row[],
  ): void {
    const before = this.#numbering;
    if (resultId !== before.resultId || order !== before.order || textVersion !== this.#textVersion) {
      for (const controller of this.#fetching.values()) controller.abort();
      this.#fetching.clear();
      for (const page of this.#pages.keys()) {
        if (resultId !== before.resultId || !this.#isVisible(page)) this.#pages.delete(page);
      }
      this.#numbering = { resultId, order };
      this.#textVersion = textVersion;
      this.version.value++;
    }
    this.#rowCount = rowCount;
    if (topRows) {
      this.#store(0, { order, textVersion, rows: topRows });
      this.version.value++;
    }
  }

  /** Moves cached rows to their new places, until they are fetched again. */
  moveRows(moved: (row: number) => number | undefined): void {
    const pages = [...this.#pages];
    this.#pages.clear();
    for (const [page, { rows }] of pages) {
      for (const [offset, row] of rows.entries()) {
        const place = row === undefined ? undefined : moved(page * PAGE_ROWS + offset);
        if (place === undefined) continue;
        const target = Math.floor(place / PAGE_ROWS);
        const cached = this.#pages.get(target) ?? { order: STALE, textVersion: STALE, rows: [] };
        (cached.rows as Row[])[place % PAGE_ROWS] = row as Row;
        this.#pages.set(target, cached);
      }
    }
  }

  /** The first rows that are cached, and the version of their texts. */
  get firstPage(): { readonly rows: readonly Row[]; readonly textVersion: number } {
    const { rows, textVersion } = this.#pages.get(0) ?? NO_ROWS;
    return { rows, textVersion };
  }

  /** Returns the row if it is cached. */
  get(row: number): Row | undefined {
    return this.#pages.get(Math.floor(row / PAGE_ROWS))?.rows[row % PAGE_ROWS];
  }

  /**
   * Fetches the missing rows of the range, then the page before and after it, so that scrolling seldom meets
   * missing rows. Aborts requests for pages that are far away by now. The page of the `active` row, which may be
   * anywhere, stays cached, as the row can be copied.
   */
  prefetch({ start, end }: RowRange, active: number): void {
    this.#activePage = Math.floor(active / PAGE_ROWS);
    this.#firstVisible = Math.floor(start / PAGE_ROWS);
    this.#lastVisible = Math.floor((end - 1) / PAGE_ROWS);
    for (const [page, controller] of this.#fetching) {
      if (this.#isNear(page)) continue;
      this.#fetching.delete(page);
      controller.abort();
    }
    for (let page = this.#firstVisible; page <= this.#lastVisible; page++) this.#fetchIfMissing(page);
    this.#fetchAhead();
  }

  #isVisible(page: number): boolean {
    return page >= this.#firstVisible && page <= this.#lastVisible;
  }

  #isNear(page: number): boolean {
    return page >= this.#firstVisible - 1 && page <= this.#lastVisible + 1;
  }

  /** Waits until all visible pages are cached: they come first. */
  #fetchAhead(): void {
    for (let page = this.#firstVisible; page <= this.#lastVisible; page++) {
      if (!this.#isCached(page)) return;
    }
    for (const page of [this.#lastVisible + 1, this.#firstVisible - 1]) {
      if (page >= 0 && page * PAGE_ROWS < this.#rowCount) this.#fetchIfMissing(page);
    }
  }

  #fetchIfMissing(page: number): void {
    if (!this.#isCached(page) && !this.#fetching.has(page)) void this.#fetchPage(page);
  }

  #isCached(page: number): boolean {
    const expected = Math.min(PAGE_ROWS, this.#rowCount - page * PAGE_ROWS);
    const cached = this.#pages.get(page);
    const isNow = cached?.order === this.#numbering.order && cached.textVersion === this.#textVersion;
    return cached !== undefined && isNow && cached.rows.length >= expected;
  }

  async #fetchPage(page: number): Promise<void> {
    const controller = new AbortController();
    this.#fetching.set(page, controller);
    try {
      const { order } = this.#numbering;
      const textVersion = this.#textVersion;
      const window = { ...this.#numbering, start: page * PAGE_ROWS, count: PAGE_ROWS };
      const rows = await this.#fetch(window, { signal: controller.signal });
      if (controller.signal.aborted) return;
      this.#store(page, { order, textVersion, rows });
      if (!this.#isVisible(page)) return;
      this.version.value++;
      this.#fetchAhead();
    } catch {
      // Aborted, or the host is gone: the page stays missing until it is requested again.
    } finally {
      if (this.#fetching.get(page) === controller) this.#fetching.delete(page);
    }
  }

  #store(page: number, content: Page<Row>): void {
    this.#pages.delete(page);
    this.#pages.set(page, content);
    const oldest = [...this.#pages.keys()].find(
      (cachedPage) => !this.#isNear(cachedPage) && cachedPage !== this.#activePage,
    );
    if (this.#pages.size > MAX_CACHED_PAGES && oldest !== undefined) this.#pages.delete(oldest);
  }
}

type FetchRows<Row> = (
  window: RowWindow,
  options: { readonly signal: AbortSignal },
) => Promise<readonly Row[]>;

/** The meaning of row numbers, and the version of the rows' texts. */
export interface RowsVersion extends RowNumbering {
  /** Undefined where texts never change. */
  readonly textVersion: number | undefined;
}

interface Page<Row> {
  readonly order: number;
  readonly textVersion: number;
  readonly rows: readonly Row[];
}

const MAX_CACHED_PAGES = 50;

/** Version of rows that have to be fetched again. */
const STALE = -1;

const NO_ROWS: Page<never> = { order: STALE, textVersion: STALE, rows: [] };
