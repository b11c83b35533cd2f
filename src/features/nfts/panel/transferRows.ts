import { compareNftTransfers, type NftTransfer } from '../../../core/index.ts';
import type { RowWindow } from '../../../messaging/panel.ts';
import type { RowPlace, TransferPlace } from '../protocol/protocol.ts';
import { placeNamed } from './wireTransfers.ts';

const none: readonly NftTransfer[] = [];

/** The transfers as rows of the grid: a place means the same as long as the answer and the order stay. */
export class TransferRows {
  #answer = '';
  #order = 0;
  #transfers = none;

  /** Counts up when row numbers begin to mean other transfers. */
  get order(): number {
    return this.#order;
  }

  /** Takes over what is known of `answer` by now. */
  follow(answer: string, transfers: readonly NftTransfer[] = none): void {
    if (transfers !== this.#transfers) this.#order++;
    this.#answer = answer;
    this.#transfers = transfers;
  }

  /** What rows say has changed: they are to be asked for again. */
  retell(): void {
    this.#order++;
  }

  /** Fewer than asked for at the end; none if the answer or the order is an older one. */
  slice({ answer, order, start, count }: RowWindow): readonly NftTransfer[] {
    const isCurrent = answer === this.#answer && order === this.#order;
    return isCurrent ? this.#transfers.slice(start, start + count) : none;
  }

  /** The row that shows a transfer now. */
  rowOf({ answer, transfer: name }: TransferPlace): RowPlace | undefined {
    if (answer !== this.#answer) return undefined;
    const place = placeNamed(name);
    if (!place) return undefined;
    const isReached = (at: number) => compareNftTransfers(this.#transfers[at] ?? place, place) >= 0;
    const row = firstRow(this.#transfers.length, isReached);
    const found = this.#transfers[row];
    return found && compareNftTransfers(found, place) === 0 ? { order: this.#order, row } : undefined;
  }

  at(place: TransferPlace): NftTransfer | undefined {
    const found = this.rowOf(place);
    return found && this.#transfers[found.row];
  }
}

/** The first of so many rows for which `holds`, which holds for all after it; `length` where there is none. */
function firstRow(length: number, holds: (row: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
