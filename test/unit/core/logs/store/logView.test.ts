import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type Clock,
  createLogStore,
  emptyLogView,
  extendLogView,
  type Hex,
  isAppendOnly,
  type Log,
  type LogArrangement,
  type LogSortKey,
  type LogStore,
  systemClock,
} from '../../../../../src/core/index.ts';
import { createLog } from '../../../../support/anyLogs.ts';

const columns: readonly LogSortKey[] = ['block', 'index', 'transaction', 'address', 'topics', 'data'];

/** Few different values, so that rows are often alike. */
const hex = (bytes: number) =>
  fc.constantFrom('00', '01', '0a', 'ab', 'ff').map((pair) => `0x${pair.repeat(bytes)}` as Hex);

/** Logs in the order of the chain, a new block every other log or so. */
const chainOf = (minLength: number, maxLength: number) =>
  fc
    .array(
      fc.record({
        address: hex(20),
        data: fc.nat(3).chain(hex),
        topics: fc.array(hex(32), { maxLength: 3 }),
        transactionHash: hex(32),
        opensBlock: fc.boolean(),
      }),
      { minLength, maxLength },
    )
    .map((rows) => {
      let blockNumber = 99n;
      let logIndex = 0;
      return rows.map(({ opensBlock, ...row }): Log => {
        if (opensBlock) blockNumber++;
        logIndex = opensBlock ? 0 : logIndex + 1;
        return { ...row, blockHash: `0x${'00'.repeat(32)}`, blockNumber, logIndex, transactionIndex: 0 };
      });
    });

const sort = fc.option(
  fc.record({ column: fc.constantFrom(...columns), descending: fc.boolean() }, { noNullPrototype: true }),
  { nil: undefined },
);

function keyOf(log: Log, column: LogSortKey): string {
  const number = (value: bigint | number) => value.toString().padStart(20, '0');
  switch (column) {
    case 'block':
      return `${number(log.blockNumber)} ${number(log.logIndex)}`;
    case 'index':
      return number(log.logIndex);
    case 'transaction':
      return log.transactionHash;
    case 'topics':
      return log.topics.join('').replaceAll('0x', '');
    default:
      return log[column];
  }
}

/** The same rows by the plainest way: all of them made, filtered and sorted. */
function expected(logs: readonly Log[], { filter, sort }: LogArrangement): readonly number[] {
  const rows = [...logs.keys()].filter((row) => {
    const log = logs[row];
    if (!log || filter === '') return true;
    const hexes = [log.transactionHash, log.address, ...log.topics, log.data];
    return hexes.some((value) => value.slice(2).includes(filter.slice(2)));
  });
  if (!sort) return rows;
  const column = columns.find((one) => one === sort.column) ?? assert.fail();
  const key = (row: number) => keyOf(logs[row] ?? assert.fail(), column);
  const sign = sort.descending ? -1 : 1;
  return rows.sort((a, b) => (key(a) === key(b) ? a - b : key(a) < key(b) ? -sign : sign));
}

function manyLogs(): readonly Log[] {
  return fc.sample(chainOf(5000, 5000), { numRuns: 1, seed: 1 })[0] ?? assert.fail();
}

function storeOf(logs: readonly Log[]): LogStore {
  const store = createLogStore();
  store.append(logs);
  return store;
}

