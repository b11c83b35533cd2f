import fc from 'fast-check';
import type { Hex, Log } from '../../src/core/index.ts';

const hex = (bytes: number): fc.Arbitrary<Hex> =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((values): Hex => `0x${Buffer.from(values).toString('hex')}`);
const index = fc.nat(100_000);

/** A log of this block. */
export function createLog(block: number | bigint, more: Partial<Log> = {}): Log {
  const hash: Hex = `0x${block.toString(16).padStart(64, '0')}`;
  return {
    ...{ address: `0x${'a1'.repeat(20)}`, topics: [], data: '0x' },
    ...{ blockNumber: BigInt(block), blockHash: hash, logIndex: 0 },
    ...{ transactionHash: hash, transactionIndex: 0, ...more },
  };
}

/** Any log: block numbers beside the limits of doubles and of 64 bits, 0 to 4 topics, with data or without. */
export const anyLog: fc.Arbitrary<Log> = fc.record({
  address: hex(20),
  blockHash: hex(32),
  blockNumber: fc.oneof(
    fc.bigInt(0n, 2n ** 63n - 1n),
    fc.constantFrom(0n, 2n ** 31n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n),
  ),
  data: fc.oneof(fc.constant<Hex>('0x'), hex(32), hex(101)),
  logIndex: index,
  topics: fc.array(hex(32), { maxLength: 4 }),
  transactionHash: hex(32),
  transactionIndex: index,
});

/** Logs as a query gives them: page after page, some of them empty. */
export const anyPages: fc.Arbitrary<readonly (readonly Log[])[]> = fc.array(
  fc.array(anyLog, { maxLength: 8 }),
  { maxLength: 5 },
);
