import assert from 'node:assert/strict';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import type { AbiLookup, Trust } from '../../../../src/core/abi/candidates.ts';
import type { AbiEvent } from '../../../../src/core/abi/item.ts';
import { createAbiLookup, mergeLookups } from '../../../../src/core/abi/lookup.ts';
import { hashSignature, toSelector } from '../../../../src/core/eth/keccak.ts';
import { getExportFormat } from '../../../../src/core/export/formats.ts';
import { createExportDecoding, type ExportFormat, type Hex, type Log } from '../../../../src/core/index.ts';
import { createLogFilter } from '../../../../src/core/logs/query/filter.ts';
import { eventOf, logOfEvent } from '../../../support/eventLogs.ts';
import { encodeFile, parseCsv } from '../../../support/exportFiles.ts';

const TRANSFER = hashSignature('Transfer(address,address,uint256)');
const fungible = 'event Transfer(address indexed from, address indexed to, uint256 value)';
const nonFungible = 'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)';

function known(text: string, { trust = 'workspace', from = 'a' }: { trust?: Trust; from?: string } = {}) {
  return { text, origin: { trust, from, contract: undefined, line: undefined } };
}

function transfers(lookup: AbiLookup): readonly string[] {
  return lookup.events(TRANSFER).map(({ item, origin }) => {
    return `${origin.trust} ${origin.from} ${item.inputs.map(({ name, indexed }) => `${name}${indexed ? '*' : ''}`)}`;
  });
}

describe('ABI lookup', () => {
  it('finds each kind of item by its own hash', () => {
    const lookup = createAbiLookup([
      known('event Paid(uint256 amount)'),
      known('error Paid(uint256 amount)'),
      known('function Paid(uint256 amount) returns (bool)'),
    ]);
    const selector = toSelector('Paid(uint256)');
    const topic0 = hashSignature('Paid(uint256)');
    const found = [lookup.events(topic0), lookup.errors(selector), lookup.functions(selector)];
    const kinds = found.map((candidates) => candidates.map(({ item }) => item.kind).join());
    assert.deepEqual(kinds, ['event', 'error', 'function']);
    assert.deepEqual(lookup.events(selector), []);
    assert.deepEqual(lookup.events(undefined), []);
  });

  it('gives the most trusted first, whatever their order', () => {
    const lookup = createAbiLookup([
      known(fungible, { trust: 'bundled', from: 'ERC-20' }),
      known(nonFungible, { trust: 'deployment', from: 'broadcast' }),
    ]);
    assert.deepEqual(transfers(lookup), [
      'deployment broadcast from*,to*,tokenId*',
      'bundled ERC-20 from*,to*,value',
    ]);
  });

  it('leaves out what differs from a more trusted item in names alone', () => {
    const named = 'event Transfer(address indexed src, address indexed dst, uint256 wad)';
    const lookup = mergeLookups(
      createAbiLookup([known(fungible, { trust: 'bundled', from: 'ERC-20' }), known(nonFungible)]),
      createAbiLookup([known(named, { from: 'src/Weth.sol' })]),
    );
    assert.deepEqual(transfers(lookup), [
      'workspace a from*,to*,tokenId*',
      'workspace src/Weth.sol src*,dst*,wad',
    ]);
  });

  it('keeps anonymous events apart, with no topic0', () => {
    const lookup = createAbiLookup([
      known('event Note(uint256 amount) anonymous'),
      known('event Note(uint256 amount)'),
    ]);
    const anonymous = (topic0?: Hex) => lookup.events(topic0).map(({ item }) => item.anonymous);
    assert.deepEqual([anonymous(), anonymous(hashSignature('Note(uint256)'))], [[true], [false]]);
  });

  it('leaves out what is no item', () => {
    const lookup = createAbiLookup([known('event'), known('eventual()'), known('event Broken(uint7 a)')]);
    assert.deepEqual(lookup.events(hashSignature('Broken(uint7)')), []);
  });

  it('reads nothing before it is asked, and then one kind of items', () => {
    const read: string[] = [];
    const watched = (text: string) => ({
      get text() {
        read.push(text);
        return text;
      },
      origin: known('').origin,
    });
    const items = [watched('event A()'), watched('function a()')];
    const lookup = createAbiLookup(items);
    assert.deepEqual(read, []);
    lookup.events(hashSignature('A()'));
    assert.equal(read.filter((text) => text === 'function a()').length, 1, 'its kind alone is looked at');
    assert.ok(read.filter((text) => text === 'event A()').length > 1);
  });

  it('is prepared in slices, and answers the same', async () => {
    const items = Array.from({ length: 50 }, (_, index) => known(`function f${index}()`));
    const lookup = createAbiLookup(items);
    let rests = 0;
    await lookup.prepare({ isOver: () => true, rest: async () => void rests++ });
    assert.equal(rests, 50);
    assert.equal(lookup.functions(toSelector('f49()'))[0]?.item.name, 'f49');
  });

  it('stops preparing when told to', async () => {
    const lookup = createAbiLookup([known('function f()'), known('function g()')]);
    const stopped = new Error('stopped');
    await assert.rejects(
      lookup.prepare({ isOver: () => true, rest: () => Promise.reject(stopped) }),
      stopped,
    );
    assert.equal(lookup.functions(toSelector('g()')).length, 1);
  });
});

