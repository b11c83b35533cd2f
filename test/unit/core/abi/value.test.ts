import assert from 'node:assert/strict';
import fc from 'fast-check';
import { encodeEventTopics } from 'viem';
import { parseTopic } from '../../../../src/core/abi/encode.ts';
import { type AbiType, type AbiValue, parseElementaryType } from '../../../../src/core/abi/type.ts';
import { getIntegerBounds, parseValue } from '../../../../src/core/abi/value.ts';
import {
  type AppError,
  formatAbiValue,
  formatAmount,
  type Hex,
  hasUnit,
  isAppError,
  parseAbiItem,
} from '../../../../src/core/index.ts';
import { arbitraryType, arbitraryValue } from '../../../support/abi/arbitraryAbi.ts';
import { eventOf } from '../../../support/eventLogs.ts';

type IntegerType = Parameters<typeof getIntegerBounds>[0];

const integerType: fc.Arbitrary<IntegerType> = fc
  .tuple(fc.constantFrom('uint', 'int'), fc.integer({ min: 1, max: 32 }))
  .map(([kind, bytes]) => parseElementaryType(`${kind}${8 * bytes}`) as IntegerType);
/** Types by name, each with a value of it. */
const anyTyped = (types: fc.Arbitrary<string>) =>
  types.chain((text) => {
    const type = parseElementaryType(text) ?? assert.fail(text);
    return arbitraryValue(type).map((value) => ({ type, value }));
  });

function hexText(value: bigint): string {
  return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;
}

function problemOf(type: AbiType | undefined, text: string): AppError {
  assert.ok(type);
  try {
    parseValue(type, text, 'args.a');
  } catch (error) {
    if (isAppError(error, 'badInput')) return error;
  }
  return assert.fail(`${type.text} takes ${text}`);
}

describe('typed values', () => {
  it('are integers in decimal and hex, with their bounds', () => {
    fc.assert(
      fc.property(anyTyped(integerType.map(({ text }) => text)), ({ type, value: any }) => {
        const value = any as bigint;
        for (const text of [value.toString(), hexText(value), ` ${value} `, hexText(value).toUpperCase()]) {
          assert.equal(parseValue(type, text.replace('X', 'x'), 'a'), value);
        }
      }),
    );
  });

  it('are no integers out of the bounds of their type, which the problem names', () => {
    fc.assert(
      fc.property(integerType, fc.bigInt({ min: 1n, max: 2n ** 260n }), (type, beyond) => {
        const [least, greatest] = getIntegerBounds(type);
        for (const text of [String(greatest + beyond), hexText(least - beyond)]) {
          const { validation } = problemOf(type, text).details;
          assert.match(validation?.template ?? '', /^Out of range/, text);
          assert.deepEqual(validation?.args[0], { foreign: type.text });
        }
      }),
    );
    const told = problemOf(parseElementaryType('int256'), `${2n ** 255n}`).details.validation?.args;
    assert.deepEqual(
      told,
      ['int256', '-2^255', '2^255 - 1'].map((text) => ({ foreign: text })),
    );
  });

  it('take underscores between digits, and nothing else that is no integer', () => {
    const type = parseElementaryType('uint256');
    assert.equal(parseValue(type as AbiType, '1_000_000', 'a'), 1_000_000n);
    for (const text of ['', '1.5', '1e18', '_1', '1_', '+1', '0x', '0xg', '1 2', '١', '9'.repeat(1000)]) {
      assert.match(problemOf(type, text).message, /^Not an integer\./, text);
    }
  });

  it('have an error that says what their type takes', () => {
    for (const [type, text, expected] of [
      ['address', '0x12', 'Not an address. Enter 0x and 40 hex digits.'],
      ['bool', 'yes', 'Not a bool. Enter true or false.'],
      ['bytes', '0x123', 'Not bytes. Enter 0x and two hex digits for each byte.'],
      ['bytes4', '0x12', 'Not a bytes4. Enter 0x and 8 hex digits.'],
      ['bytes32', `0x${'ab'.repeat(33)}`, 'Not a bytes32. Enter 0x and 64 hex digits.'],
    ] as const) {
      const { details, message } = problemOf(parseElementaryType(type), text);
      assert.deepEqual([details.field, message], ['args.a', expected]);
    }
  });

  it('end as a topic or a problem with a code, whatever the type and the text', () => {
    const hex = anyTyped(fc.constantFrom('address', 'bytes32')).map(({ value }) => String(value));
    const text = fc.oneof(fc.string(), fc.constantFrom('true', '0x', '-0x1', '0x00'), hex);
    fc.assert(
      fc.property(arbitraryType, text, (type, typed) => {
        try {
          assert.match(parseTopic(type, typed, 'a'), /^0x[0-9a-f]{64}$/);
        } catch (error) {
          assert.ok(isAppError(error, 'badInput') && error.details.validation, String(error));
        }
      }),
    );
  });

  it('have the topic that viem gives them', () => {
    const others = fc.constantFrom('address', 'bool', 'string', 'bytes', 'bytes1', 'bytes7', 'bytes32');
    fc.assert(
      fc.property(
        anyTyped(
          fc.oneof(
            others,
            integerType.map(({ text }) => text),
          ),
        ),
        ({ type, value }) => {
          const inputs = [{ name: 'a', type: type.text, indexed: true }];
          const abi = [{ type: 'event', name: 'E', inputs }] as const;
          const [, topic] = encodeEventTopics({ abi, eventName: 'E', args: { a: value } });
          assert.equal(parseTopic(type, String(value), 'a'), topic);
        },
      ),
    );
  });

  it('of arrays and tuples are their hashes', () => {
    const event = parseAbiItem('event E(uint256[] indexed a, (address token, bool ok) indexed b)');
    const topic: Hex = `0x${'ab'.repeat(32)}`;
    assert.ok(event);
    for (const { type } of event.inputs) {
      assert.equal(parseTopic(type, ` ${topic} `, 'args.a'), topic);
      assert.throws(() => parseTopic(type, '[1]', 'args.a'), {
        message: `A topic holds only the hash of an indexed ${type.text}. Enter the hash: 0x and 64 hex digits.`,
      });
    }
  });
});

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
    assert.equal(hasUnit(eventOf(`${transfer} value)`), 2), true);
    assert.equal(hasUnit(eventOf(`${transfer} value)`), 1), false);
    assert.equal(hasUnit(eventOf(`${transfer} indexed id)`), 2), false);
    assert.equal(hasUnit(eventOf('event Other(address a, address b, uint256 value)'), 2), false);
  });
});
