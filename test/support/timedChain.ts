import { MemoryIndex } from '../../localnet/index/memoryIndex.ts';
import type { Hex } from '../../src/core/index.ts';

const hex = (value: number, bytes: number): Hex => `0x${value.toString(16).padStart(bytes * 2, '0')}`;

export const TIMED_ADDRESS = hex(0xa1, 20);
export const TIMED_TOPIC = hex(0x7001, 32);
/** Seconds since the Unix epoch of the first block; ten more for each behind it. */
export const FIRST_SECOND = 1_793_491_200;

/** The time of a block of {@link timedChain}, in milliseconds. */
export const timeOfBlock = (block: number) => (FIRST_SECOND + block * 10) * 1000;

/** A chain of so many blocks with a log in each, made ten seconds apart from 2026-11-01 on. */
export function timedChain(blocks: number): MemoryIndex {
  const index = new MemoryIndex();
  for (let number = 0; number < blocks; number++) {
    const log = { logIndex: 0, address: TIMED_ADDRESS, topics: [TIMED_TOPIC], data: hex(number, 32) };
    index.addBlock({
      ...{ number, hash: hex(number + 1, 32), timestamp: FIRST_SECOND + number * 10 },
      transactions: [{ hash: hex(number + 10_000, 32), logs: [log] }],
    });
  }
  return index;
}

/** What the node behind an explorer answers about headers of such a chain. */
export function forwardHeaders(index: MemoryIndex) {
  return async (method: string, [block]: readonly unknown[]) => {
    const found = method === 'eth_getBlockByNumber' ? index.blocksAt(Number(block))[0] : undefined;
    if (!found) return { result: null };
    return { result: { number: hexQuantity(found.number), timestamp: hexQuantity(found.timestamp) } };
  };
}

const hexQuantity = (value: number) => `0x${value.toString(16)}`;
