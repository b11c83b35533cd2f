import type { Log } from '../query/log.ts';

/**
 * Blocks at which the rows of an answer, in order, cannot all be of one chain: two hashes at a height, one hash at
 * two heights, two different logs at one index, or an index that runs against the order of transactions. Old
 * Blockscout versions (to v6.7, and v12 until a migration of its data ends) show an orphaned copy of a log as a
 * true one; this is all that gives it away.
 */
export function forkSigns(logs: readonly Log[]): readonly bigint[] {
  const blocks = new Set<bigint>();
  const heights = new Map<string, bigint>();
  let previous: Log | undefined;
  for (const log of logs) {
    if (previous?.blockHash !== log.blockHash || previous.blockNumber !== log.blockNumber) {
      const height = heights.get(log.blockHash);
      if (height === undefined) heights.set(log.blockHash, log.blockNumber);
      else if (height !== log.blockNumber) blocks.add(log.blockNumber);
    }
    if (previous?.blockNumber === log.blockNumber && !areOfOneBlock(previous, log))
      blocks.add(log.blockNumber);
    previous = log;
  }
  return [...blocks];
}

function areOfOneBlock(previous: Log, log: Log): boolean {
  if (previous.blockHash !== log.blockHash) return false;
  if (previous.logIndex === log.logIndex) {
    return previous.transactionHash === log.transactionHash && previous.data === log.data;
  }
  return previous.transactionIndex <= log.transactionIndex;
}
