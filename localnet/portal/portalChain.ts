import type { Hex } from 'ox';
import type { ExplorerIndex, IndexedLog } from '../index/explorerIndex.ts';

/** A block as the portal knows it. */
export type PortalBlock = {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
};

/** Of a block, in seconds since the Unix epoch. */
export type TimestampOf = (number: number) => number | Promise<number>;

/** The main chain that a portal streams: every height through its head has a block, also where nothing is indexed. */
export type PortalChain = {
  head(): number;
  block(number: number): PortalBlock;
  readonly timestampOf: TimestampOf;
  /** Logs of the main chain, in order, both ends included. */
  logs(from: number, to: number, address: Hex.Hex | undefined): Iterable<IndexedLog>;
  /** Position of the transaction in its block. */
  transactionIndex(hash: Hex.Hex): number;
};

export function chainOf(index: ExplorerIndex, timestampOf: TimestampOf): PortalChain {
  const hashAt = (number: number): string =>
    index.blocksAt(number).find(({ consensus }) => consensus)?.hash ?? `0x${fill('e', number)}`;
  return {
    head: () => index.head() ?? 0,
    block: (number) => ({
      number,
      hash: hashAt(number),
      parentHash: number === 0 ? `0x${fill('0', 0)}` : hashAt(number - 1),
    }),
    timestampOf,
    *logs(from, to, address) {
      for (const log of index.logs({ from, to }, address)) {
        const block = index.transaction(log.transactionHash)?.block;
        if (block?.consensus && block.hash === log.blockHash) yield log;
      }
    },
    transactionIndex: (hash) => index.transaction(hash)?.index ?? 0,
  };
}

/** The hash of a block of which nothing is known but its height. */
function fill(digit: string, number: number): string {
  return number.toString(16).padStart(64, digit);
}
