import assert from 'node:assert/strict';
import type { AbiValue } from '../../../../src/core/abi/type.ts';
import { formatAbiValue, formatAmount, isAmount } from '../../../../src/core/index.ts';
import { eventOf } from '../../../support/eventLogs.ts';

const textOf = (type: string, value: AbiValue, options?: Parameters<typeof formatAbiValue>[2]) => {
  const [input] = eventOf(`event E(${type} a)`).inputs;
  return formatAbiValue(input?.type ?? assert.fail(), value, options);
};

describe('values as text', () => {
  it('are read as people write them', () => {
    assert.equal(textOf('int256', -1_234_567n), '-1,234,567');
    assert.equal(textOf('bool', true), 'true');
    assert.equal(textOf('bytes4', '0xdeadbeef'), '0xdeadbeef');
    assert.equal(textOf('string', 'a\u202eb'), 'a<U+202E>b');
    assert.equal(textOf('string[]', ['x', 'y']), '["x", "y"]');
    assert.equal(
      textOf('uint256[2][]', [
        [1n, 2n],
        [3000n, 4n],
      ]),
      '[[1, 2], [3,000, 4]]',
    );
    assert.equal(
      textOf('(address who, uint8 n)', ['0xaa', 5n], { address: () => 'Treasury' }),
      '{who: Treasury, n: 5}',
    );
    assert.equal(textOf('(address, uint8 n)', ['0xaa', 5n]), '(0xaa, 5)');
  });

  it('end where there is no room', () => {
    const many = Array.from({ length: 100_000 }, (_, index) => BigInt(index));
    const text = textOf('uint256[]', many, { most: 50 });
    assert.ok(text.length <= 51 && text.startsWith('[0, 1, 2') && text.endsWith('…'), text);
  });
});

describe('amounts of tokens', () => {
  const units = { symbol: 'HUSD', decimals: 6 };

  it('have two digits behind the point or more, and an ellipsis for what is below the eighth', () => {
    assert.equal(formatAmount(0n, units), '0.00 HUSD');
    assert.equal(formatAmount(1n, units), '0.000001 HUSD');
    assert.equal(formatAmount(123_456_789_012n, { symbol: undefined, decimals: 11 }), '1.23456789…');
    assert.equal(formatAmount(1n, { symbol: undefined, decimals: 18 }), '0.000000000000000001');
    assert.equal(formatAmount(12_345n, { symbol: undefined, decimals: 18 }), '0.000000000000012…');
    assert.equal(formatAmount(1500n, { symbol: 'GEM', decimals: 0 }), '1,500 GEM');
    assert.equal(formatAmount(15n, { symbol: 'ONE', decimals: 1 }), '1.5 ONE');
  });

  it('are the last argument of ERC-20 transfers and approvals, not a token id', () => {
    const transfer = 'event Transfer(address indexed a, address indexed b, uint256';
    assert.equal(isAmount(eventOf(`${transfer} value)`), 2), true);
    assert.equal(isAmount(eventOf(`${transfer} value)`), 1), false);
    assert.equal(isAmount(eventOf(`${transfer} indexed id)`), 2), false);
    assert.equal(isAmount(eventOf('event Other(address a, address b, uint256 value)'), 2), false);
  });
});
