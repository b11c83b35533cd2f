import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AbiEvent } from '../../../../../src/core/abi/item.ts';
import type { AbiValue } from '../../../../../src/core/abi/type.ts';
import { hashText } from '../../../../../src/core/eth/keccak.ts';
import {
  type AbiLookup,
  type AnonymousTest,
  type Clock,
  createLogDecoder,
  createLogGroups,
  createLogStore,
  createTimeSlices,
  type Grouping,
  groupRows,
  groupToJson,
  type Hex,
  type Log,
  parseGrouping,
  type RowGroupField,
  systemClock,
  toStoredArgument,
  validateGrouping,
} from '../../../../../src/core/index.ts';
import { toGroupKey } from '../../../../../src/core/logs/groups/groupValue.ts';
import { createLogGrouper } from '../../../../../src/core/logs/groups/logGrouper.ts';
import { eventOf, logOfEvent } from '../../../../support/eventLogs.ts';
import { runs } from '../../../../support/fullRun.ts';

const transfer = eventOf('event Transfer(address indexed from, address indexed to, uint256 value)');
const nft = eventOf('event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)');
const changed = eventOf('event Changed(int128 value, string note, string indexed title, uint8[2] pair)');
const rated = eventOf('event Rated(fixed168x10 value, bytes4 tag)');
const hidden = eventOf(
  'event Hidden(address indexed to, uint256 value, int128 tokenId, string note, bytes4 indexed tag) anonymous',
);
const events = [transfer, nft, changed, rated];

const lookup: AbiLookup = {
  events: (topic0) =>
    [...events, hidden]
      .filter((event) => (event.anonymous ? topic0 === undefined : event.topic0 === topic0))
      .map((item) => ({ item, origin: { trust: 'workspace', from: 'x', contract: 'X', line: 1 } })),
  errors: () => [],
  functions: () => [],
};
const decoder = createLogDecoder({ lookup, chainId: 1 });
const slices = createTimeSlices(systemClock);

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 10, 28);
const UNKNOWN = `0x${'77'.repeat(32)}` as const;

/** A log, and what is true of it by each field. */
interface Fact {
  readonly log: Log;
  readonly fields: Readonly<Record<string, string | undefined>>;
  readonly sums: Readonly<Record<string, bigint | undefined>>;
}

const account = (index: number) => `0x${`${index}`.repeat(40)}` as const;
const anyAccount = fc.nat(3).map(account);
const anyAmount = fc.oneof(
  fc.bigInt(0n, 5n),
  fc.bigInt(2n ** 60n, 2n ** 60n + 2n),
  fc.bigInt(0n, 2n ** 256n - 1n),
);
const anyChange = fc.oneof(fc.bigInt(-3n, 3n), fc.bigInt(-(2n ** 127n), 2n ** 127n - 1n));
const LONG_NOTE = 'x'.repeat(300);
// A short text may be the hash of a long one.
const anyNote = fc.constantFrom('', 'a', hashText(LONG_NOTE), LONG_NOTE, `${LONG_NOTE}y`);
// A log has the hash of an indexed text, so a title that is a hash would be the title with that hash.
const anyTitle = fc.constantFrom('', 'a', LONG_NOTE, `${LONG_NOTE}y`);

const anyBody: fc.Arbitrary<
  Omit<Fact, 'log'> & { readonly event?: AbiEvent; readonly values: readonly AbiValue[] }
