import { compareNftTransfers, type NftTransfer } from './nftTransfer.ts';

/** Transfers as they come out of logs, which give each standard by itself. */
interface TransferList {
  readonly length: number;
  /** Adds transfers that come after those of their standard that are there. */
  append(transfers: readonly NftTransfer[]): void;
  /**
   * Those that are there now, newest first: the same array as long as none is added. It is made when first asked for,
   * since that takes a time that grows with their number, and few who add to a list look at it each time.
   */
  newestFirst(): () => readonly NftTransfer[];
}

export function createTransferList(): TransferList {
  const singles: NftTransfer[] = [];
  const multis: NftTransfer[] = [];
  let made: (() => readonly NftTransfer[]) | undefined;
  return {
    get length() {
      return singles.length + multis.length;
    },
    append(transfers) {
      if (transfers.length > 0) made = undefined;
      for (const transfer of transfers) {
        (transfer.standard === 'erc721' ? singles : multis).push(transfer);
      }
    },
    newestFirst() {
      made ??= lateMerge(startOf(singles), startOf(multis));
      return made;
    },
  };
}

/** The part of a list that is there now, in the order of the chain; the list may grow. */
interface Start {
  readonly list: readonly NftTransfer[];
  readonly length: number;
}

function startOf(list: readonly NftTransfer[]): Start {
  return { list, length: list.length };
}

function lateMerge(...runs: Parameters<typeof mergeFromEnd>): () => readonly NftTransfer[] {
  let merged: readonly NftTransfer[] | undefined;
  return () => {
    merged ??= mergeFromEnd(...runs);
    return merged;
  };
}

/** Two starts of lists as one, from its end on. */
function mergeFromEnd(a: Start, b: Start): readonly NftTransfer[] {
  const merged: NftTransfer[] = [];
  let left = a.length - 1;
  let right = b.length - 1;
  for (;;) {
    const [one, other] = [left < 0 ? undefined : a.list[left], right < 0 ? undefined : b.list[right]];
    if (one && (!other || compareNftTransfers(one, other) < 0)) {
      merged.push(one);
      left--;
    } else if (other) {
      merged.push(other);
      right--;
    } else {
      return merged;
    }
  }
}
