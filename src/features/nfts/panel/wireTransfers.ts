import { type NftTransfer, type NftTransferPlace, toChecksumAddress } from '../../../core/index.ts';
import type { Column } from '../protocol/columns.ts';
import type { WireTransfer } from '../protocol/nftSnapshot.ts';

/** The name of a transfer among those of its token: its log, and its place in a batch. */
export function transferName({ blockNumber, logIndex, position }: NftTransferPlace): string {
  return `${blockNumber}-${logIndex}-${position}`;
}

/** The place that a name is of; undefined for what is none. */
export function placeNamed(name: string): NftTransferPlace | undefined {
  const [, block, logIndex, position] = /^(\d{1,78})-(\d{1,16})-(\d{1,16})$/.exec(name) ?? [];
  return block === undefined
    ? undefined
    : { blockNumber: BigInt(block), logIndex: Number(logIndex), position: Number(position) };
}

export function wireTransfer(transfer: NftTransfer, locale: string): WireTransfer {
  const { time, blockNumber, from, to, amount, transactionHash } = transfer;
  return {
    transfer: transferName(transfer),
    time: time === undefined ? undefined : shownTime(time, locale),
    block: blockNumber.toString(),
    from: toChecksumAddress(from),
    to: toChecksumAddress(to),
    amount: amount.toString(),
    transaction: transactionHash,
  };
}

/** Date and time to the second, from milliseconds since the Unix epoch. */
function shownTime(epochMs: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(epochMs);
}

/** The whole text of one cell, for the clipboard: times in ISO 8601, empty where there is none. */
export function transferCellText(transfer: NftTransfer, column: Column): string {
  switch (column) {
    case 'time':
      return isoTime(transfer) ?? '';
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

/** One transfer as JSON text; integers that may be large are decimal strings, an unknown time is null. */
export function transferJson(
  transfer: NftTransfer,
  of: { readonly chainId: number; readonly contract: string },
): string {
  const { standard, tokenId, from, to, amount, blockNumber, transactionHash, logIndex } = transfer;
  return JSON.stringify(
    {
      ...{ ...of, standard, tokenId: tokenId.toString() },
      ...{ from: toChecksumAddress(from), to: toChecksumAddress(to), amount: amount.toString() },
      ...{ blockNumber: blockNumber.toString(), time: isoTime(transfer) ?? null },
      ...{ transactionHash, logIndex },
    },
    undefined,
    2,
  );
}

function isoTime({ time }: NftTransfer): string | undefined {
  return time === undefined ? undefined : new Date(time).toISOString();
}
