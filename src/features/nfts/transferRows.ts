import type { NftTransfer } from '../../core/index.ts';
import type { RowWindow } from '../../messaging/panel.ts';
import type { RowPlace, TransferPlace } from './protocol.ts';
import { transferName } from './wireTransfers.ts';

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

  /** Fewer than asked for at the end; none if the answer or the order is an older one. */
  slice({ answer, order, start, count }: RowWindow): readonly NftTransfer[] {
    const isCurrent = answer === this.#answer && order === this.#order;
    return isCurrent ? this.#transfers.slice(start, start + count) : none;
  }

  /** The row that shows a transfer now. */
  rowOf({ answer, transfer: name }: TransferPlace): RowPlace | undefined {
    if (answer !== this.#answer) return undefined;
    const row = this.#transfers.findIndex((transfer) => transferName(transfer) === name);
    return row < 0 ? undefined : { order: this.#order, row };
  }

  at(place: TransferPlace): NftTransfer | undefined {
    const found = this.rowOf(place);
    return found && this.#transfers[found.row];
  }
}
