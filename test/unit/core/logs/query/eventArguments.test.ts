import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseCommandLine } from '../../../../../src/cli/commandLine.ts';
import {
  isAppError,
  listEventArguments,
  logFilterToJson,
  parseDeclaredEvent,
  parseLogFilter,
  parseQueryArguments,
  parseQueryDefinition,
  parseQueryForm,
  queryFormSchema,
  resolveQuery,
  toAbiWord,
  toQueryForm,
} from '../../../../../src/core/index.ts';
import { joinValues, splitValues } from '../../../../../src/core/logs/query/fieldValues.ts';
import type { LogQueryArguments } from '../../../../../src/manifest.ts';
import { arbitraryEvent } from '../../../../support/abi/arbitraryAbi.ts';

const TRANSFER = 'Transfer(address indexed from, address indexed to, uint256 value)';
const TRANSFER_TOPIC0 = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const ALICE = `0x${'a1'.repeat(20)}` as const;
const BOB = `0x${'b0'.repeat(20)}` as const;

const NOT_AN_ADDRESS = 'Not an address. Enter 0x and 40 hex digits.';
const SET_TWICE = 'This topic is the value of {0}, which is also set. Clear one of them.';

function problemsOf(query: LogQueryArguments) {
  const { errors = [] } = parseQueryForm(parseQueryArguments(query).form);
  return errors.map(({ details }) => [details.field, details.validation?.template]);
}

