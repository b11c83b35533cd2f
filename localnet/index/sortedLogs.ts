import type { BlockRange, IndexedLog } from './explorerIndex.ts';

/** Logs in order of height and log index. Sorted when read, because blocks may arrive in any order. */
export class SortedLogs {
  readonly #logs: IndexedLog[] = [];
  #sorted = true;

  add(log: IndexedLog): void {
    const last = this.#logs.at(-1);
    if (last && compareLogs(last, log) > 0) this.#sorted = false;
    this.#logs.push(log);
  }

  *between({ from, to }: BlockRange): Iterable<IndexedLog> {
    if (!this.#sorted) this.#logs.sort(compareLogs);
    this.#sorted = true;
    for (let i = this.#firstAtOrAbove(from); i < this.#logs.length; i += 1) {
      const log = this.#logs[i];
      if (!log || log.blockNumber > to) return;
      yield log;
    }
  }

  #firstAtOrAbove(blockNumber: number): number {
    let low = 0;
    let high = this.#logs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#logs[middle] as IndexedLog).blockNumber < blockNumber) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function compareLogs(a: IndexedLog, b: IndexedLog): number {
  return a.blockNumber - b.blockNumber || a.logIndex - b.logIndex;
}
