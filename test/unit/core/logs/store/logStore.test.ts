import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createLogStore, type Hex, type Log } from '../../../../../src/core/index.ts';
import { createHexPatterns } from '../../../../../src/core/logs/store/bytes.ts';
import { isFullRun } from '../../../../support/fullRun.ts';

const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((value) => `0x${Buffer.from(value).toString('hex')}` as Hex);
const index = fc.integer({ min: 0, max: 2 ** 32 - 1 });
/** Few different ones beside those of any bytes, so that many repeat. */
const topic = fc.oneof(
  hex(32),
  fc.constantFrom<Hex>(`0x${'0'.repeat(64)}`, `0x${'0'.repeat(63)}1`, `0x${'e'.repeat(64)}`),
);
/** A word as the ABI writes a number: zeros in front, up to all of it. */
const word = fc.nat(32).chain((bytes) => hex(bytes).map((value) => value.slice(2).padStart(64, '0')));
const words = fc.array(word, { maxLength: 5 }).map((parts) => `0x${parts.join('')}` as Hex);

const logs = fc.array(
  fc.record(
    {
      address: fc.oneof(hex(20), fc.constant<Hex>(`0x${'c'.repeat(40)}`)),
      blockHash: fc.constantFrom<Hex>(`0x${'1'.repeat(64)}`, `0x${'2'.repeat(64)}`),
      blockNumber: fc.bigInt({ min: 0n, max: BigInt(Number.MAX_SAFE_INTEGER) }),
      data: fc.oneof(fc.nat(300).chain(hex), words),
      logIndex: index,
      topics: fc.array(topic, { maxLength: 4 }),
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
    const large: Log = { ...small, data: `0x${'5a'.repeat(600_000)}` };
    const store = createLogStore();
    store.append([small, large, small, large, small]);
    assert.deepEqual(store.slice(0, 9), [small, large, small, large, small]);
  });

  it('compares rows as their bytes compare, whatever form they are kept in', () => {
    const bytesOf = ({ data }: Log) => Buffer.from(data.slice(2), 'hex');
    const topicsOf = ({ topics }: Log) => Buffer.from(topics.map((value) => value.slice(2)).join(''), 'hex');
    fc.assert(
      fc.property(logs, (rows) => {
        const store = createLogStore();
        store.append(rows);
        for (let row = 1; row < rows.length; row++) {
          const [a, b] = [rows[row - 1] ?? assert.fail(), rows[row] ?? assert.fail()];
          const orders = [
            [store.compare('data', row - 1, row), Buffer.compare(bytesOf(a), bytesOf(b))],
            [store.compare('topics', row - 1, row), Buffer.compare(topicsOf(a), topicsOf(b))],
            [
              store.compare('address', row - 1, row),
              a.address < b.address ? -1 : Number(a.address > b.address),
            ],
          ] as const;
          for (const [order, wanted] of orders) assert.equal(Math.sign(order), wanted);
        }
      }),
    );
  });

  it('finds a pattern where its hex holds one, also in what came later', () => {
    fc.assert(
      fc.property(logs, logs, fc.uint8Array({ minLength: 1, maxLength: 3 }), (first, second, wanted) => {
        const digits = Buffer.from(wanted).toString('hex');
        const store = createLogStore();
        store.append(first);
        const finds = store.search(createHexPatterns(digits));
        store.append(second);
        const found = [...first, ...second].map((_, row) => finds(row));
        const holds = ({ transactionHash, address, topics, data }: Log) =>
          [transactionHash, address, ...topics, data].some((value) => value.slice(2).includes(digits));
        assert.deepEqual(found, [...first, ...second].map(holds));
      }),
    );
  });

  it('keeps many different values, each in its place', () => {
    const store = createLogStore();
    const hexOf = (number: number, length: number) => `0x${number.toString(16).padStart(length, '0')}` as Hex;
    const rows = Array.from({ length: 17_000 }, (_, row): Log => {
      const address = hexOf(row % 5000, 40) as Log['address'];
      const topics = [hexOf(row * 7, 64), hexOf(row % 11, 64)];
      const hashes = { blockHash: hexOf(row >> 5, 64), transactionHash: hexOf(row >> 2, 64) };
      const place = { blockNumber: BigInt(row >> 5), logIndex: row % 32, transactionIndex: (row >> 2) % 8 };
      return { address, topics, data: hexOf(row, 64), ...hashes, ...place };
    });
    store.append(rows);
    for (const row of [0, 1, 2047, 2048, 16_383, 16_384, 16_999]) assert.deepEqual(store.get(row), rows[row]);
    const isSample = (_: Log, row: number) => row % (isFullRun ? 1 : 61) === 0;
    assert.deepEqual(store.slice(0, rows.length).filter(isSample), rows.filter(isSample));
    assert.ok(store.bytes < rows.length * 140, `${store.bytes / rows.length} bytes a row`);
  });

  it('knows where it ends', () => {
    const store = createLogStore();
    assert.throws(() => store.get(0), RangeError);
    assert.deepEqual(store.slice(5, 5), []);
  });
});
