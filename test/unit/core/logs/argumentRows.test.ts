import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AbiEvent } from '../../../../src/core/abi/item.ts';
import type { AbiType, AbiValue } from '../../../../src/core/abi/type.ts';
import {
  type Address,
  createLogStore,
  emptyLogView,
  explainRowFilter,
  extendLogView,
  formatMessage,
  type Hex,
  type Log,
  type NamePart,
  type RowKnowledge,
  systemClock,
  toAbiWord,
  toStoredArgument,
} from '../../../../src/core/index.ts';
import type { LogSort } from '../../../../src/core/logs/store/logView.ts';
import { eventOf, logOfEvent } from '../../../support/eventLogs.ts';
import { runs } from '../../../support/fullRun.ts';

const ALICE = `0x${'a1'.repeat(20)}` as const;
const TREASURY = `0x${'0070'.repeat(10)}` as const;
const HUSD = `0x${'5f'.repeat(20)}` as const;
const WETH = `0x${'ee'.repeat(20)}` as const;

const transfer = eventOf('event Transfer(address indexed from, address indexed to, uint256 value)');
const nft = eventOf('event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)');
const mixed = eventOf(
  'event Mixed(int64 delta, bool up, string note, bytes4 tag, uint8[2] pair, string indexed title)',
);
const moved = eventOf('event TransferMoved(uint256 id)');
const rated = eventOf('event Rated(fixed168x10 rate)');
const { type: tierType } = eventOf('event Tiered(uint8 tier)').inputs[0] ?? assert.fail();
const tiered: AbiEvent = {
  ...eventOf('event Tiered(uint8 tier)'),
  inputs: [
    {
      ...(eventOf('event Tiered(uint8 tier)').inputs[0] ?? assert.fail()),
      type: {
        ...tierType,
        enumeration: { name: 'Vault.Tier', members: ['Basic', 'Gold', 'Platinum'] },
      } as AbiType,
    },
  ],
};
const layouts = [transfer, nft, mixed, moved, rated, tiered];

let block = 0n;
const logOf = (event: AbiEvent, values: readonly AbiValue[], address: Address = HUSD): Log =>
  logOfEvent(event, values, { address, block: block++ });

function fits(name: string, text: string, as: NamePart): boolean {
  const [whole, wanted] = [name.toLowerCase(), text.toLowerCase()];
  return as === 'whole' ? whole === wanted : whole.includes(wanted);
}

/** What is known in these tests. */
function knowledgeOf(asked: AbiEvent): RowKnowledge {
  const ofTopic = (topic0: Hex) => layouts.filter((layout) => layout.topic0 === topic0);
  const topics = [...new Set(layouts.map(({ topic0 }) => topic0))];
  return {
    argumentAt: (index) => toStoredArgument(ofTopic(asked.topic0), index),
    findArgumentsByName: (name) =>
      topics.flatMap((topic0) => {
        const named = ofTopic(topic0).filter(({ inputs }) => inputs.some((input) => input.name === name));
        const index = named[0]?.inputs.findIndex((input) => input.name === name) ?? 0;
        const argument = toStoredArgument(named, index);
        const unitAt = (token: Address) =>
          name === 'value' ? ({ kind: 'token', token } as const) : undefined;
        return argument ? { ...argument, unitAt } : [];
      }),
    listArgumentNames: () => [...new Set(layouts.flatMap(({ inputs }) => inputs.map(({ name }) => name)))],
    unitsOf: (token) => (token === HUSD ? { symbol: 'HUSD', decimals: 6 } : undefined),
    findEventsByName: (text, as) =>
      layouts.filter(({ name }) => fits(name, text, as)).map(({ topic0 }) => topic0),
    findAddressesByName: (text, as) => (fits('Treasury', text, as) ? [TREASURY] : []),
    listDecimals: (contract) => (contract === HUSD ? [6] : []),
  };
}

async function rowsOf(
  logs: readonly Log[],
  {
    filter = '',
    sort,
    asked = transfer,
    steps = [logs.length],
  }: {
    readonly filter?: string;
    readonly sort?: LogSort;
    readonly asked?: AbiEvent;
    readonly steps?: readonly number[];
  },
): Promise<readonly number[]> {
  const store = createLogStore();
  store.append(logs);
  let view = emptyLogView;
  for (const through of steps) {
    const arrangement = { filter, sort };
    view = await extendLogView(view, store, {
      ...{ arrangement, through, clock: systemClock, knowledge: knowledgeOf(asked) },
    });
  }
  return [...view.rows];
}

