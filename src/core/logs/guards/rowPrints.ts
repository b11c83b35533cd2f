import { createUint32List, type GrowingArray } from '../../values/growingArray.ts';
import type { Hex } from '../../values/hex.ts';
import type { Log } from '../query/log.ts';

/** What tells a log from others: its place, and the block that it is in. */
export type RowPrint = Pick<Log, 'blockHash' | 'blockNumber' | 'logIndex'>;

/** Prints of rows in the order in which they were added, in four bytes each, besides the blocks that they are of. */
export interface RowPrints {
  readonly length: number;
  add(row: RowPrint): void;
  all(): Iterable<RowPrint>;
}

export function createRowPrints(): RowPrints {
  const runs: { readonly blockHash: Hex; readonly blockNumber: bigint; readonly indexes: GrowingArray }[] =
    [];
  let length = 0;
  return {
    get length() {
      return length;
    },
    add({ blockHash, blockNumber, logIndex }) {
      let run = runs[runs.length - 1];
      if (run?.blockHash !== blockHash || run.blockNumber !== blockNumber) {
        run = { blockHash, blockNumber, indexes: createUint32List() };
        runs.push(run);
      }
      run.indexes.push(logIndex);
      length++;
    },
    *all() {
      for (const { blockHash, blockNumber, indexes } of runs) {
        for (let at = 0; at < indexes.length; at++) {
          yield { blockHash, blockNumber, logIndex: indexes.at(at) };
        }
      }
    },
  };
}