describe('log view', () => {
  it('has the rows that pass, in order, whether they come at once or bit by bit, up or down the chain', async () => {
    const filter = fc.constantFrom('', '0x0', '0xab', '0xba', '0xff0', '0xaba');
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(chainOf(0, 60), fc.boolean()).map(([logs, down]) => (down ? logs.toReversed() : logs)),
        fc.record({ filter, sort }),
        fc.integer({ min: 1, max: 9 }),
        async (logs, arrangement, step) => {
          const store = createLogStore();
          let view = emptyLogView;
          for (let from = 0; from < logs.length; from += step) {
            store.append(logs.slice(from, from + step));
            view = await extendLogView(view, store, {
              arrangement,
              through: store.length,
              clock: systemClock,
            });
          }
          assert.deepEqual([...view.rows], expected(logs, arrangement));
          assert.equal(view.seen, logs.length);
        },
      ),
    );
  });

  it('sorts more rows than go into one run', async () => {
    const logs = manyLogs();
    const store = storeOf(logs);
    for (const column of columns.filter((name) => name !== 'block')) {
      const arrangement = { filter: '', sort: { column, descending: true } };
      const options = { through: store.length, clock: systemClock };
      const { rows } = await extendLogView(emptyLogView, store, { arrangement, ...options });
      assert.deepEqual([...rows], expected(logs, arrangement), column);
    }
  });

  it('knows when new rows come last', () => {
    const byBlock = (descending: boolean) => ({ sort: { column: 'block', descending } as const });
    const up = { order: 'oldestFirst' } as const;
    const down = { order: 'newestFirst' } as const;
    assert.ok(isAppendOnly({ sort: undefined }, up) && isAppendOnly({ sort: undefined }, down));
    assert.ok(isAppendOnly(byBlock(false), up) && !isAppendOnly(byBlock(true), up));
    assert.ok(!isAppendOnly(byBlock(false), down) && isAppendOnly(byBlock(true), down));
  });

  it('lets others run while it works, and stops when it is told to', async () => {
    const store = storeOf(manyLogs());
    const stop = new AbortController();
    let time = 0;
    let rests = 0;
    const clock: Clock = {
      now: () => time,
      elapsed: () => (time += 4),
      sleep: async (_ms, { signal } = {}) => {
        rests++;
        if (rests === 20 && signal) stop.abort(new Error('stopped'));
        signal?.throwIfAborted();
      },
    };
    const arrangement: LogArrangement = { filter: '', sort: { column: 'data', descending: false } };
    const options = { through: store.length, clock };
    await extendLogView(emptyLogView, store, { arrangement, ...options });
    assert.ok(rests > 20, `${rests} rests`);
    rests = 0;
    await assert.rejects(
      extendLogView(emptyLogView, store, { arrangement, ...options, signal: stop.signal }),
      /stopped/,
    );
    assert.equal(rests, 20);
  });
});

describe('row filter', () => {
  const hash = (digits: string): Hex => `0x${digits.padEnd(64, '0')}`;
  const log = (over: Partial<Log>) =>
    createLog(12_345, { logIndex: 6, transactionHash: hash('22'), ...over });

  async function passes(filter: string, over: Partial<Log>): Promise<boolean> {
    const options = { through: 1, clock: systemClock };
    const view = await extendLogView(emptyLogView, storeOf([log(over)]), {
      arrangement: { filter, sort: undefined },
      ...options,
    });
    return view.rows.length === 1;
  }

  const digits = { data: '0x0123456780' } as const;
  const odd = { data: '0x00000abcde0000' } as const;
  const text = { data: `0x${Buffer.from('Grüße, World!').toString('hex')}` as const };
  const padded = { topics: [hash('ddf2'), `0x${'5a'.repeat(20).padStart(64, '0')}` as const] };
  const acrossTwo = { topics: [`0x${'ab'.padStart(64, '0')}` as const], data: '0xcd' } as const;
  const highest = { blockNumber: 2n ** 53n - 1n };
  const isHex = 'finds hex anywhere in a value, at odd places too, with 0x or without, in either case';
  const cases: readonly (readonly [string, Partial<Log>, yes: readonly string[], no: readonly string[]])[] = [
    [
      'takes a decimal number for a block number or log index',
      {},
      ['12345', '12,345', '6', ' 6  12345 '],
      [],
    ],
    ['takes a decimal number whole', {}, [], ['1234', '345', '7', '6 7']],
    ['is exact up to the highest block number', highest, ['9007199254740991'], ['9007199254740990']],
    [isHex, odd, ['0xabcde', 'ABCDE', '0xABC', '0xbcd', '0x0abcde0', 'abcde0000'], ['0xabce', 'abcde00000']],
    ['finds an address in a topic, where it is padded', padded, [`0x${'5A'.repeat(20)}`], []],
    ['does not find what is only found across two values', acrossTwo, ['ab'], ['abcd']],
    ['takes many digits for hex, too', digits, ['12345678'], ['1234567']],
    ['finds text, ASCII letters in either case', text, ['world', 'WORLD!', 'grüße', '"e, w"', 'wor grü'], []],
    ['finds text as it is typed', text, [], ['word', '"World! "', 'wor?']],
    ['lets all pass when nothing is asked for', {}, ['', '  ', '0x', '""'], []],
  ];
  for (const [what, over, yes, no] of cases) {
    it(what, async () => {
      for (const filter of yes) assert.ok(await passes(filter, over), filter);
      for (const filter of no) assert.ok(!(await passes(filter, over)), filter);
    });
  }
});