const DEAL =
  'event Deal(address indexed by, string indexed title, bool open, uint32 small, uint64 wide, int64 delta, uint256 amount, string note, (uint256 id, bytes data)[] items, uint8)';
const OTHER = 'event Other(uint256 id)';
const ALICE = `0x${'a1'.repeat(20)}` as const;
const log0 = `0x${'00'.repeat(20)}` as const;
const deal = eventOf(DEAL);
const other = eventOf(OTHER);
const lookup = createAbiLookup([DEAL, OTHER].map((text) => known(text, { from: 'src/Deal.sol' })));

const huge = 2n ** 255n + 1n;
const items = [[7n, '0x0102']];
const whole = logOfEvent(deal, [ALICE, 'a title', true, 5n, 2n ** 64n - 1n, -6n, huge, '=1+1', items, 9n]);
const broken: Log = { ...whole, data: '0x01' };
const another = logOfEvent(other, [1n]);

type DecodingOptions = Partial<Parameters<typeof createExportDecoding>[0]>;
function decodingFor(events: readonly AbiEvent[], more: DecodingOptions = {}) {
  const topics = [events.map(({ topic0 }) => topic0)];
  const filter = createLogFilter({ addresses: [], topics, fromBlock: 0n, toBlock: 'latest' });
  return createExportDecoding({ filter, chainId: 1, lookup, ...more });
}

const fileOf = (format: ExportFormat, logs: readonly Log[], decoding = decodingFor([deal])) =>
  encodeFile(format, [logs], decoding);
const csvOf = async (...file: [readonly Log[], ReturnType<typeof decodingFor>?]) =>
  parseCsv(new TextDecoder().decode(await fileOf('csv', ...file)));
const jsonOf = async (...file: [readonly Log[], ReturnType<typeof decodingFor>?]) =>
  JSON.parse(new TextDecoder().decode(await fileOf('json', ...file)));

const decodedNames = [
  'event',
  ...['arg_by', 'arg_title', 'arg_open', 'arg_small', 'arg_wide', 'arg_delta', 'arg_amount', 'arg_note'],
  ...['arg_items', 'arg_9', 'decoded_by'],
];
const title = whole.topics[2];

