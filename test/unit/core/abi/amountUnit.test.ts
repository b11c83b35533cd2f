import assert from 'node:assert/strict';
import { findInteger, parseAmountUnit } from '../../../../src/core/abi/amountUnit.ts';
import { parseAbiItem } from '../../../../src/core/abi/item.ts';

const fixed = (decimals: number, symbol?: string) => ({ kind: 'fixed', symbol, decimals });
const token = (name: string) => ({ kind: 'token', token: name });

describe('A unit of amounts', () => {
  it('is a token, a unit of ether, decimals or a percentage', () => {
    assert.deepEqual(parseAmountUnit('ether'), fixed(18, 'ether'));
    assert.deepEqual(parseAmountUnit(' gwei '), fixed(9, 'gwei'));
    assert.deepEqual(parseAmountUnit('wei'), fixed(0, 'wei'));
    assert.deepEqual(parseAmountUnit('6 decimals'), fixed(6));
    assert.deepEqual(parseAmountUnit('1 decimal'), fixed(1));
    assert.deepEqual(parseAmountUnit('percent of 10000'), fixed(2, '%'));
    assert.deepEqual(parseAmountUnit('percent of 1e18'), fixed(16, '%'));
    assert.deepEqual(parseAmountUnit('percent of 100'), fixed(0, '%'));
    for (const name of [
      'PBL',
      'Token@latest',
      '1INCH',
      'BTC.b',
      'USD₮0',
      'Harbor Dollar',
      `0x${'12'.repeat(20)}`,
    ])
      assert.deepEqual(parseAmountUnit(name), token(name));
  });

  it('is nothing that would be a guess', () => {
    const wrong = [
      '',
      ' ',
      '18',
      '256 decimals',
      'percent',
      'percent of 5000',
      'percent of 10',
      'percent of 1e',
      'a\u202eb',
    ];
    for (const text of [...wrong, 'x'.repeat(65)]) assert.equal(parseAmountUnit(text), undefined, text);
  });
});

describe('The integer that a field names', () => {
  const find = (text: string, name: string) => findInteger(parseAbiItem(text) ?? assert.fail(text), name);

  it('is a parameter, a result, or a member of a struct, also in lists', () => {
    assert.equal(find('event Paid(address indexed to, uint256 amount)', 'amount'), '1');
    assert.equal(find('error Low(int256)', '0'), '0');
    assert.equal(find('function total() view returns (uint256)', ''), 'returns.0');
    assert.equal(find('function fees() view returns (uint256 low, uint256 high)', 'high'), 'returns.1');
    assert.equal(find('function fees() view returns (uint256, uint256)', '1'), 'returns.1');
    assert.equal(find('function pay((address to, uint256 amount)[] orders)', 'orders.amount'), '0.1');
    assert.equal(
      find('function order() view returns ((address to, uint256[] parts) made)', 'made.parts'),
      'returns.0.1',
    );
    assert.equal(
      find('function order() view returns ((address to, uint256 amount))', 'amount'),
      'returns.0.1',
    );
  });

  it('is none of another type or name, and none of several results', () => {
    assert.equal(find('event Paid(address indexed to, uint256 amount)', 'to'), undefined);
    assert.equal(find('event Paid(address indexed to, uint256 amount)', ''), undefined);
    assert.equal(find('event Paid(address indexed to, uint256 amount)', '1'), undefined);
    assert.equal(find('event Paid(address indexed to, uint256 amount)', 'amount.x'), undefined);
    assert.equal(find('function fees() view returns (uint256 low, uint256 high)', ''), undefined);
    assert.equal(find('function order() view returns ((address to, uint256 amount))', ''), undefined);
  });
});
