import {
  type Address,
  compareNftTransfers,
  formatIsoTime,
  formatShortAddress,
  type NftTransfer,
  type NftTransferPlace,
  toChecksumAddress,
  ZERO_ADDRESS,
} from '../../core/index.ts';
import { formatTimeCell } from '../../host/formatting.ts';
import type { RowWindow } from '../../messaging/panel.ts';
import type {
  TransferColumn,
  TransferKind,
  TransferPlace,
  TransferRowPlace,
  WireAddress,
  WireTransfer,
} from './protocol.ts';

const none: readonly NftTransfer[] = [];

/** The transfers as rows of the grid. Row numbers are valid as long as the result and the order stay. */
export class TransferRows {
  #resultId = '';
  #order = 0;
  #transfers = none;

  /** Incremented when row numbers are no longer valid. */
  get order(): number {
    return this.#order;
  }

  /** Sets the transfers of the result `resultId`. */
  follow(resultId: string, transfers: readonly NftTransfer[] = none): void {
    if (transfers !== this.#transfers) this.#order++;
    this.#resultId = resultId;
    this.#transfers = transfers;
  }

  /** The text of rows has changed: the view has to request them again. */
  refresh(): void {
    this.#order++;
  }

  /** Fewer rows than requested at the end; none if the result or the order is outdated. */
  slice({ resultId, order, start, count }: RowWindow): readonly NftTransfer[] {
    const isCurrent = resultId === this.#resultId && order === this.#order;
    return isCurrent ? this.#transfers.slice(start, start + count) : none;
  }

  /** The row that currently shows a transfer. */
  rowOf({ resultId, transfer: name }: TransferPlace): TransferRowPlace | undefined {
    if (resultId !== this.#resultId) return undefined;
    const place = parseTransferId(name);
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

/** Binary search for the first row for which `holds`; `length` if there is none. `holds` must be monotonic. */
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

/** The ID of a transfer among those of its token: its log, and its position in a batch. */
export function formatTransferId({ blockNumber, logIndex, position }: NftTransferPlace): string {
  return `${blockNumber}-${logIndex}-${position}`;
}

/** Undefined for an invalid ID. */
function parseTransferId(name: string): NftTransferPlace | undefined {
  const [, block, logIndex, position] = /^(\d{1,78})-(\d{1,16})-(\d{1,16})$/.exec(name) ?? [];
  return block === undefined
    ? undefined
    : { blockNumber: BigInt(block), logIndex: Number(logIndex), position: Number(position) };
}

interface Showing {
  readonly nameOf: (address: Address) => string | undefined;
}

export function toWireTransfer(transfer: NftTransfer, { nameOf }: Showing): WireTransfer {
  const { time, blockNumber, from, to, amount, transactionHash } = transfer;
  return {
    transfer: formatTransferId(transfer),
    kind: kindOf(transfer),
    time: time === undefined ? undefined : formatTimeCell(time),
    block: blockNumber.toString(),
    from: wireAddress(from, nameOf(from)),
    to: wireAddress(to, nameOf(to)),
    amount: amount.toString(),
    transaction: transactionHash,
  };
}

function kindOf({ from, to }: NftTransfer): TransferKind {
  if (from === ZERO_ADDRESS) return 'mint';
  return to === ZERO_ADDRESS ? 'burn' : 'transfer';
}

function wireAddress(address: Address, name: string | undefined): WireAddress {
  const full = toChecksumAddress(address);
  return { text: name ?? formatShortAddress(full), hint: name === undefined ? full : `${name}\n${full}` };
}

/** The full text of a cell, for the clipboard: times in ISO 8601, empty if unknown. */
export function formatTransferCell(transfer: NftTransfer, column: TransferColumn): string {
  switch (column) {
    case 'kind':
      return kindOf(transfer);
    case 'time':
      return formatIsoTime(transfer.time) ?? '';
    case 'block':
      return transfer.blockNumber.toString();
    case 'from':
    case 'to':
      return toChecksumAddress(transfer[column]);
    case 'amount':
      return transfer.amount.toString();
    case 'transaction':
      return transfer.transactionHash;
  }
}

/** A transfer as JSON; integers that may be large are decimal strings, an unknown time is null. */
export function transferToJson(
  transfer: NftTransfer,
  of: { readonly chainId: number; readonly contract: string },
): string {
  const { standard, tokenId, from, to, amount, blockNumber, transactionHash, logIndex } = transfer;
  return JSON.stringify(
    {
      ...of,
      standard,
      tokenId: tokenId.toString(),
      from: toChecksumAddress(from),
      to: toChecksumAddress(to),
      amount: amount.toString(),
      blockNumber: blockNumber.toString(),
      time: formatIsoTime(transfer.time) ?? null,
      transactionHash,
      logIndex,
    },
    undefined,
    2,
  );
}