> = fc.oneof(
  fc.record({ from: anyAccount, to: anyAccount, value: anyAmount }).map(({ from, to, value }) => ({
    ...{ event: transfer, values: [from, to, value] },
    fields: { from, to, value: String(value) },
    sums: { value },
  })),
  fc.record({ from: anyAccount, to: anyAccount, id: anyAmount }).map(({ from, to, id }) => ({
    ...{ event: nft, values: [from, to, id] },
    fields: { from, to, tokenId: String(id) },
    sums: { tokenId: id },
  })),
  fc.record({ value: anyChange, note: anyNote, title: anyTitle, bit: fc.bigInt(0n, 1n) }).map((made) => ({
    ...{ event: changed, values: [made.value, made.note, made.title, [made.bit, 1n]] },
    fields: { value: String(made.value), note: made.note, title: `# ${made.title}`, pair: `${made.bit},1` },
    sums: { value: made.value },
  })),
  fc.record({ value: fc.bigInt(-9n, 9n) }).map(({ value }) => ({
    ...{ event: rated, values: [value, '0x12345678'] },
    fields: { value: `fixed ${value}`, tag: '0x12345678' },
    sums: {},
  })),
  fc
    .record({ to: anyAccount, value: anyAmount, id: anyChange, note: anyNote })
    .map(({ to, value, id, note }) => ({
      ...{ event: hidden, values: [to, value, id, note, '0x12345678'] },
      fields: { to, value: String(value), tokenId: String(id), note, tag: '0x12345678' },
      sums: { value, tokenId: id },
    })),
  fc.constant({ values: [], fields: {}, sums: {} }),
);

/** Of few blocks and days, so that groups are large. */
const anyFacts = (maxLength: number): fc.Arbitrary<readonly Fact[]> =>
  fc
    .array(fc.record({ body: anyBody, address: anyAccount, step: fc.nat(2) }), { maxLength })
    .chain((made) => fc.boolean().map((isNewestFirst) => ({ made, isNewestFirst })))
    .map(({ made, isNewestFirst }) => {
      let block = 100;
      const facts = made.map(({ body, address, step }, index): Fact => {
        block += step;
        const { event, values, fields, sums } = body;
        const time = block % 7 === 0 ? undefined : START + Math.floor(block / 5) * DAY_MS + 1000;
        const place = { address, block: BigInt(block) };
        const raw = event
          ? logOfEvent(event, values, place)
          : { ...logOfEvent(transfer, [account(1), account(1), 1n], place), topics: [UNKNOWN] };
        return {
          log: { ...raw, logIndex: index, blockHash: toHash(block), ...(time !== undefined && { time }) },
          sums,
          fields: {
            ...fields,
            address,
            event: event?.signature ?? UNKNOWN,
            block: String(block),
            day: time === undefined ? undefined : new Date(time).toISOString().slice(0, 10),
          },
        };
      });
      return isNewestFirst ? facts.toReversed() : facts;
    });

const toHash = (block: number): Hex => `0x${String(block).padStart(64, '0')}`;

interface Expected {
  readonly key: string;
  count: number;
  sum: bigint;
  min: bigint;
  max: bigint;
  first: number;
  last: number;
}

/** By the plainest way. */
function groupFacts(facts: readonly Fact[], by: readonly string[], sum: string | undefined) {
  const groups: Expected[] = [];
  let ungrouped = 0;
  for (const { log, fields, sums } of facts) {
    const values = by.map((name) => fields[name]);
    const value = sum === undefined ? 0n : sums[sum];
    if (values.includes(undefined) || value === undefined) {
      ungrouped++;
      continue;
    }
    const key = JSON.stringify(values);
    const block = Number(log.blockNumber);
    let group = groups.find((one) => one.key === key);
    if (!group) {
      group = { key, count: 0, sum: 0n, min: value, max: value, first: block, last: block };
      groups.push(group);
    }
    group.count++;
    group.sum += value;
    group.min = value < group.min ? value : group.min;
    group.max = value > group.max ? value : group.max;
    group.first = Math.min(group.first, block);
    group.last = Math.max(group.last, block);
  }
  const order = (a: Expected, b: Expected) => {
    if (sum !== undefined && a.sum !== b.sum) return a.sum > b.sum ? -1 : 1;
    if (sum === undefined && a.count !== b.count) return b.count - a.count;
    return a.first - b.first || groups.indexOf(a) - groups.indexOf(b);
  };
  return { groups: groups.toSorted(order), ungrouped };
}

