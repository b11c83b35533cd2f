import type { BlockRange, ExplorerIndex, IndexedBlock } from './explorerIndex.ts';

/** `index` as a machine knows it that is `blocks` behind: whatever is of a later block is not there yet. */
export function behindIndex(index: ExplorerIndex, blocks: number): ExplorerIndex {
  const head = () => {
    const newest = index.head();
    return newest === undefined ? undefined : Math.max(0, newest - blocks);
  };
  const last = () => head() ?? Number.NEGATIVE_INFINITY;
  const isKnown = (block: IndexedBlock | undefined) => block === undefined || block.number <= last();
  const known = ({ from, to }: BlockRange) => ({ from, to: Math.min(to, last()) });
  return {
    head,
    block: (hash) => (isKnown(index.block(hash)) ? index.block(hash) : undefined),
    blocksAt: (number) => index.blocksAt(number).filter(isKnown),
    highestOrphan: () => (isKnown(index.highestOrphan()) ? index.highestOrphan() : undefined),
    transaction: (hash) => (isKnown(index.transaction(hash)?.block) ? index.transaction(hash) : undefined),
    logs: (range, address) => index.logs(known(range), address),
    displacedLogs: () => index.displacedLogs().filter(({ blockNumber }) => blockNumber <= last()),
    latestBalance: (address) => index.latestBalance(address),
    balanceIn: (address, range) => index.balanceIn(address, known(range)),
  };
}