/** Indexes sorted by what the values are, rows of other events last. */
function sorted(values: readonly (bigint | string | undefined)[], descending: boolean): readonly number[] {
  const sign = descending ? -1 : 1;
  return [...values.keys()].sort((a, b) => {
    const [x, y] = [values[a], values[b]];
    if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined) || a - b;
    return x === y ? a - b : x < y ? -sign : sign;
  });
}

const anyUint = fc.oneof(
  fc.bigInt(0n, 300n),
  fc.bigInt(2n ** 60n, 2n ** 60n + 9n),
  fc.bigInt(0n, 2n ** 256n - 1n),
);

describe('rows sorted by an argument', () => {
  it('are in the order of numbers, in the data or in a topic, rows of other events last', async () => {
    const row = fc.record({ value: anyUint, kind: fc.constantFrom('token', 'nft', 'other') });
    const property = fc.asyncProperty(
      fc.array(row, { maxLength: 40 }),
      fc.boolean(),
      fc.nat(40),
      async (rows, descending, cut) => {
        const logs = rows.map(({ value, kind }) => {
          if (kind === 'token') return logOf(transfer, [ALICE, TREASURY, value]);
          if (kind === 'nft') return logOf(nft, [ALICE, TREASURY, value]);
          return logOf(mixed, [1n, true, '', '0x00000000', [1n, 2n], 't']);
        });
        const values = rows.map(({ value, kind }) => (kind === 'other' ? undefined : value));
        const sort = { column: 'argument2', descending } as const;
        const steps = [Math.min(cut, rows.length), rows.length];
        assert.deepEqual(await rowsOf(logs, { sort, steps }), sorted(values, descending));
      },
    );
    await fc.assert(property, { numRuns: runs(400) });
  });

  it('know signs, and compare text and bytes from the left', async () => {
    const row = fc.record({
      delta: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map((wide) => (wide % 2n === 0n ? wide : wide % 5n)),
      note: fc.stringMatching(/^[ab]{0,40}$/),
      tag: fc.constantFrom('00000000', '00ff0000', 'ff000000').map((digits): Hex => `0x${digits}`),
      pair: fc.tuple(fc.bigInt(0n, 1n), fc.bigInt(0n, 2n)),
    });
    const property = fc.asyncProperty(
      fc.array(row, { maxLength: 30 }),
      fc.boolean(),
      async (rows, descending) => {
        const logs = rows.map(({ delta, note, tag, pair }) =>
          logOf(mixed, [delta, true, note, tag, pair, 't']),
        );
        const wanted = {
          argument0: rows.map(({ delta }) => delta),
          argument2: rows.map(({ note }) => note),
          argument3: rows.map(({ tag }) => tag),
          argument4: rows.map(({ pair }) => pair.join()),
        };
        for (const [column, values] of Object.entries(wanted)) {
          const sort = { column, descending } as LogSort;
          assert.deepEqual(await rowsOf(logs, { asked: mixed, sort }), sorted(values, descending), column);
        }
      },
    );
    await fc.assert(property, { numRuns: runs(400) });
  });

  it('take no harm from data that are not what the event says', async () => {
    const good = logOf(mixed, [1n, true, 'b', '0x00000000', [1n, 2n], 't']);
    const broken: readonly Hex[] = ['0x', '0x01', toAbiWord(7n), `0x${'ff'.repeat(256)}`];
    const logs = [...broken.map((data) => ({ ...good, data })), good];
    for (const column of ['argument0', 'argument2', 'argument4'] as const) {
      const rows = await rowsOf(logs, { asked: mixed, sort: { column, descending: false } });
      assert.equal(rows.length, logs.length);
    }
  });

  it('stay in the order of the chain where no such argument is known', async () => {
    const logs = [2n, 1n].map((value) => logOf(transfer, [ALICE, TREASURY, value]));
    assert.deepEqual(await rowsOf(logs, { sort: { column: 'argument9', descending: true } }), [0, 1]);
  });
});