const FIELDS = [
  'from',
  'to',
  'value',
  'tokenId',
  'note',
  'title',
  'pair',
  'tag',
  'address',
  'event',
  'block',
  'day',
];
const anyBy = fc.uniqueArray(fc.constantFrom(...FIELDS), { maxLength: 2 });
const anySum = fc.constantFrom(undefined, 'tokenId');
const mayBeAnonymous: AnonymousTest = (topic0) =>
  topic0 === undefined || lookup.events(topic0, undefined).length === 0;

function requireGrouping(by: readonly string[], sum?: string): Grouping {
  return parseGrouping({ by, sum }) ?? { by: [], sum: undefined, inputName: 'groupBy' };
}

function toRowFields(by: readonly string[]): readonly RowGroupField[] {
  return requireGrouping(by).by.map((field): RowGroupField => {
    return field.kind === 'argument'
      ? { kind: 'argument', parameter: field.parameter, arguments: findArguments(field.parameter) }
      : field;
  });
}

function findArguments(name: string) {
  return [...new Set(events.map(({ topic0 }) => topic0))].flatMap((topic0) => {
    const named = events.filter(
      (event) => event.topic0 === topic0 && event.inputs.some((input) => input.name === name),
    );
    const index = named[0]?.inputs.findIndex((input) => input.name === name) ?? 0;
    return toStoredArgument(named, index) ?? [];
  });
}

/** Without what is only in one of both: how the key is written. */
const plain = ({ key: _, ...group }: Expected, hasSum: boolean) => ({
  ...{ count: group.count, firstBlock: group.first, lastBlock: group.last },
  totals: hasSum ? { sum: group.sum, min: group.min, max: group.max } : undefined,
});

