import { sortInSlices } from '../base/sortInSlices.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import type { Hex } from '../values/hex.ts';
import type { NftMovement } from './nftMovement.ts';

/** One entry in the history of a token id. */
export interface NftTransfer extends NftMovement {
  readonly blockNumber: bigint;
  /** Of the block, in milliseconds since the Unix epoch; undefined where the source does not tell, as logs do not. */
  readonly time: number | undefined;
  readonly transactionHash: Hex;
  /** Position of the log in the block. */
  readonly logIndex: number;
}

/**
 * Transfers of one token id that are given. Whoever shows them keeps them all, at some 500 bytes each; the server says
 * how many there are.
 */
export const MOST_TRANSFERS = 100_000;

/** Where on the chain a transfer is: its log, and its place in a batch. */
export type NftTransferPlace = Pick<NftTransfer, 'blockNumber' | 'logIndex' | 'position'>;

/**
 * Newest first, the order of a history.
 *
 * @example
 * transfers.toSorted(compareNftTransfers)
 */
export function compareNftTransfers(a: NftTransferPlace, b: NftTransferPlace): number {
  if (a.blockNumber !== b.blockNumber) return a.blockNumber > b.blockNumber ? -1 : 1;
  return b.logIndex - a.logIndex || b.position - a.position;
}

/**
 * The transfers newest first, with none told twice. One is known by transaction, log, id and place in its batch, since
 * a transaction can move one id several times. In slices of time.
 * @example
 * await arrangeNftTransfers(transfers, createTimeSlices(clock)); // newest first
 */
export async function arrangeNftTransfers(
  transfers: readonly NftTransfer[],
  slices: TimeSlices,
): Promise<readonly NftTransfer[]> {
  const known = new Map<string, NftTransfer>();
  for (const transfer of transfers) {
    const { transactionHash, logIndex, tokenId, position } = transfer;
    const name = `${transactionHash} ${logIndex} ${tokenId} ${position}`;
    if (!known.has(name)) known.set(name, transfer);
    if (slices.isOver()) await slices.rest();
  }
  const distinct = [...known.values()];
  const at = (index: number) => distinct[index] as NftTransfer;
  const compare = (a: number, b: number) => compareNftTransfers(at(a), at(b)) || a - b;
  const order = await sortInSlices(Uint32Array.from(distinct.keys()), compare, { slices });
  return Array.from(order, at);
}
