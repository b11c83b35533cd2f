import { signal } from '@preact/signals';
import { PAGE_ROWS, type RowNumbering, type RowWindow } from '../../../messaging/panel.ts';
import type { RowRange } from './gridScroll.ts';

const MAX_CACHED_PAGES = 50;
/** Of rows that are to be told anew. */
const STALE = -1;

type FetchRows<Row> = (
  window: RowWindow,
  options: { readonly signal: AbortSignal },
) => Promise<readonly Row[]>;

/** What row numbers mean, and how often what their rows say has changed besides. */
export interface RowsVersion extends RowNumbering {
  readonly textVersion?: number;
}

interface Page<Row> {
  readonly order: number;
  readonly textVersion: number;
  readonly rows: readonly Row[];
}

/** The rows near the ones in view, fetched a page at a time from the host, which has them all. */
export class RowCache<Row> {
  /** Counts up whenever rows arrive or go. */
  readonly version = signal(0);
  readonly #fetch: FetchRows<Row>;
  readonly #pages = new Map<number, Page<Row>>();
  readonly #fetching = new Map<number, AbortController>();
  #meaning: RowNumbering = { answer: '', order: 0 };
  #textVersion = 0;
  #rowCount = 0;
  #firstWanted = 0;
  #lastWanted = -1;
  #activePage = -1;

  constructor(fetch: FetchRows<Row>) {
    this.#fetch = fetch;
  }

  /**
   * Follows the answer. Rows of an older one are dropped. In another order of the same one, or where they say other
   * things by now, those in view stay until the new ones are there, so that nothing flickers. Rows added at the end make room. `topRows` came along, from
   * row 0 on: a page of them, or fewer, and the rest is fetched.
   */
  update({ answer, order, textVersion = 0 }: RowsVersion, rowCount: number, topRows?: readonly Row[]): void {
    const before = this.#meaning;
    if (answer !== before.answer || order !== before.order || textVersion !== this.#textVersion) {
      for (const controller of this.#fetching.values()) controller.abort();
      this.#fetching.clear();
      for (const page of this.#pages.keys()) {
        if (answer !== before.answer || !this.#isWanted(page)) this.#pages.delete(page);
      }
      this.#meaning = { answer, order };
      this.#textVersion = textVersion;
      this.version.value++;
    }
    this.#rowCount = rowCount;
    if (topRows) {
      this.#keep(0, { order, textVersion, rows: topRows });
      this.version.value++;
    }
  }

  /** Rows have moved by themselves: those that are here are shown in their new places until they are told anew. */
  moveRows(moved: (row: number) => number | undefined): void {
    const pages = [...this.#pages];
    this.#pages.clear();
    for (const [page, { rows }] of pages) {
      for (const [offset, row] of rows.entries()) {
        const place = row === undefined ? undefined : moved(page * PAGE_ROWS + offset);
        if (place === undefined) continue;
        const target = Math.floor(place / PAGE_ROWS);
        const kept = this.#pages.get(target) ?? { order: STALE, textVersion: STALE, rows: [] };
        (kept.rows as Row[])[place % PAGE_ROWS] = row as Row;
        this.#pages.set(target, kept);
      }
    }
  }

  /** The row, if it is here. */
  get(row: number): Row | undefined {
    return this.#pages.get(Math.floor(row / PAGE_ROWS))?.rows[row % PAGE_ROWS];
  }

  /**
   * Fetches what of the range is missing, then the page to either side of it, so that a wheel does not run into rows
   * that are on their way. Stops fetching what is far by now. What is here of `active`, a row that may be anywhere,
   * stays: it can be copied.
   */
  prefetch({ start, end }: RowRange, active: number): void {
    this.#activePage = Math.floor(active / PAGE_ROWS);
    this.#firstWanted = Math.floor(start / PAGE_ROWS);
    this.#lastWanted = Math.floor((end - 1) / PAGE_ROWS);
    for (const [page, controller] of this.#fetching) {
      if (this.#isNear(page)) continue;
      this.#fetching.delete(page);
      controller.abort();
    }
    for (let page = this.#firstWanted; page <= this.#lastWanted; page++) this.#fetchIfMissing(page);
    this.#fetchAhead();
  }

  #isWanted(page: number): boolean {
    return page >= this.#firstWanted && page <= this.#lastWanted;
  }

  #isNear(page: number): boolean {
    return page >= this.#firstWanted - 1 && page <= this.#lastWanted + 1;
  }

  /** Only when all that is wanted is here: it comes first. */
  #fetchAhead(): void {
    for (let page = this.#firstWanted; page <= this.#lastWanted; page++) {
      if (!this.#isWhole(page)) return;
    }
    for (const page of [this.#lastWanted + 1, this.#firstWanted - 1]) {
      if (page >= 0 && page * PAGE_ROWS < this.#rowCount) this.#fetchIfMissing(page);
    }
  }

  #fetchIfMissing(page: number): void {
    if (!this.#isWhole(page) && !this.#fetching.has(page)) void this.#fetchPage(page);
  }

  #isWhole(page: number): boolean {
    const expected = Math.min(PAGE_ROWS, this.#rowCount - page * PAGE_ROWS);
    const kept = this.#pages.get(page);
    const isNow = kept?.order === this.#meaning.order && kept.textVersion === this.#textVersion;
    return kept !== undefined && isNow && kept.rows.length >= expected;
  }

  async #fetchPage(page: number): Promise<void> {
    const controller = new AbortController();
    this.#fetching.set(page, controller);
    try {
      const { order } = this.#meaning;
      const textVersion = this.#textVersion;
      const window = { ...this.#meaning, start: page * PAGE_ROWS, count: PAGE_ROWS };
      const rows = await this.#fetch(window, { signal: controller.signal });
      if (controller.signal.aborted) return;
      this.#keep(page, { order, textVersion, rows });
      if (!this.#isWanted(page)) return;
      this.version.value++;
      this.#fetchAhead();
    } catch {
      // Aborted, or the host is gone: the page stays missing and is asked for when it is wanted again.
    } finally {
      if (this.#fetching.get(page) === controller) this.#fetching.delete(page);
    }
  }

  #keep(page: number, content: Page<Row>): void {
    this.#pages.delete(page);
    this.#pages.set(page, content);
    const oldest = [...this.#pages.keys()].find((kept) => !this.#isNear(kept) && kept !== this.#activePage);
    if (this.#pages.size > MAX_CACHED_PAGES && oldest !== undefined) this.#pages.delete(oldest);
  }
}