describe('groups of logs', () => {
  it('keep a long text apart from a text that is its hash, of each kind', () => {
    const keyOf = (value: AbiValue, text: string) =>
      toGroupKey({
        kind: 'argument',
        parameter: eventOf(`event E(${text} value)`).inputs[0] ?? assert.fail(),
        value,
      });
    assert.notEqual(keyOf(LONG_NOTE, 'string'), keyOf(hashText(LONG_NOTE), 'string'));
    const long = `0x${'ab'.repeat(300)}`;
    assert.notEqual(keyOf(long, 'bytes'), keyOf(hashText(long), 'bytes'));
  });

  it('have the counts, sums and order of brute force, from logs and from stored rows', async () => {
    const property = fc.asyncProperty(anyFacts(60), anyBy, anySum, async (facts, by, sum) => {
      const logs = facts.map(({ log }) => log);
      const expected = groupFacts(facts, by, sum);
      const wanted = expected.groups.map((group) => plain(group, sum !== undefined));

      const groups = createLogGroups(requireGrouping(by, sum), {
        decoder,
        dayOf: ({ time }) => (time === undefined ? undefined : new Date(time).toISOString().slice(0, 10)),
      });
      for (let from = 0; from < logs.length; from += 7) groups.add(logs.slice(from, from + 7));
      const isKnown = groups.size > 0 || logs.length === 0;
      const ranked = isKnown ? await groups.rank({ slices }) : [];
      assert.deepEqual(
        ranked.map(({ values: _, ...group }) => group),
        wanted,
      );
      assert.equal(groups.ungrouped, expected.ungrouped);

      const store = createLogStore();
      store.append(logs);
      const summed = sum === undefined ? undefined : { parameter: sum, arguments: findArguments(sum) };
      const options = { by: toRowFields(by), sum: summed, decoder, mayBeAnonymous, slices };
      const inRows = await groupRows(store, options);
      assert.deepEqual(
        Array.from(inRows.ranked, (group) => inRows.at(group)),
        wanted,
      );
      assert.equal(inRows.ungrouped, expected.ungrouped);
      const [largest] = inRows.ranked;
      if (largest === undefined) return;
      const isInLargest = inRows.createRowTest(largest);
      const found = logs.filter((_, row) => isInLargest(row));
      assert.equal(found.length, wanted[0]?.count);
      const inOrder = found.toSorted((a, b) => a.logIndex - b.logIndex);
      assert.equal(logs[inRows.firstRowOf(largest)], inOrder[0]);
      assert.equal(logs[inRows.lastRowOf(largest)], inOrder.at(-1));
      const [min, value] = [inRows.at(largest).totals?.min, inRows.valueAt(inRows.firstRowOf(largest))];
      assert.ok(min === undefined ? value === undefined : value !== undefined && value >= min);
    });
    await fc.assert(property, { numRuns: runs(1000) });
  });

  it('add up signed and unsigned numbers of one name, but none with other decimals', async () => {
    const logs = [
      logOfEvent(transfer, [account(1), account(2), 2n ** 256n - 1n]),
      logOfEvent(changed, [-5n, '', '', [0n, 0n]]),
      logOfEvent(rated, [15_000_000_000n, '0x00000000']),
    ];
    const grouping = requireGrouping([], 'value');
    const groups = createLogGroups(grouping, { decoder });
    groups.add(logs);
    const [all] = await groups.rank({ slices });
    assert.deepEqual(all && groupToJson(all, grouping, groups.sumType), {
      ...{ group: {}, count: '2', sum: String(2n ** 256n - 6n), min: '-5', max: String(2n ** 256n - 1n) },
      ...{ firstBlock: '1', lastBlock: '1' },
    });
    assert.equal(groups.ungrouped, 1);
  });

  it('are of block ranges where a width is set', async () => {
    const store = createLogStore();
    store.append([101n, 199n, 200n].map((block) => logOfEvent(rated, [1n, '0x00000000'], { block })));
    const groups = await groupRows(store, { by: toRowFields(['block:100']), slices });
    assert.deepEqual(
      Array.from(groups.ranked, (group) => [groups.at(group).count, groups.firstRowOf(group)]),
      [
        [2, 0],
        [1, 2],
      ],
    );
  });

  it('are of the days of blocks where logs came without a time', async () => {
    const store = createLogStore();
    store.append([1n, 2n, 3n].map((block) => logOfEvent(rated, [1n, '0x00000000'], { block })));
    const dayOf = (block: number) => (block < 3 ? '2026-11-28' : undefined);
    const groups = await groupRows(store, { by: [{ kind: 'day', dayOf }], slices });
    assert.deepEqual([groups.size, groups.at(0).count, groups.ungrouped], [1, 2, 1]);
  });

  it('leave out logs that fit several events, whose arguments are not certain', async () => {
    const swapped = eventOf('event Transfer(address indexed from, address to, uint256 indexed value)');
    const both = [transfer, swapped];
    const ambiguous = createLogDecoder({
      chainId: 1,
      lookup: {
        ...lookup,
        events: () =>
          both.map((item) => ({ item, origin: { trust: 'workspace', from: 'x', contract: 'X', line: 1 } })),
      },
    });
    const log = logOfEvent(transfer, [account(1), account(2), 3n]);
    const byTo = createLogGroups(requireGrouping(['to']), { decoder: ambiguous });
    byTo.add([log]);
    assert.deepEqual([byTo.size, byTo.ungrouped], [0, 1]);
    const byEvent = createLogGroups(requireGrouping(['event']), { decoder: ambiguous });
    byEvent.add([log]);
    assert.deepEqual([byEvent.size, byEvent.ungrouped], [1, 0]);
  });

  it('name members of enums, and print values as decoded arguments are', async () => {
    const paid = eventOf('event Paid(uint8 kind, (uint256 amount, string note) detail)');
    const [kind, detail] = paid.inputs;
    assert.ok(kind && detail);
    const enumeration = { name: 'Reason', members: ['Salary', 'Bonus'] };
    const event = {
      ...paid,
      inputs: [{ ...kind, type: { ...kind.type, enumeration } as typeof kind.type }, detail],
    };
    const only = createLogDecoder({
      chainId: 1,
      lookup: {
        ...lookup,
        events: () => [{ item: event, origin: { trust: 'workspace', from: 'x', contract: 'X', line: 1 } }],
      },
    });
    const grouping = requireGrouping(['kind', 'detail']);
    const groups = createLogGroups(grouping, { decoder: only });
    groups.add([logOfEvent(paid, [1n, [2n ** 64n, 'tea']])]);
    const [group] = await groups.rank({ slices });
    assert.deepEqual(group && groupToJson(group, grouping), {
      group: { kind: '1', detail: { amount: String(2n ** 64n), note: 'tea' } },
      named: { kind: 'Bonus' },
      ...{ count: '1', firstBlock: '1', lastBlock: '1' },
    });
  });

  it('end with what to do where there are too many', () => {
    const grouper = createLogGrouper({ field: 'group-by', maxGroups: 2 });
    grouper.add('a', 1);
    grouper.add('b', 1);
    grouper.add('a', 2);
    assert.throws(() => grouper.add('c', 3), {
      kind: 'badInput',
      message: 'The logs have more than 2 groups. Group by a field with fewer values, or narrow the range.',
    });
  });

  it('are made in slices of time, and stop when they are told to', async () => {
    const store = createLogStore();
    store.append(
      Array.from({ length: 5000 }, (_, row) =>
        logOfEvent(rated, [BigInt(row), '0x00000000'], { block: BigInt(row) }),
      ),
    );
    const stop = new AbortController();
    let [time, rests] = [0, 0];
    const clock: Clock = {
      now: () => time,
      elapsed: () => (time += 4),
      sleep: async (_ms, { signal } = {}) => {
        if (++rests === 5) stop.abort(new Error('stopped'));
        signal?.throwIfAborted();
      },
    };
    const by = [{ kind: 'block', width: 1 }] as const;
    const grouped = groupRows(store, { by, slices: createTimeSlices(clock), signal: stop.signal });
    await assert.rejects(grouped, /stopped/);
    assert.equal(rests, 5);
  });
});