describe('values by the names of indexed parameters', () => {
  it('become the topics of their places, by the words indexed of the declaration, and may be several', () => {
    const swapped = 'event Transfer(address from, address indexed to, uint256 indexed value);';
    const [alice, bob] = [toAbiWord(ALICE), toAbiWord(BOB)];
    for (const [event, args, ...topics] of [
      [TRANSFER, { to: ALICE }, null, [alice]],
      [TRANSFER, { from: [ALICE, BOB] }, [alice, bob]],
      [swapped, { value: 7, to: BOB }, [bob], [toAbiWord(7n)]],
    ] as const)
      assert.deepEqual(parseLogFilter({ event, args }).topics, [[TRANSFER_TOPIC0], ...topics]);
  });

  it('are by the place of a topic where a parameter has no name, or one that is taken', () => {
    const event = parseDeclaredEvent('E(uint8 indexed, uint8 indexed toString, uint8 indexed topic1)');
    assert.ok(event);
    assert.deepEqual(
      listEventArguments(event).map(({ key }) => key),
      ['topic1_', 'topic2', 'topic1'],
    );
  });

  it('have a key each, whatever the event', () => {
    fc.assert(
      fc.property(arbitraryEvent, (event) => {
        const keys = listEventArguments(event).map(({ key }) => key);
        assert.equal(new Set(keys).size, event.inputs.filter(({ indexed }) => indexed).length);
        assert.ok(keys.every((key) => key !== '' && !(key in {})));
      }),
    );
  });

  it('are refused by a name that the event has not, and without the words indexed', () => {
    for (const read of [parseLogFilter, parseQueryArguments]) {
      for (const query of [
        { event: TRANSFER, args: { value: 1 } },
        { event: TRANSFER, args: { toString: ALICE } },
        { event: 'Transfer(address,address,uint256)', args: { to: ALICE } },
        { args: { to: ALICE } },
      ]) {
        assert.throws(
          () => read(query),
          (error) => isAppError(error, 'badInput') && error.details.field === 'args',
        );
      }
    }
  });

  it('that are none of their type are told by the name of their field', () => {
    assert.deepEqual(problemsOf({ event: TRANSFER, args: { from: '0x12', to: 'Treasury' } }), [
      ['args.from', NOT_AN_ADDRESS],
      ['args.to', NOT_AN_ADDRESS],
    ]);
    assert.throws(() => parseLogFilter({ event: TRANSFER, args: { to: '0x12' } }), {
      details: { field: 'args.to', validation: { template: NOT_AN_ADDRESS, args: [] } },
    });
  });

  it('do not share a topic with one that is given raw', () => {
    const query = { event: TRANSFER, args: { to: ALICE }, topics: [null, null, toAbiWord(BOB)] };
    assert.deepEqual(problemsOf(query), [['topic2', SET_TWICE]]);
    assert.throws(() => parseLogFilter(query), {
      details: { field: 'topics', validation: { template: SET_TWICE, args: [{ foreign: 'to' }] } },
    });
    assert.deepEqual(parseLogFilter({ ...query, args: {} }).topics[2], [toAbiWord(BOB)]);
  });

  it('stay in a form as long as another event is tried, and do not count there', () => {
    const form = parseQueryArguments({ event: TRANSFER, args: { to: ALICE } }).form;
    const other = {
      ...form,
      event: 'Approval(address indexed owner, address indexed spender, uint256 value)',
    };
    assert.equal(parseQueryForm(other).filter?.topics.length, 1);
    assert.deepEqual(parseQueryForm({ ...other, event: form.event }).filter?.topics.length, 3);
  });

  it('are the same filter as JSON, as arguments of a command and through the texts of a form', () => {
    const event = 'Made(string indexed title, int16 indexed change, bytes indexed) ';
    const values = fc.record({
      title: fc.oneof(fc.string(), fc.array(fc.string(), { minLength: 1, maxLength: 3 })),
      change: fc.integer({ min: -32_768, max: 32_767 }).map(String),
      topic3: fc.uint8Array({ maxLength: 40 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
    });
    fc.assert(
      fc.property(values, (args) => {
        const given: LogQueryArguments = { event, args };
        const filter = parseLogFilter(given);
        assert.equal(filter.topics.length, 4);
        const form = queryFormSchema.parse(JSON.parse(JSON.stringify(parseQueryArguments(given).form)));
        assert.deepEqual(parseQueryForm(form), { filter });
        assert.deepEqual(parseLogFilter(JSON.parse(JSON.stringify(logFilterToJson(filter)))), filter);
      }),
    );
  });

  it('are kept apart by commas, but in quotes', () => {
    assert.deepEqual(splitValues(' 1 ,, "a, b" , c d, '), ['1', 'a, b', 'c d']);
    assert.deepEqual(splitValues('say "hi"'), ['say "hi"']);
    assert.deepEqual(splitValues('"", "\\"\\\\"'), ['', '"\\']);
    fc.assert(
      fc.property(fc.array(fc.string()), (values) =>
        assert.deepEqual(splitValues(joinValues(values)), values),
      ),
    );
  });

  it('are refused by a name that objects inherit, never dropped', () => {
    for (const name of ['__proto__', 'constructor', 'hasOwnProperty']) {
      const query = JSON.parse(`{"event":"${TRANSFER}","args":{"${name}":"${ALICE}"}}`);
      const definition = parseQueryDefinition(query);
      const { errors } = resolveQuery(definition, { findAddressesByName: () => [] });
      for (const refuse of [
        () => parseLogFilter(query),
        () => parseQueryArguments(query),
        () => {
          throw errors?.[0];
        },
      ])
        assert.throws(
          refuse,
          (error) =>
            isAppError(error, 'badInput') && /no indexed parameter.*It has from, to/.test(error.message),
          name,
        );
    }
  });

  it('are addresses whose letter case matches their checksum, or is one', () => {
    const right = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
    const wrong = right.replace('5Fb', '5fb');
    // EIP-1191, which the tools of Rootstock write: its first example for chain 30.
    const rootstock = '0x5aaEB6053f3e94c9b9a09f33669435E7ef1bEAeD';
    const queries = (address: string) => [
      { address },
      { address: [ALICE, address] },
      { event: TRANSFER, args: { to: address } },
      { event: 'Transfer(address,address,uint256)', topics: [null, address] },
      { topics: [null, address] },
    ];
    for (const query of queries(wrong)) {
      const { errors = [] } = resolveQuery(parseQueryDefinition(query), { findAddressesByName: () => [] });
      assert.match(String(errors[0]?.message), /checksum of 0x5fbDB.* is wrong.*in lower case/);
    }
    for (const address of [right, right.toLowerCase(), `0x${right.slice(2).toUpperCase()}`, rootstock])
      for (const query of queries(address))
        assert.ok(resolveQuery(parseQueryDefinition(query), { findAddressesByName: () => [] }).filter);
    assert.throws(() => parseLogFilter({ address: wrong }), /checksum/);
    assert.throws(() => parseCommandLine(['tokens', right, '--token', wrong]), /checksum/);
    // A form shows a hint, and what was saved from one stays a query.
    assert.ok(parseQueryForm(toQueryForm({ address: wrong })).filter);
  });

  it('are not in forms of earlier versions, which still are forms', () => {
    const { args: _, ...earlier } = toQueryForm({ address: ALICE });
    assert.deepEqual(queryFormSchema.parse(earlier), { ...earlier, args: {} });
  });
});
