import assert from 'node:assert/strict';
import { type AppError, type BlockTag, type Log, parseLogFilter } from '../../../../../src/core/index.ts';
import { resolveRange } from '../../../../../src/core/logs/engine/blockRange.ts';
import { unknownDialect } from '../../../../../src/core/logs/engine/dialect.ts';
import { toServerFilters } from '../../../../../src/core/logs/engine/serverFilters.ts';
import { createLogTest, parseBlockTag } from '../../../../../src/core/logs/query/filter.ts';

const rangeOf = (fromBlock: BlockTag, toBlock: BlockTag, head: bigint) => {
  const range = resolveRange({ fromBlock, toBlock }, head);
  return [range.fromBlock, range.toBlock];
};

describe('block that counts from the latest', () => {
  it('is read however people write it', () => {
    for (const text of ['latest-1000', ' Latest - 1,000 ', 'latest-1_000']) {
      assert.equal(parseBlockTag(text, 'fromBlock'), 'latest-1000');
      assert.equal(parseBlockTag(text, 'toBlock'), 'latest-1000');
    }
    assert.equal(parseBlockTag('latest-0', 'toBlock'), 'latest');
  });

  it('is as a first block also the number of blocks to the latest', () => {
    for (const value of ['-1000', '-1,000', -1000, -1000n]) {
      assert.deepEqual(rangeOf(parseBlockTag(value, 'fromBlock'), 'latest', 5000n), [4001n, 5000n]);
    }
    assert.equal(parseBlockTag(-1, 'fromBlock'), 'latest');
  });

  it('is block 0 on a chain that is shorter', () => {
    assert.deepEqual(rangeOf('latest-1000', 'latest', 7n), [0n, 7n]);
    assert.deepEqual(rangeOf('latest-5', 'latest-2', 7n), [2n, 5n]);
  });

  it('is refused in words where it is none', () => {
    const texts = ['-0', '--5', '-1.5', 'latest-', 'latest+5', 'latest-0x10', 'earliest-5', '-', '-1e3'];
    for (const text of texts) {
      const refused = { kind: 'badInput', message: /^Enter a block number, .*latest-1000/ };
      assert.throws(() => parseBlockTag(text, 'fromBlock'), refused, text);
    }
    assert.throws(() => parseBlockTag('-50', 'toBlock'), {
      kind: 'badInput',
      message: 'The last block cannot be negative. Use latest-50.',
    });
  });

  it('is compared with the other bound as far as that can be said, and when the head is known', () => {
    const open = (fromBlock: string, toBlock: string) => parseLogFilter({ fromBlock, toBlock });
    for (const [from, to] of [
      ['latest-5', 'latest-6'],
      ['latest', 'latest-1'],
    ] as const) {
      assert.throws(() => open(from, to), { kind: 'badInput', message: /is after the last block/ });
    }
    assert.equal(open('latest-5', '10').fromBlock, 'latest-5');
    assert.equal(open('10', 'latest-5').toBlock, 'latest-5');
    assert.deepEqual(rangeOf('latest-5', 10n, 12n), [7n, 10n]);
    const reversed = { kind: 'badInput', message: 'The first block (95) is after the last block (10).' };
    assert.throws(() => rangeOf('latest-5', 10n, 100n), reversed);
    assert.throws(() => rangeOf(95n, 'latest-90', 100n), reversed);
  });

  it('leaves a range above the head for what it is', () => {
    assert.deepEqual(resolveRange({ fromBlock: 60n, toBlock: 'latest' }, 50n), {
      ...{ fromBlock: 60n, toBlock: 50n, head: 50n },
    });
    assert.deepEqual(resolveRange({ fromBlock: 40n, toBlock: 60n }, 50n), {
      ...{ fromBlock: 40n, toBlock: 50n, head: 50n, requestedTo: 60n },
    });
  });
});

const A = `0x${'a'.repeat(40)}` as const;
const B = `0x${'b'.repeat(40)}` as const;
const T = [0, 1, 2, 3].map((digit) => `0x${String(digit).repeat(64)}` as const);
const [T0 = '0x', T1 = '0x', T2 = '0x', T3 = '0x'] = T;

const node = { ...unknownDialect, family: 'node' } as const;
const explorer = { ...unknownDialect, family: 'blockscout' } as const;