describe('fields of groups', () => {
  const refusals: readonly (readonly [readonly string[], string | undefined, string, RegExp])[] = [
    [['to', 'day', 'block'], undefined, 'groupBy', /one or two fields/],
    [['to', 'args.to'], undefined, 'groupBy', /Both fields are the same/],
    [['block:0'], undefined, 'groupBy', /Enter block:1000/],
    [['block:many'], undefined, 'groupBy', /Enter block:1000/],
    [[' '], undefined, 'groupBy', /Enter the name of a parameter, such as to, or address/],
    [
      ['recipient'],
      undefined,
      'groupBy',
      /no parameter|has a parameter recipient\. Use one of from, to, value, or address, event, block or day\./,
    ],
    [['to'], 'from', 'sum', /^from is not a number but address\. Sum one of value\.$/],
    [['to'], 'amount', 'sum', /has a parameter amount\. Sum one of value\.$/],
    [['args.block'], undefined, 'groupBy', /has a parameter block\./],
  ];

  it('that make no sense are refused with what to write', () => {
    for (const [by, sum, field, message] of refusals) {
      const check = () => validateGrouping(requireGrouping(by, sum), [transfer]);
      assert.throws(check, (error: Error & { details: { field: string } }) => {
        assert.match(error.message, message);
        assert.equal(error.details.field, field);
        return true;
      });
    }
    validateGrouping(requireGrouping(['to', 'day'], 'value'), [transfer]);
    validateGrouping(requireGrouping(['anything'], 'else'), []);
    assert.equal(parseGrouping({ by: [] }), undefined);
  });

  it('that no decoded log has are an error after reading, not an empty result', async () => {
    const groups = createLogGroups(requireGrouping(['recipient']), { decoder });
    groups.add([logOfEvent(transfer, [account(1), account(2), 3n])]);
    await assert.rejects(groups.rank({ slices }), /has a parameter recipient\. Use one of from, to, value/);
  });
});
