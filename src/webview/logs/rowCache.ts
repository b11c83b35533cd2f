import { signal } from '@preact/signals';
import type { RowWindow, WireRow } from '../../features/logs/protocol.ts';
import type { RowRange } from '../kit/virtualRows.ts';

const PAGE_ROWS = 100;
const PAGES_KEPT = 50;

type Fetch = (window: RowWindow, signal: AbortSignal) => Promise<readonly WireRow[]>;

/** The rows near the ones in view, fetched a page at a time from the host, which has them all. */
export class RowCache {
  /** Counts up whenever rows arrive or go. */
  readonly version = signal(0);
  readonly #fetch: Fetch;
  readonly #pages = new Map<number, readonly WireRow[]>();
  readonly #fetching = new Map<number, AbortController>();
  #answer = '';
  #rowCount = 0;

  constructor(fetch: Fetch) {
    this.#fetch = fetch;
  }

  /** Follows the answer: rows of an older one are dropped, rows added to the same one make room. */
  follow(answer: string, rowCount: number): void {
    if (answer !== this.#answer) {
      for (const controller of this.#fetching.values()) controller.abort();
      this.#fetching.clear();
      this.#pages.clear();
      this.#answer = answer;
      this.version.value++;
    }
    this.#rowCount = rowCount;
  }

  /** The row, if it is here. */
  get(row: number): WireRow | undefined {
    return this.#pages.get(Math.floor(row / PAGE_ROWS))?.[row % PAGE_ROWS];
  }

  /** Fetches what of the range is missing, and stops fetching what is no longer wanted. */
  want({ start, end }: RowRange): void {
    const first = Math.floor(start / PAGE_ROWS);
    const last = Math.floor((end - 1) / PAGE_ROWS);
    for (const [page, controller] of this.#fetching) {
      if (page < first || page > last) {
        this.#fetching.delete(page);
        controller.abort();
      }
    }
    for (let page = first; page <= last; page++) {
      if (!this.#isWhole(page) && !this.#fetching.has(page)) void this.#fetchPage(page);
    }
  }

  #isWhole(page: number): boolean {
    const expected = Math.min(PAGE_ROWS, this.#rowCount - page * PAGE_ROWS);
    return (this.#pages.get(page)?.length ?? 0) >= expected;
  }

  async #fetchPage(page: number): Promise<void> {
    const controller = new AbortController();
    this.#fetching.set(page, controller);
    try {
      const window = { answer: this.#answer, start: page * PAGE_ROWS, count: PAGE_ROWS };
      const rows = await this.#fetch(window, controller.signal);
      if (controller.signal.aborted) return;
      this.#keep(page, rows);
      this.version.value++;
    } catch {
      // Aborted, or the host is gone: the page stays missing and is asked for when it is wanted again.
    } finally {
      if (this.#fetching.get(page) === controller) this.#fetching.delete(page);
    }
  }

  #keep(page: number, rows: readonly WireRow[]): void {
    this.#pages.delete(page);
    this.#pages.set(page, rows);
    const oldest = this.#pages.keys().next();
    if (this.#pages.size > PAGES_KEPT && !oldest.done) this.#pages.delete(oldest.value);
  }
}