describe('log filter', () => {
  it('reads the JSON form of eth_getLogs', () => {
    assert.deepEqual(
      parseLogFilter({
        address: A.toUpperCase().replace('0X', '0x'),
        topics: [T0, null, [T1, T1, T2], null],
        fromBlock: '0x10',
        toBlock: 300,
      }),
      { addresses: [A], topics: [[T0], null, [T1, T2]], fromBlock: 16n, toBlock: 300n },
    );
    assert.deepEqual(parseLogFilter({ address: [A, B, A] }).addresses, [A, B]);
    assert.deepEqual(parseLogFilter({}), {
      addresses: [],
      topics: [],
      fromBlock: 'earliest',
      toBlock: 'latest',
    });
  });

  const wrong: readonly [string, unknown, string][] = [
    ['a malformed address', { address: '0x12' }, 'address'],
    ['an address of the wrong type', { address: 7 }, 'address'],
    ['a malformed topic', { topics: ['0x12'] }, 'topics'],
    ['five topics', { topics: [T0, T0, T0, T0, T0] }, 'topics'],
    ['an empty list of topics', { topics: [T0, []] }, 'topics'],
    ['a malformed block', { fromBlock: 'soon' }, 'fromBlock'],
    ['a negative block', { toBlock: -1 }, 'toBlock'],
    ['a fraction', { toBlock: 1.5 }, 'toBlock'],
    ['from above to', { fromBlock: 5, toBlock: '0x4' }, 'fromBlock'],
    ['latest to earliest', { fromBlock: 'latest', toBlock: 'earliest' }, 'fromBlock'],
    ['a key that is not known', { adress: A }, 'adress'],
    ['a list', [], 'query'],
    ['text', 'all', 'query'],
  ];
  for (const [what, query, field] of wrong) {
    it(`refuses ${what} and names the field`, () => {
      assert.throws(
        () => parseLogFilter(query),
        (error: AppError) => error.kind === 'badInput' && error.details.field === field,
      );
    });
  }

  it('reads blocks as people write them', () => {
    assert.equal(parseBlockTag(' Latest ', 'toBlock'), 'latest');
    assert.equal(parseBlockTag('21,345,678', 'toBlock'), 21345678n);
    assert.equal(parseBlockTag('21_345_678', 'toBlock'), 21345678n);
    assert.equal(parseBlockTag('100', 'toBlock'), 100n);
    assert.equal(parseBlockTag('0x64', 'toBlock'), 100n);
    for (const text of ['', '1,00', '0x', '1e5', 'pending', 'finalized', '9'.repeat(20)]) {
      assert.throws(() => parseBlockTag(text, 'toBlock'), text);
    }
  });

  it('matches by position, null being any topic or none', () => {
    const log = { address: A, topics: [T0, T1] } as unknown as Log;
    const matches = (query: unknown) => createLogTest(parseLogFilter(query))(log);
    assert.ok(matches({}));
    assert.ok(matches({ address: [B, A], topics: [T0, [T2, T1], null] }));
    assert.ok(matches({ topics: [null, T1] }));
    assert.ok(!matches({ topics: [T1] }));
    assert.ok(!matches({ topics: [null, null, T2] }));
    assert.ok(!matches({ address: B }));
  });

  it('reads each value once for all logs that it tests', () => {
    const { addresses, topics } = parseLogFilter({ address: [A, B], topics: [[T0, T1]] });
    let reads = 0;
    const count = <T extends object>(values: T): T =>
      new Proxy(values, {
        get(target, name) {
          if (typeof name === 'string' && /^\d+$/.test(name)) reads++;
          return Reflect.get(target, name, target);
        },
      });
    const matches = createLogTest({
      addresses: count(addresses),
      topics: topics.map((each) => each && count(each)),
    });
    for (let nth = 0; nth < 9; nth++) assert.ok(matches({ address: B, topics: [T1] as never }));
    assert.equal(reads, 4);
  });
});

describe('what a server is asked for', () => {
  const ask = (query: unknown, dialect: Parameters<typeof toServerFilters>[1]) =>
    toServerFilters(parseLogFilter(query), dialect);

  it('is the whole filter on a node', () => {
    assert.deepEqual(ask({ address: [A, B], topics: [null, [T0, T1], T2] }, node), [
      { address: [A, B], topics: [null, [T0, T1], T2] },
    ]);
    assert.deepEqual(ask({}, node), [{}]);
  });

  it('is one address and the leading run of topics on an explorer', () => {
    assert.deepEqual(ask({ address: A, topics: [T0, null, T2] }, explorer), [{ address: A, topics: [T0] }]);
    assert.deepEqual(ask({ address: A, topics: [null, T1] }, explorer), [{ address: A }]);
    assert.deepEqual(ask({ address: [A, B], topics: [T0] }, explorer), [
      { address: A, topics: [T0] },
      { address: B, topics: [T0] },
    ]);
    assert.deepEqual(ask({ topics: [T0, T1, T2, T3] }, explorer), [{ topics: [T0, T1, T2, T3] }]);
  });

  it('ends at the first list, which an explorer takes in the last position only', () => {
    assert.deepEqual(ask({ address: A, topics: [[T0, T1], T2] }, explorer), [
      { address: A, topics: [[T0, T1]] },
    ]);
    assert.deepEqual(ask({ address: A, topics: [T0, [T1, T2]] }, explorer), [
      { address: A, topics: [T0, [T1, T2]] },
    ]);
  });

  it('spreads a list that is too long over several requests', () => {
    const many = Array.from({ length: 20 }, (_, index) => `0x${index.toString(16).padStart(64, '0')}`);
    const asks = ask({ topics: [many] }, explorer);
    assert.equal(asks.length, 2);
    assert.deepEqual(
      asks.flatMap(({ topics }) => topics?.[0]),
      many,
    );
  });

  it('is nothing until the server is known, and refused on an explorer, without address and topic0', () => {
    assert.deepEqual(ask({ topics: [null, T1] }, unknownDialect), []);
    assert.throws(() => ask({ topics: [null, T1] }, explorer), /needs an address or an event/);
  });
});
