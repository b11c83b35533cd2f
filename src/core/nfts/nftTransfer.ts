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

/** Where on the chain a transfer is: its log, and its place in a batch. */
export type NftTransferPlace = Pick<NftTransfer, 'blockNumber' | 'logIndex' | 'position'>;

/** Newest first, the order of a history. */
export function compareNftTransfers(a: NftTransferPlace, b: NftTransferPlace): number {
  if (a.blockNumber !== b.blockNumber) return a.blockNumber > b.blockNumber ? -1 : 1;
  return b.logIndex - a.logIndex || b.position - a.position;
}

/**
 * The transfers with none told twice. One is known by transaction, log, id and place in its batch, since a
 * transaction can move one id several times.
 */
export function distinctNftTransfers(transfers: readonly NftTransfer[]): readonly NftTransfer[] {
  const known = new Map<string, NftTransfer>();
  for (const transfer of transfers) {
    const { transactionHash, logIndex, tokenId, position } = transfer;
    const name = `${transactionHash} ${logIndex} ${tokenId} ${position}`;
    if (!known.has(name)) known.set(name, transfer);
  }
  return [...known.values()];
}
