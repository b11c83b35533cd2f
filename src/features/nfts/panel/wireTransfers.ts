import {
  type Address,
  formatIsoTime,
  formatShortAddress,
  type NftTransfer,
  type NftTransferPlace,
  toChecksumAddress,
  ZERO_ADDRESS,
} from '../../../core/index.ts';
import { type TimeFormats, timeWords } from '../../../host/times/timeWords.ts';
import type { Column } from '../protocol/columns.ts';
import type { TransferKind, WireAddress, WireTransfer } from '../protocol/nftSnapshot.ts';

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

/** How a transfer is shown. */
interface Showing {
  readonly formats: TimeFormats;
  readonly nameOf: (address: Address) => string | undefined;
}

export function wireTransfer(transfer: NftTransfer, { formats, nameOf }: Showing): WireTransfer {
  const { time, blockNumber, from, to, amount, transactionHash } = transfer;
  return {
    transfer: transferName(transfer),
    kind: kindOf(transfer),
    time: time === undefined ? undefined : timeWords(time, formats),
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

/** The whole text of one cell, for the clipboard: times in ISO 8601, empty where there is none. */
export function transferCellText(transfer: NftTransfer, column: Column): string {
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
      ...{ blockNumber: blockNumber.toString(), time: formatIsoTime(transfer.time) ?? null },
      ...{ transactionHash, logIndex },
    },
    undefined,
    2,
  );
}
