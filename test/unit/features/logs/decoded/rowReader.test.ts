import assert from 'node:assert/strict';
import { encodeParameters } from '../../../../../src/core/abi/encode.ts';
import { createAbiLookup } from '../../../../../src/core/abi/lookup.ts';
import {
  type Address,
  createLogDecoder,
  createLogStore,
  emptyLogView,
  extendLogView,
  formatShortAddress,
  groupDigits,
  type Hex,
  type Log,
  type LogDecoder,
  systemClock,
  type TokenUnits,
  toAbiWord,
  toChecksumAddress,
} from '../../../../../src/core/index.ts';
import { createLogFilter } from '../../../../../src/core/logs/query/filter.ts';
import { RowReader, type RowTimes } from '../../../../../src/features/logs/decoded/rowReader.ts';
import type { ColumnId } from '../../../../../src/features/logs/protocol/grid.ts';
import type { LogDecoding } from '../../../../../src/host/logDecoding.ts';
import { createOfflineDecoding, lookupOf, shopOrigin } from '../../../../support/decodingStubs.ts';
import { eventOf } from '../../../../support/eventLogs.ts';
import { anyNetwork, bareLog, l10n, rowTimes } from '../../../../support/stubs.ts';

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const TREASURY = `0x${'70'.repeat(20)}` as const;
const OTHER = `0x${'0a'.repeat(19)}0b` as const;
const TOKEN = `0x${'5f'.repeat(20)}` as const;
const CHAIN = 31337;

const APPROVAL = 'event Approval(address indexed owner, address indexed spender, uint256 value)';
const NOTE = 'event Note(string indexed title, (address token, uint256[] amounts) order, bool open)';

const lookup = lookupOf(
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  NOTE,
  APPROVAL,
);

/** An older deployment, whose name a newer one has. */
const TWIN: Address = `0x${'7a'.repeat(20)}`;
const names = new Map<Address, string>([
  [TREASURY, 'Treasury'],
  [TWIN, 'Twin@0x7a7a7a'],
]);

function meaningWith(
  units: TokenUnits | undefined,
  decode?: LogDecoder['decode'],
): LogDecoding & { readonly wanted: string[] } {
  const wanted: string[] = [];
  const quiet = createOfflineDecoding(lookup);
  return {
    ...quiet,
    decoder: (network) => (decode ? { decode } : quiet.decoder(network)),
    nameOf: (address) => names.get(address),
    findAddressesByName: (text) =>
      [...names].flatMap(([address, name]) =>
        name.toLowerCase().includes(text.toLowerCase()) ? [address] : [],
      ),
    unitsOf: () => units,
    fetchUnits: async (contracts) => void wanted.push(...contracts),
    canOpen: () => true,
    wanted,
  };
}

function logOf(topics: readonly Hex[], data: Hex): Log {
  return bareLog({ address: TOKEN, topics, data, blockNumber: 9007199254740991n, logIndex: 3 });
}

const transfer = logOf([TRANSFER, toAbiWord(TREASURY), toAbiWord(OTHER)], toAbiWord(1_250_000_000n));
const nft = logOf([TRANSFER, toAbiWord(TREASURY), toAbiWord(OTHER), toAbiWord(7n)], '0x');
const approval = eventOf(APPROVAL);
const note = noteLog();
const unknown = logOf([`0x${'ab'.repeat(32)}`], '0x01');

function noteLog(): Log {
  const event = eventOf(NOTE);
  const values = [[TREASURY, [5n, 1000n]], true];
  return logOf([event.topic0, `0x${'cc'.repeat(32)}`], encodeParameters(event.inputs.slice(1), values));
}

interface Shown {
  readonly topics: readonly Hex[];
  readonly units?: TokenUnits;
  readonly raw?: boolean;
  readonly addresses?: readonly Address[];
  readonly times?: RowTimes;
  readonly decode?: LogDecoder['decode'];
}

function read(logs: readonly Log[], { topics, units, decode, ...more }: Shown) {
  const { raw = false, addresses = [TOKEN], times = rowTimes() } = more;
  const store = createLogStore();
  store.append(logs);
  const meaning = meaningWith(units, decode);
  const reader = new RowReader(meaning, l10n, times);
  reader.raw = raw;
  const filter = createLogFilter({
    ...{ addresses, topics: topics.length > 0 ? [topics] : [], fromBlock: 0n, toBlock: 'latest' },
  });
  const nothing = () => assert.fail('Nothing is asked by the rows themselves.');
  const client = { fetchTokenUnits: nothing, openLogQuery: nothing };
  reader.queried = { filter, network: anyNetwork(CHAIN), client };
  const numbered = logs.map((log, number) => ({ number, log }));
  return {
    reader,
    store,
    meaning,
    rows: reader.toWireRows(numbered, store),
    columns: reader.listColumns(store),
  };
}