describe('rows filtered by what they say', () => {
  const logs = [
    logOf(transfer, [ALICE, TREASURY, 1_250_500_000n]),
    logOf(transfer, [TREASURY, ALICE, 999n]),
    logOf(transfer, [ALICE, ALICE, 1_250_500_000n], WETH),
    logOf(mixed, [-5n, true, 'Hello', '0xdeadbeef', [1n, 2n], 'the title']),
    logOf(mixed, [5n, false, 'bye', '0x00000000', [77n, 4n], 'other']),
    logOf(nft, [ALICE, ALICE, 4242n], TREASURY),
    logOf(moved, [1n]),
    logOf(rated, [15_000_000_000n]),
    logOf(rated, [-15_000_000_000n]),
    logOf(tiered, [1n]),
  ];
  const cases: readonly (readonly [string, readonly number[]])[] = [
    ['treasury', [0, 1, 5]],
    ['"Treas"', [0, 1, 5]],
    ['transfer', [0, 1, 2, 5, 6]],
    ['event:transfer', [0, 1, 2, 5]],
    ['event:moved', [6]],
    ['event:transferm', [6]],
    ['event:mixed', [3, 4]],
    [`event:${mixed.topic0}`, [3, 4]],
    ['999', [1]],
    ['4,242', [5]],
    ['-5', [3]],
    ['1,250.5', [0]],
    ['1250500000', [0, 2]],
    ['from:Treasury', [1]],
    ['to:treasury', [0]],
    [`from:${ALICE}`, [0, 2, 5]],
    ['from:0xa1a1', [0, 2, 5]],
    ['from:Alice', []],
    ['value>1000', [0, 2]],
    ['value>=1,250.5', [0, 2]],
    ['value>1,250.5', [2]],
    ['value=1250.5', [0]],
    ['value<1', [1]],
    ['value<=0.000999', [1]],
    ['value>0.0009985', [0, 1, 2]],
    ['value:0x4a88c2a0', []],
    ['tokenId:4242', [5]],
    ['delta<0', [3]],
    ['delta>=-5', [3, 4]],
    ['delta>-99999999999999999999999999', [3, 4]],
    ['delta:-5', [3]],
    ['up:true', [3]],
    ['up:maybe', []],
    ['note:hell', [3]],
    ['note:"Hello"', [3]],
    ['title:"the title"', [3]],
    ['tag:0xdead', [3]],
    ['pair:77', [4]],
    ['pair:78', []],
    ['pair>76', []],
    ['address:Treasury', [5]],
    [`address:${WETH}`, [2]],
    ['from:Treasury value<1', [1]],
    ['index:3 event:mixed delta:5', [4]],
    ['rate:1.5', [7]],
    ['rate>1', [7]],
    ['rate<=-1.5', [8]],
    ['rate:0x37e11d600', []],
    ['nothing:here', []],
    ['value>abc', []],
    [':', []],
  ];
  for (const [filter, expected] of cases) {
    it(`pass for ${filter}`, async () => assert.deepEqual(await rowsOf(logs, { filter }), expected));
  }

  it('pass with blanks around an operator as without', async () => {
    const conditions = cases.filter(([filter]) => /^\w+(?:>=|<=|[:<>=])\S+$/.test(filter));
    assert.ok(conditions.length > 25);
    for (const [filter, expected] of conditions) {
      for (const [around, label] of [
        [' $& ', 'both'],
        [' $&', 'before'],
        ['$& ', 'after'],
        ['\t $&  ', 'several'],
      ] as const) {
        const spaced = filter.replace(/>=|<=|[:<>=]/, around);
        assert.deepEqual(await rowsOf(logs, { filter: spaced }), expected, `${label}: ${spaced}`);
      }
    }
  });

  const neighbours: readonly (readonly [string, readonly number[]])[] = [
    ['from : Treasury value < 1', [1]],
    ['VALUE_ > 3', []],
    ['note : "Hello"', [3]],
    ['value == 1,250.5', [0]],
    ['value > 1,000 HUSD', [0]],
    ['value > 1,000 husd', [0]],
    ['value > 1,000 Treasury', [0]],
    ['to != Treasury', [1, 2, 5]],
    ['value!=1250.5', [1, 2]],
    ['event != Transfer', [3, 4, 6, 7, 8, 9]],
    ['!event:Transfer', [3, 4, 6, 7, 8, 9]],
    ['!Treasury event:transfer', [2]],
    ['tier : Gold', [9]],
    ['tier:gold', [9]],
    ['tier = Tier.Gold', [9]],
    ['tier >= Gold', [9]],
    ['tier > Gold', []],
    ['note:"Hel', [3]],
    ['pair : 77', [4]],
    ['value => 1,250.5', [0, 2]],
    ['value =< 0.000999', [1]],
    ['value <> 1250.5', [1, 2]],
    ['value≥1,250.5', [0, 2]],
    ['value ≤ 0.000999', [1]],
    ['value ≠ 1250.5', [1, 2]],
    ['value > 1e3', [0, 2]],
    ['value > 1.2505e3', [2]],
    ['value > 1.25e+3', [0, 2]],
    ['value > 1_000', [0, 2]],
    ['value > 1 gwei', [0, 2]],
    ['value>1gwei', [0, 2]],
    ['value > 1.2505 gwei', []],
    ['value = 999 wei', [1]],
    ['value > 1 ether', []],
    ['value < 1 ether to:Treasury', [0]],
  ];
  for (const [filter, expected] of neighbours) {
    it(`pass for ${filter}, too`, async () => assert.deepEqual(await rowsOf(logs, { filter }), expected));
  }

  it('stay as they are while a condition is being typed', async () => {
    for (const typed of [
      'value>',
      'value >',
      'value >= ',
      'from:',
      'from : "',
      'block<',
      'event =',
      'value !=',
    ])
      assert.deepEqual(await rowsOf(logs, { filter: typed }), [...logs.keys()], typed);
    assert.deepEqual(await rowsOf(logs, { filter: 'to:Treasury value >=' }), [0]);
  });

  it('come with why a condition matches nothing', () => {
    const explain = (filter: string) => explainRowFilter(filter, knowledgeOf(transfer)).map(formatMessage);
    const fields =
      'Fields: from, to, value, tokenId, delta, up, note, tag, pair, title, id, rate, tier, event, address, block, index';
    const unknown = `No field is called amount. ${fields}`;
    assert.deepEqual(explain('amount>5'), [unknown]);
    assert.deepEqual(explain('amount > 5 to:Treasury'), [unknown]);
    assert.deepEqual(explain('amount : 5'), [unknown]);
    assert.deepEqual(explain('value > abc'), [
      'value is a number, and abc is not. For a range, enter value>=100 value<=200.',
    ]);
    assert.deepEqual(explain('block:480-500'), [
      'block is a number, and 480-500 is not. For a range, enter block>=100 block<=200.',
    ]);
    assert.deepEqual(explain('up:maybe'), ['up is true or false.']);
    assert.deepEqual(explain('from:Alice'), ['No address is called Alice.']);
    assert.deepEqual(explain('event:Nope'), ['No event here is called Nope.']);
    assert.deepEqual(explain('from > 5'), ['from has no order. Enter from:5 or from!=5.']);
    assert.deepEqual(explain('tier:Silver'), [
      'Silver is not a member of Vault.Tier. Enter one of Basic, Gold, Platinum.',
    ]);
    assert.deepEqual(explain('pair > 5'), ['pair has several values. Enter pair:5 to find 5 in the row.']);
    assert.deepEqual(explain('3000 < '), ['Enter a field before <, such as value>1000.']);
    assert.deepEqual(explain('value > 1 hsud'), ['Only rows in hsud, or with this text, match.']);
    for (const word of ['and', '&&', 'OR', '||'])
      assert.deepEqual(explain(`value > 1 ${word} block > 2`), [
        `All terms must match, and ${word} is searched as text. Leave it out.`,
      ]);
    for (const fine of ['value > 1 ether', 'value>20gwei', 'value > 1e18', '"and"'])
      assert.deepEqual(explain(fine), [], fine);
    for (const fine of ['', 'value>', 'amoun', 'Treasury', '"amount>5"', 'value > 3,000', 'pair:5', '0xabc'])
      assert.deepEqual(explain(fine), [], fine);
  });

  it('pass by their block, too', async () => {
    const first = logs[0]?.blockNumber ?? assert.fail();
    assert.deepEqual(await rowsOf(logs, { filter: `block>=${first + 1n} block<${first + 3n}` }), [1, 2]);
  });

  it('take a field of which nothing is known for text', async () => {
    const note = logOf(mixed, [1n, true, 'see from:Bob', '0x00000000', [1n, 2n], 't']);
    assert.deepEqual(await rowsOf([...logs, note], { filter: 'from:Bob' }), [logs.length]);
  });
});
