import type { ExplorerIndex } from '../index/explorerIndex.ts';
import { RefusedByNode } from './nodeProfile.ts';

/**
 * `eth_getBlockByNumber`: the header of a main-chain block as far as the index has it, a made-up one for a block below the
 * head that the index leaves out, as it has no logs; null above the head.
 */
export function readHeader(block: unknown, index: ExplorerIndex): unknown {
  const number = heightOf(block, index);
  if (number === undefined) throw new RefusedByNode({ code: -32602, message: 'invalid argument 0' });
  const found = index.blocksAt(number).find(({ consensus }) => consensus);
  if (!found && number > (index.head() ?? 0)) return null;
  const { hash, timestamp } = found ?? {
    hash: `0x${number.toString(16).padStart(64, '0')}`,
    timestamp: number * 2,
  };
  return { number: hex(number), hash, timestamp: hex(timestamp), transactions: [] };
}

function heightOf(block: unknown, index: ExplorerIndex): number | undefined {
  if (block === 'latest') return index.head() ?? 0;
  if (block === 'earliest') return 0;
  return typeof block === 'string' && /^0x(0|[1-9a-f][0-9a-f]*)$/i.test(block) ? Number(block) : undefined;
}

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}
