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

describe('query form', () => {
  it('takes several addresses apart at commas, spaces and lines', () => {
    const lower = TOKEN.toLowerCase();
    assert.deepEqual(filterOf({ address: ` ${TOKEN},\n${OTHER} ${lower} ` })?.addresses, [lower, OTHER]);
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

  it('points at a checksum that is wrong, and at no other letter case', () => {
    const wrong = TOKEN.replace('5FbD', '5fbD');
    assert.deepEqual(findWrongChecksums(`${TOKEN} ${OTHER} ${wrong} 0xABC`), [wrong]);
  });
});

describe('arguments of chainside.queryLogs', () => {
  it('groups as query files do', () => {
    const { grouping } = parseQueryArguments({ groupBy: ['to', 'block:1000'], sum: 'args.value' });
    assert.deepEqual(toGroupChoice(grouping), { by: ['to', 'block:1000'], sum: 'value' });
    assert.throws(() => parseQueryArguments({ groupBy: ['a', 'b', 'c'] }), /Group by one or two fields/);
  });

  it('says in which order rows are to be, and whether it is run', () => {
    const { form, run } = parseQueryArguments({ order: 'oldestFirst', run: true });
    assert.deepEqual([form.order, run], ['oldestFirst', true]);
    assert.throws(() => parseQueryArguments({ order: 'upwards' }), /order is not valid/);
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