const husd = { symbol: 'HUSD', decimals: 6 };

describe('rows of decoded logs', () => {
  it('have a column for each argument where one event is asked for', () => {
    const { rows, columns } = read([transfer], { topics: [TRANSFER], units: husd });
    assert.deepEqual(
      columns.map(({ name }) => name),
      ['Block', 'Time', 'from', 'to', 'value', 'Transaction', 'Index'],
    );
    assert.equal(columns.find(({ name }) => name === 'value')?.hint, 'uint256.');
    const [row] = rows;
    assert.equal(row?.cells.argument0, 'Treasury');
    assert.equal(row?.hints.argument0, `Treasury ${TREASURY}`);
    const to = toChecksumAddress(OTHER);
    assert.deepEqual([row?.cells.argument1, row?.hints.argument1], [formatShortAddress(to), to]);
    assert.deepEqual([row?.cells.argument2, row?.hints.argument2], ['1,250.00 HUSD', '1250000000']);
  });

  it('are also one sentence for a narrow view', () => {
    const { reader, rows, store } = read([transfer], { topics: [TRANSFER], units: husd });
    const narrow = reader.listNarrowColumns(store).map(({ name }) => name);
    assert.deepEqual(narrow, ['Block', 'Time', 'Event', 'Transaction', 'Index']);
    const sentence = rows[0]?.cells.event ?? '';
    assert.match(sentence, /^Transfer from Treasury to 0x\w{4}…\w{4} {2}1,250\.00 HUSD$/);
  });

  it('mark the address that the filter fixes', () => {
    const { reader, store, columns } = read([transfer], { topics: [TRANSFER] });
    assert.ok(columns.every(({ isFixed }) => !isFixed));
    const queried = reader.queried ?? assert.fail('There is no query.');
    const topics: Hex[][] = [[TRANSFER], [], [toAbiWord(OTHER)]];
    reader.queried = { ...queried, filter: { ...queried.filter, topics } };
    const fixed = reader.listColumns(store).filter(({ isFixed }) => isFixed);
    assert.deepEqual(
      fixed.map(({ name }) => name),
      ['to'],
    );
  });

  it('name members of enums, and give the clipboard their numbers', () => {
    const text = 'event Given(address indexed who, uint8 indexed role)';
    const places = [[{ path: '1', name: 'Payroll.Role', members: ['Employee', 'Contractor', 'Auditor'] }]];
    const ofPayroll = createAbiLookup([
      { text, origin: shopOrigin, enums: { places, find: () => undefined } },
    ]);
    const given = eventOf(text);
    const logs = [2n, 9n].map((role) => logOf([given.topic0, toAbiWord(TREASURY), toAbiWord(role)], '0x'));
    const { decode } = createLogDecoder({ lookup: ofPayroll, chainId: CHAIN });
    const { rows, reader } = read(logs, { topics: [], decode });
    assert.deepEqual(
      rows.map(({ cells }) => cells.event),
      ['Given  who Treasury  role Auditor', 'Given  who Treasury  role 9'],
    );
    const { meaning } = reader.toWireLog({ number: 0, log: logs[0] ?? assert.fail() });
    assert.ok('values' in meaning);
    assert.deepEqual([meaning.values[1]?.text, meaning.values[1]?.copy], ['Auditor (2)', '2']);
  });

  it('name the arguments as the event of the first log does, of several with one topic0', () => {
    const { columns, rows } = read([nft], { topics: [TRANSFER], units: husd });
    assert.equal(columns[4]?.name, 'tokenId');
    assert.equal(rows[0]?.cells.argument2, '7');
  });

  it('have one column in words where several events are asked for', () => {
    const { columns, rows } = read([transfer, nft, unknown, note], {
      topics: [],
      units: husd,
      addresses: [],
    });
    assert.deepEqual(
      columns.map(({ name }) => name),
      ['Block', 'Time', 'Event', 'Address', 'Transaction', 'Index'],
    );
    assert.match(rows[0]?.cells.event ?? '', /^Transfer from Treasury to 0x\w{4}…\w{4} {2}1,250\.00 HUSD$/);
    assert.match(rows[1]?.cells.event ?? '', / {2}#7$/);
    assert.match(rows[3]?.cells.event ?? '', /^Note {2}title hash 0xcccc…cccc {2}order \{.* {2}open true$/);
    assert.equal(rows[2]?.cells.event, `0x${'ab'.repeat(32)}: no known event has this topic0.`);
    assert.deepEqual(
      rows.map(({ isRaw }) => isRaw),
      [false, false, true, false],
    );
  });

  it('tell when their blocks were made, in full beside it, and to copy in ISO 8601', () => {
    const [own, other] = [
      { ...transfer, time: 1_767_323_045_000 },
      { ...transfer, blockNumber: 8n },
    ];
    const times = rowTimes(new Map([[8n, 0]]));
    const { rows, reader, store, columns } = read([own, other, { ...other, blockNumber: 9n }], {
      ...{ topics: [TRANSFER], times },
    });
    assert.deepEqual(
      rows.map(({ cells, hints }) => [cells.time, hints.time]),
      [
        ['at 1767323045000', 'exactly 1767323045000'],
        ['at 0', 'exactly 0'],
        ['', undefined],
      ],
    );
    assert.equal(reader.formatToCopy(own, 'time', store), '2026-01-02T03:04:05Z');
    assert.equal(reader.formatToCopy(other, 'time', store), '1970-01-01T00:00:00Z');
    assert.equal(reader.formatToCopy({ ...other, blockNumber: 9n }, 'time', store), '');
    assert.deepEqual(reader.toWireLog({ number: 0, log: own }).time, {
      ...{ iso: '2026-01-02T03:04:05Z', note: 'at 1767323045000' },
    });
    const column = columns.find(({ id }) => id === 'time');
    assert.deepEqual([column?.sortBy, column?.hint], ['block', 'Block time in your time zone.']);
  });

  it('say why there are no times, over the column and in its cells', () => {
    for (const [state, words] of [
      ['notTold', /The endpoint does not support eth_getBlockByNumber/],
      ['failed', /request for block times failed.*retries/],
    ] as const) {
      for (const raw of [false, true]) {
        const { rows, columns } = read([transfer], {
          ...{ topics: [TRANSFER], raw, times: rowTimes(new Map(), state) },
        });
        assert.equal(rows[0]?.cells.time, '');
        assert.match(rows[0]?.hints.time ?? '', words);
        assert.match(columns.find(({ id }) => id === 'time')?.hint ?? '', words);
      }
    }
  });

  it('call the greatest approval unlimited, and nothing else', () => {
    const most = toAbiWord(2n ** 256n - 1n);
    const parties = [toAbiWord(TREASURY), toAbiWord(OTHER)];
    const logs = [logOf([approval.topic0, ...parties], most), { ...transfer, data: most }];
    const { rows } = read(logs, { topics: [], units: husd });
    assert.match(rows[0]?.cells.event ?? '', /^Approval by Treasury for 0x\w{4}…\w{4} {2}Unlimited$/);
    assert.match(rows[1]?.cells.event ?? '', /^Transfer .* 115,792,/);
  });

  it('have round integers without units in few characters in the sentence, and all others whole', () => {
    for (const [amount, shown] of [
      [12n * 10n ** 25n, '1.2e26'],
      [10n ** 15n, '1e15'],
      [123_456n * 10n ** 12n, '1.23456e17'],
      [1_234_567n * 10n ** 12n, '1,234,567,000,000,000,000'],
      [10n ** 18n + 1n, '1,000,000,000,000,000,001'],
      [10n ** 14n, '100,000,000,000,000'],
    ] as const) {
      const log = { ...transfer, data: toAbiWord(amount) };
      const { rows } = read([log], { topics: [] });
      assert.ok(rows[0]?.cells.event?.endsWith(`  ${shown}`), rows[0]?.cells.event);
      assert.equal(read([log], { topics: [TRANSFER] }).rows[0]?.cells.argument2, groupDigits(amount));
    }
  });

  it('have the IDs of NFTs whole in the sentence', () => {
    const topics = [TRANSFER, toAbiWord(TREASURY), toAbiWord(OTHER), toAbiWord(10n ** 18n)] as const;
    const { rows } = read([{ ...nft, topics }], { topics: [] });
    assert.match(rows[0]?.cells.event ?? '', / {2}#1,000,000,000,000,000,000$/);
  });

  it('keep integers raw as long as the units of their token are not known, and have them read', () => {
    const { rows, meaning } = read([transfer, nft], { topics: [TRANSFER] });
    assert.equal(rows[0]?.cells.argument2, '1,250,000,000');
    assert.deepEqual(meaning.wanted, [TOKEN]);
  });

  it('show topics and data as they are on demand', () => {
    const { columns, rows } = read([transfer], { topics: [TRANSFER], units: husd, raw: true, addresses: [] });
    assert.equal(columns.at(-1)?.id, 'data');
    assert.equal(rows[0]?.cells.topics, transfer.topics.join(' '));
    assert.match(rows[0]?.cells.address ?? '', /^0x[0-9a-fA-F]{40}$/);
    const one = read([transfer], { topics: [TRANSFER], raw: true });
    assert.ok(one.columns.every(({ id }) => id !== 'address'));
  });

  it('cut long texts, and give the clipboard all of them', () => {
    const long = logOf([], `0x${'0f'.repeat(1000)}`);
    const { rows, reader, store } = read([long], { topics: [], raw: true });
    assert.ok((rows[0]?.cells.data?.length ?? 0) < 600);
    assert.equal(reader.formatToCopy(long, 'data', store), long.data);
  });

  it('give the clipboard exact amounts and checksum addresses', () => {
    const { reader, store } = read([transfer], { topics: [TRANSFER], units: husd });
    assert.equal(reader.formatToCopy(transfer, 'argument2', store), '1250000000');
    assert.equal(reader.formatToCopy(transfer, 'argument1', store), toChecksumAddress(OTHER));
    const full = `Transfer(from: ${toChecksumAddress(TREASURY)}, to: ${toChecksumAddress(OTHER)}, value: 1250000000)`;
    assert.equal(reader.formatToCopy(transfer, 'event', store), full);
  });
});

describe('the value of a cell as a filter', () => {
  const logs = [transfer, note, approval1(), unknown, nft];

  function approval1(): Log {
    const values = [toAbiWord(TREASURY), toAbiWord(OTHER)] as const;
    return { ...logOf([approval.topic0, ...values], toAbiWord(7n)), blockNumber: 12n, logIndex: 9 };
  }

  async function found(term: string | undefined, { reader, store }: ReturnType<typeof read>) {
    const options = { arrangement: { filter: term ?? assert.fail('no filter') }, through: store.length };
    const knowledge = reader.createKnowledge(store);
    const view = await extendLogView(emptyLogView, store, { ...options, clock: systemClock, knowledge });
    return [...(view?.rows ?? [])];
  }

  it('finds the rows that have it', async () => {
    const opened = read(logs, { topics: [], units: husd });
    const term = (log: Log, column: ColumnId) => opened.reader.createFilterTerm(log, column, opened.store);
    assert.equal(term(transfer, 'argument2'), 'value:1250');
    assert.deepEqual(await found('value:1250', opened), [0]);
    assert.equal(term(transfer, 'argument1'), `to:${toChecksumAddress(OTHER)}`);
    assert.deepEqual(await found(term(transfer, 'argument1'), opened), [0, 4]);
    assert.deepEqual(await found(term(nft, 'argument2'), opened), [4]);
    assert.deepEqual(await found(term(note, 'event'), opened), [1]);
    assert.deepEqual(await found(term(note, 'argument0'), opened), [1]);
    assert.deepEqual(await found(term(note, 'argument2'), opened), [1]);
    assert.deepEqual(await found(term(unknown, 'event'), opened), [3]);
    const [, , approved] = logs;
    assert.deepEqual(await found(term(approved ?? transfer, 'block'), opened), [2]);
    assert.deepEqual(await found(term(approved ?? transfer, 'index'), opened), [2]);
    assert.deepEqual(await found(term(transfer, 'address'), opened), [0, 1, 2, 3, 4]);
    assert.deepEqual(await found(term(transfer, 'transaction'), opened), [0, 1, 2, 3, 4]);
  });

  it('is none for tuples, and for what is raw', () => {
    const { reader, columns, store } = read([note], { topics: [note.topics[0] ?? '0x'] });
    assert.equal(reader.createFilterTerm(note, 'argument1', store), undefined);
    assert.equal(reader.createFilterTerm(note, 'data', store), undefined);
    const offered = columns.flatMap(({ name, context }) => (context?.canFilterBy ? [name] : []));
    assert.deepEqual(offered, ['Block', 'title', 'open', 'Transaction', 'Index']);
  });
});

describe('details of a decoded log', () => {
  it('tell each argument with its type and its exact value', () => {
    const { reader } = read([transfer], { topics: [], units: husd });
    const { meaning } = reader.toWireLog({ number: 4, log: transfer });
    if (meaning.reason !== undefined) assert.fail(meaning.reason);
    assert.equal(meaning.signature, 'Transfer(address indexed from, address indexed to, uint256 value)');
    assert.deepEqual(
      [meaning.knownFrom, meaning.declaration],
      ['Source: Shop in src/Shop.sol:7', 'Shop.sol:7'],
    );
    const to = toChecksumAddress(OTHER);
    assert.deepEqual(
      meaning.values.map(({ name, type, text, copy, note }) => [name, type, text, copy, note]),
      [
        ['from', 'address indexed', 'Treasury', TREASURY, TREASURY],
        ['to', 'address indexed', to, to, undefined],
        ['value', 'uint256', '1,250.00 HUSD', '1250000000', '1250000000'],
      ],
    );
  });

  it('open arrays and tuples part by part, and say what only the hash is there of', () => {
    const { reader } = read([note], { topics: [] });
    const { meaning } = reader.toWireLog({ number: 0, log: note });
    if (meaning.reason !== undefined) assert.fail(meaning.reason);
    const [title, order, open] = meaning.values;
    assert.match(title?.text ?? '', /^hash 0xcc/);
    assert.match(title?.note ?? '', /Only the hash of an indexed string/);
    assert.equal(order?.text, '{token: Treasury, amounts: [5, 1,000]}');
    assert.deepEqual(
      order?.parts?.map(({ name, text, parts }) => [
        name,
        text,
        parts?.map((part) => [part.name, part.copy]),
      ]),
      [
        ['token', 'Treasury', undefined],
        [
          'amounts',
          '[5, 1,000]',
          [
            ['[0]', '5'],
            ['[1]', '1000'],
          ],
        ],
      ],
    );
    assert.equal(open?.text, 'true');
  });

  it('list what a log may be whose version is not known', () => {
    const reason = { code: 'version', reason: 'noAbi', activeCode: undefined, events: [approval] } as const;
    const { reader } = read([transfer], { topics: [], decode: () => ({ reason }) });
    assert.deepEqual(reader.toWireLog({ number: 0, log: transfer }).meaning, {
      reason: 'The ABI of its implementation at that time is unknown.',
      may: ['Approval(address indexed owner, address indexed spender, uint256 value)'],
    });
  });
});

describe('what rows are filtered and sorted by', () => {
  const knowledge = () => {
    const { reader, store } = read([transfer, nft, note], { topics: [], units: husd });
    return reader.createKnowledge(store) ?? assert.fail();
  };
  const placesOf = (name: string) =>
    knowledge()
      .findArgumentsByName(name)
      .map(({ places, unitAt }) => [
        unitAt(transfer.address) !== undefined,
        [...places.keys()].filter((topics) => places[topics]),
      ]);

  it('are the arguments of the events that were met, each where its own event has it', () => {
    assert.deepEqual(placesOf('VALUE'), [[true, [3]]]);
    assert.deepEqual(placesOf('tokenId'), [[false, [4]]]);
    assert.deepEqual(placesOf('from'), [[false, [3, 4]]]);
    assert.deepEqual(placesOf('open'), [[false, [2]]]);
    assert.deepEqual(placesOf('spender'), []);
    assert.deepEqual(knowledge().listArgumentNames(), [
      'from',
      'to',
      'value',
      'tokenId',
      'title',
      'order',
      'open',
    ]);
  });

  it('are the names of events and addresses, whole or in part', () => {
    const { findEventsByName, findAddressesByName } = knowledge();
    assert.deepEqual(findEventsByName('transf', 'part'), [TRANSFER]);
    assert.deepEqual(findEventsByName('transf', 'whole'), []);
    assert.deepEqual(findEventsByName('TRANSFER', 'whole'), [TRANSFER]);
    assert.deepEqual(findEventsByName('Transfer(address,address,uint256)', 'whole'), [TRANSFER]);
    assert.deepEqual(
      [findAddressesByName('treas', 'part'), findAddressesByName('treas', 'whole')],
      [[TREASURY], []],
    );
    assert.deepEqual(findAddressesByName('treasury', 'whole'), [TREASURY]);
    // A name is that of all deployments of a contract.
    for (const text of ['twin', 'Twin@0x7a7a7a'])
      assert.deepEqual(findAddressesByName(text, 'whole'), [TWIN]);
    assert.deepEqual(findAddressesByName('twin@0x7a', 'whole'), []);
  });

  it('are the columns of the one event that is asked for', () => {
    const { reader, store } = read([transfer], { topics: [TRANSFER] });
    assert.equal(reader.createKnowledge(store)?.argumentAt(2)?.topic0, TRANSFER);
    assert.equal(knowledge().argumentAt(2), undefined);
  });
});
