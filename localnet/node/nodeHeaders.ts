import type { ExplorerIndex } from '../index/explorerIndex.ts';
import { RefusedByNode } from './nodeProfile.ts';

/**
 * `eth_getBlockByNumber`: the header of a main-chain block as far as the index has it, null for one that is not there.
 */
export function readHeader(block: unknown, index: ExplorerIndex): unknown {
  const number = heightOf(block, index);
  if (number === undefined) throw new RefusedByNode({ code: -32602, message: 'invalid argument 0' });
  const found = index.blocksAt(number).find(({ consensus }) => consensus);
  return found
    ? { number: hex(found.number), hash: found.hash, timestamp: hex(found.timestamp), transactions: [] }
    : null;
}

function heightOf(block: unknown, index: ExplorerIndex): number | undefined {
  if (block === 'latest') return index.head() ?? 0;
  if (block === 'earliest') return 0;
  return typeof block === 'string' && /^0x(0|[1-9a-f][0-9a-f]*)$/i.test(block) ? Number(block) : undefined;
}

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}
