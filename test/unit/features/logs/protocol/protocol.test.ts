import assert from 'node:assert/strict';
import {
  type AbiType,
  emptyForm,
  parseQueryArguments,
  type QueryForm,
} from '../../../../../src/core/index.ts';
import { createArgumentColumn } from '../../../../../src/features/logs/protocol/grid.ts';
import { toGroupChoice } from '../../../../../src/features/logs/protocol/groups.ts';
import { findWrongChecksums, validateQueryForm } from '../../../../../src/features/logs/protocol/protocol.ts';
import { l10n } from '../../../../support/stubs.ts';

const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const OTHER = '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512';
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const TOPIC = `0x${'ab'.repeat(32)}`;

function filterOf(typed: Partial<QueryForm>) {
  const { filter, errors } = validateQueryForm({ ...emptyForm, ...typed });
  assert.deepEqual(errors, undefined);
  return filter;
}

function problemsOf(typed: Partial<QueryForm>) {
  return Object.keys(validateQueryForm({ ...emptyForm, ...typed }).errors ?? {});
}

describe('query form', () => {
  it('asks for everything when nothing is typed', () => {
    const everything = { addresses: [], topics: [], fromBlock: 'earliest', toBlock: 'latest' };
    assert.deepEqual(filterOf({}), everything);
    assert.deepEqual(filterOf({ fromBlock: '', toBlock: ' ' }), everything);
  });

  it('takes several addresses apart at commas, spaces and lines', () => {
    const lower = TOKEN.toLowerCase();
    assert.deepEqual(filterOf({ address: ` ${TOKEN},\n${OTHER} ${lower} ` })?.addresses, [lower, OTHER]);
  });

  it('turns a signature into topic0', () => {
    for (const event of [
      'Transfer(address,address,uint256)',
      'event Transfer(address indexed a, address, uint b);',
    ]) {
      assert.deepEqual(filterOf({ event })?.topics, [[TRANSFER]]);
    }
    assert.deepEqual(filterOf({ event: `${TRANSFER} ${TOPIC}` })?.topics, [[TRANSFER, TOPIC]]);
  });

  it('keeps the position of further topics, and pads an address to one', () => {
    const padded = `0x${'0'.repeat(24)}${OTHER.slice(2)}`;
    assert.deepEqual(filterOf({ topic2: `${TOPIC}, ${OTHER}` })?.topics, [null, null, [TOPIC, padded]]);
  });

  it('takes addresses, topics and arguments as lists of programs', () => {
    const lower = TOKEN.toLowerCase();
    assert.deepEqual(filterOf({ address: `["${TOKEN}", '${OTHER}']` })?.addresses, [lower, OTHER]);
    const word = (digits: string) => `0x${digits.padStart(64, '0')}`;
    const event = 'Transfer(address,address,uint256)';
    assert.deepEqual(filterOf({ event, topic2: `["${OTHER}"]`, topic3: '0x1; 20' })?.topics, [
      [TRANSFER],
      null,
      [word(OTHER.slice(2))],
      [word('1'), word('14')],
    ]);
    const declared = 'Set(uint8 indexed kind, string indexed title)';
    const { topics = [] } =
      filterOf({ event: declared, args: { kind: '[1, 2]', title: '["a, b", "c"]' } }) ?? {};
    assert.deepEqual(topics[1], [word('1'), word('2')]);
    assert.equal(topics[2]?.length, 2);
  });

  it('reads blocks as tags, decimal and hex', () => {
    const filter = filterOf({ fromBlock: '0x10', toBlock: '1,000' });
    assert.deepEqual([filter?.fromBlock, filter?.toBlock], [16n, 1000n]);
  });

  it('tells every field that cannot be used, each by its name', () => {
    const typed = {
      address: '0x12',
      event: 'Transfer(',
      topic1: '0xzz',
      topic3: 'x',
      fromBlock: 'first',
      toBlock: '1.5',
    };
    assert.deepEqual(problemsOf(typed), Object.keys(typed));
  });

  it('tells a range from above to at its first field', () => {
    assert.deepEqual(problemsOf({ fromBlock: '10', toBlock: '9' }), ['fromBlock']);
    assert.deepEqual(problemsOf({ fromBlock: 'latest', toBlock: 'earliest' }), ['fromBlock']);
  });

  it('points at a checksum that is wrong, and at no other letter case', () => {
    const wrong = TOKEN.replace('5FbD', '5fbD');
    assert.deepEqual(findWrongChecksums(`${TOKEN} ${OTHER} ${wrong} 0xABC`), [wrong]);
  });
});

describe('arguments of chainside.queryLogs', () => {
  it('opens an empty form without any', () => {
    assert.deepEqual(parseQueryArguments(undefined), {
      ...{ form: emptyForm, chainId: undefined, run: false, reuse: false, grouping: undefined },
    });
  });

  it('groups as query files do', () => {
    const { grouping } = parseQueryArguments({ groupBy: ['to', 'block:1000'], sum: 'args.value' });
    assert.deepEqual(toGroupChoice(grouping), { by: ['to', 'block:1000'], sum: 'value' });
    assert.throws(() => parseQueryArguments({ groupBy: ['a', 'b', 'c'] }), /Group by one or two fields/);
  });

  it('fills in the form, topics by position', () => {
    const { form, run } = parseQueryArguments({
      address: [TOKEN, OTHER],
      topics: [TRANSFER, null, [TOPIC, OTHER]],
      fromBlock: 0,
      toBlock: '0x20',
      order: 'oldestFirst',
      run: true,
    });
    assert.equal(run, true);
    assert.deepEqual(form, {
      address: `${TOKEN}, ${OTHER}`,
      event: TRANSFER,
      topic1: '',
      topic2: `${TOPIC}, ${OTHER}`,
      topic3: '',
      fromBlock: '0',
      toBlock: '0x20',
      args: {},
      order: 'oldestFirst',
    });
    assert.throws(() => parseQueryArguments({ order: 'upwards' }), /order is not valid/);
  });

  it('keeps a value that no query can use, for the form to tell', () => {
    assert.equal(parseQueryArguments({ address: '0x12' }).form.address, '0x12');
  });

  it('refuses arguments of another shape', () => {
    const wrong = [
      'text',
      { adress: TOKEN },
      { address: 5 },
      { topics: TRANSFER },
      { topics: [null, null, null, null, null] },
      { fromBlock: [1] },
      { fromBlock: 1.5 },
      { run: 'yes' },
      { event: TRANSFER, topics: [TOPIC] },
    ];
    for (const argument of wrong) {
      assert.throws(() => parseQueryArguments(argument), { kind: 'badInput' }, JSON.stringify(argument));
    }
  });
});

describe('the column of an argument', () => {
  it('aligns numbers right, and text left, also members of enums and what is hashed', () => {
    const uint = { kind: 'uint', bits: 8, text: 'uint8' } as const;
    const role = { ...uint, enumeration: { name: 'Role', members: ['Employee', 'Auditor'] } };
    const isRight = (type: AbiType, isHashed = false) =>
      createArgumentColumn(0, { name: 'a', type, isHashed, isFixed: false }, l10n).alignEnd;
    assert.deepEqual(
      [isRight(uint), isRight(role), isRight(uint, true), isRight({ kind: 'string', text: 'string' })],
      [true, false, false, false],
    );
  });
});