describe('exports of decoded logs', () => {
  it('have a column for each argument in CSV, beside the raw ones, empty where a log is not what it should be', async () => {
    const [head, first, second] = await csvOf([whole, broken]);
    assert.deepEqual(head?.slice(10), ['data', ...decodedNames]);
    assert.deepEqual(first?.slice(10), [
      ...[whole.data, deal.signature, ALICE, title, 'true', '5', '18446744073709551615', '-6', String(huge)],
      ...["'=1+1", '[{"id":"7","data":"0x0102"}]', '9', 'workspace: src/Deal.sol'],
    ]);
    assert.deepEqual(second?.slice(10), ['0x01', ...decodedNames.map(() => '')]);
  });

  it('are typed in Parquet: integers of up to 64 bits as such, larger ones as decimal text', async () => {
    const { buffer } = await fileOf('parquet', [whole, broken]);
    const types = parquetMetadata(buffer).schema.slice(12);
    const typed = { arg_open: 'BOOLEAN', arg_small: 'INT64', arg_delta: 'INT64', arg_9: 'INT64' };
    assert.deepEqual(
      types.map(({ name, type, converted_type: text }) => [name, text ?? type]),
      decodedNames.map((name) => [name, typed[name as 'arg_9'] ?? 'UTF8']),
    );
    assert.ok(types.every((column) => column.repetition_type === 'OPTIONAL'));
    const [first, second] = await parquetReadObjects({ file: buffer });
    assert.deepEqual(
      decodedNames.map((name) => first?.[name]),
      [
        ...[deal.signature, ALICE, title, true, 5n, '18446744073709551615', -6n, String(huge), '=1+1'],
        ...['[{"id":"7","data":"0x0102"}]', 9n, 'workspace: src/Deal.sol'],
      ],
    );
    assert.deepEqual(new Set(decodedNames.map((name) => second?.[name])), new Set([null]));
  });

  it('have all arguments in one column where several events are asked for', async () => {
    const [head, ...rows] = await csvOf([whole, another], decodingFor([deal, other]));
    assert.deepEqual(head?.slice(11), ['event', 'args', 'decoded_by']);
    assert.deepEqual([rows[0]?.[11], rows[1]?.[11]], [deal.signature, other.signature]);
    assert.deepEqual(JSON.parse(rows[1]?.[12] ?? ''), [
      { name: 'id', type: 'uint256', indexed: false, value: '1' },
    ]);
  });

  it('say in JSON what a log says, or why that is not known', async () => {
    const rows = await jsonOf([another, broken]);
    assert.deepEqual(rows[0].decoded, {
      ...{ event: other.signature, name: 'Other', source: 'workspace', from: 'src/Deal.sol' },
      args: [{ name: 'id', type: 'uint256', indexed: false, value: '1' }],
    });
    assert.match(rows[1].decoded.reason, /^The data does not match Deal\(/);
    assert.equal(rows[1].data, '0x01');
    const lines = new TextDecoder()
      .decode(await fileOf('ndjson', [another, broken]))
      .trimEnd()
      .split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      rows,
    );
  });

  it('wait for the versions of upgraded contracts, and are decoded by what is known then', async () => {
    const read: (readonly Log[])[] = [];
    const reading = { mustAgree: true, reason: undefined, code: undefined, against: [] } as const;
    const versions = {
      ...{ isUnversioned: () => false, versionAt: () => 0, allCandidates: -1, layouts: () => [] },
      candidateTiers: () => ({ ...reading, tiers: [read.length > 0 ? lookup.events(deal.topic0) : []] }),
    };
    const decoding = decodingFor([deal], {
      lookup: { ...lookup, versionsAt: () => versions },
      readVersions: async (logs) => read.push(logs) === 1,
    });
    assert.ok('reason' in decoding.decode(whole));
    await decoding.prepare([whole]);
    await decoding.prepare([whole]);
    assert.ok('event' in decoding.decode(whole));
    assert.deepEqual(read, [[whole], [whole]]);
  });

  it('name addresses where names are known: the contract and each argument that is one', async () => {
    const text = 'event Moved(address indexed from, address to, address to, string to_name)';
    const moved = eventOf(text);
    const log = logOfEvent(moved, [ALICE, log0, ALICE, '']);
    const names: Readonly<Record<string, string>> = { [log.address]: 'Shop', [ALICE]: '=Alice' };
    const decoding = decodingFor([moved], {
      lookup: createAbiLookup([known(text)]),
      nameOf: (address) => names[address],
    });
    const [head, row] = await csvOf([log], decoding);
    const named = ['arg_from', 'arg_from_name', 'arg_to', 'arg_to_2', 'arg_to_2_name', 'arg_to_name'];
    assert.deepEqual(head?.slice(11), ['event', ...named, 'decoded_by', 'address_name']);
    const values = [ALICE, "'=Alice", log0, ALICE, "'=Alice", ''];
    assert.deepEqual(row?.slice(11), [moved.signature, ...values, 'workspace: a', 'Shop']);
    assert.deepEqual((await jsonOf([log], decoding))[0].names, names);
    assert.deepEqual(getExportFormat('json').columns(decoding).slice(-2), ['decoded', 'names']);
  });

  const coin = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
  const checksummed = '0x5FbDB2315678afecb367f032d93F642f64180aa3';

  it('have checksummed addresses and amounts in units in CSV, if the export is for people, and only there', async () => {
    const moved = eventOf(fungible);
    const plain = decodingFor([moved], { lookup: createAbiLookup([known(fungible)]) });
    const loaded = new Set<string>();
    const decoding: typeof plain = {
      ...plain,
      isChecksummed: true,
      unitsOf: (contract) => (loaded.has(contract) ? { symbol: '=COIN', decimals: 2 } : undefined),
      fetchUnits: async (contracts) => {
        if (contracts.has(coin)) loaded.add(coin);
      },
    };
    const amount = '123456789012345678901';
    const log = logOfEvent(moved, [coin, ALICE, BigInt(amount)]);
    const logs = [{ ...log, address: coin } as const, log];
    const [head, ofCoin, ofOther] = await csvOf(logs, decoding);
    const columns = ['event', 'arg_from', 'arg_to', 'arg_value'];
    assert.deepEqual(head?.slice(11), [...columns, 'arg_value_scaled', 'arg_value_unit', 'decoded_by']);
    assert.equal(ofCoin?.[5], checksummed);
    assert.deepEqual(ofCoin?.slice(12, 17), [
      ...[checksummed, ofCoin?.[13], amount, '1234567890123456789.01', "'=COIN"],
    ]);
    assert.equal(ofCoin?.[13]?.toLowerCase(), ALICE);
    assert.deepEqual(ofOther?.slice(14, 17), [amount, '', '']);
    assert.deepEqual(getExportFormat('csv').columns(decoding), head);

    const [plainHead, plainRow] = await csvOf(logs, plain);
    assert.deepEqual(plainHead?.slice(11), [...columns, 'decoded_by']);
    assert.deepEqual([plainRow?.[5], plainRow?.[12]], [coin, coin]);
    for (const format of ['parquet', 'ndjson'] as const)
      assert.deepEqual(await fileOf(format, logs, decoding), await fileOf(format, logs, plain), format);
  });

  it('have checksummed addresses within lists and in the arguments of any event', async () => {
    const text = 'event Paired(address[] pair)';
    const paired = eventOf(text);
    for (const events of [[paired], [paired, other]]) {
      const made = decodingFor(events, { lookup: createAbiLookup([known(text)]) });
      const [, row] = await csvOf([logOfEvent(paired, [[coin]])], { ...made, isChecksummed: true });
      assert.ok(row?.[12]?.includes(`["${checksummed}"]`));
    }
  });

  it('have the times of blocks where they are timed: ISO 8601 in a column of its own, null where it is not known', async () => {
    const decoding = { ...decodingFor([other]), timed: true };
    const logs = [{ ...another, time: 1_767_323_045_000 }, another];
    const iso = '2026-01-02T03:04:05Z';
    const [header, first, second] = await csvOf(logs, decoding);
    assert.deepEqual(
      [header?.slice(0, 2), first?.[1], second?.[1]],
      [['block_number', 'block_timestamp'], iso, ''],
    );
    const json = await jsonOf(logs, decoding);
    assert.deepEqual([json[0].timestamp, json[1].timestamp], [iso, null]);
    assert.equal('blockTimestamp' in json[0], false);
    const rows = await parquetReadObjects({ file: (await fileOf('parquet', logs, decoding)).buffer });
    assert.deepEqual([rows[0]?.block_timestamp, rows[1]?.block_timestamp], [iso, null]);
    assert.ok(getExportFormat('ndjson').columns(decoding).includes('timestamp'));
    assert.ok(
      !getExportFormat('ndjson')
        .columns(decodingFor([other]))
        .includes('timestamp'),
    );
  });
});
