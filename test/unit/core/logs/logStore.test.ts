import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createLogStore, type Hex, type Log } from '../../../../src/core/index.ts';

const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((value) => `0x${Buffer.from(value).toString('hex')}` as Hex);
const index = fc.integer({ min: 0, max: 2 ** 32 - 1 });

const logs = fc.array(
  fc.record(
    {
      address: hex(20),
      blockHash: fc.constantFrom<Hex>(`0x${'1'.repeat(64)}`, `0x${'2'.repeat(64)}`),
      blockNumber: fc.bigInt({ min: 0n, max: BigInt(Number.MAX_SAFE_INTEGER) }),
      data: fc.nat(300).chain(hex),
      logIndex: index,
      topics: fc.array(hex(32), { maxLength: 4 }),
      transactionHash: fc.constantFrom<Hex>(`0x${'a'.repeat(64)}`, `0x${'b'.repeat(64)}`),
      transactionIndex: index,
    },
    { noNullPrototype: true },
  ) as fc.Arbitrary<Log>,
  { maxLength: 200 },
);

describe('log store', () => {
  it('gives back what was put in', () => {
    fc.assert(
      fc.property(logs, logs, (first, second) => {
        const store = createLogStore();
        store.append(first);
        store.append(second);
        assert.equal(store.length, first.length + second.length);
        assert.deepEqual(store.slice(0, store.length), [...first, ...second]);
      }),
    );
  });

  it('keeps logs larger than a chunk, and those around them', () => {
    const [small] =
      fc.sample(
        logs.filter(({ length }) => length > 0),
        1,
      )[0] ?? [];
    assert.ok(small);
    const large: Log = { ...small, data: `0x${'5a'.repeat(3_000_000)}` };
    const store = createLogStore();
    store.append([small, large, small, large, small]);
    assert.deepEqual(store.slice(0, 9), [small, large, small, large, small]);
  });

  it('knows where it ends', () => {
    const store = createLogStore();
    assert.throws(() => store.get(0), RangeError);
    assert.deepEqual(store.slice(5, 5), []);
  });
});
