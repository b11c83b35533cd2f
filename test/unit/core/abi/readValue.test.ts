import assert from 'node:assert/strict';
import fc from 'fast-check';
import { encodeEventTopics } from 'viem';
import { parseTopic } from '../../../../src/core/abi/encode.ts';
import { type AbiType, type AbiValue, parseElementaryType } from '../../../../src/core/abi/type.ts';
import { getIntegerBounds, parseValue } from '../../../../src/core/abi/value.ts';
import { type AppError, type Hex, isAppError, parseAbiItem } from '../../../../src/core/index.ts';
import { arbitraryType } from '../../../support/abi/arbitraryAbi.ts';

type IntegerType = Parameters<typeof getIntegerBounds>[0];

const integerType: fc.Arbitrary<IntegerType> = fc
  .tuple(fc.constantFrom('uint', 'int'), fc.integer({ min: 1, max: 32 }))
  .map(([kind, bytes]) => parseElementaryType(`${kind}${8 * bytes}`) as IntegerType);
const integerAndType = integerType.chain((type) => {
  const [min, max] = getIntegerBounds(type);
  return fc.tuple(fc.constant(type), fc.bigInt({ min, max }));
});

function hexText(value: bigint): string {
  return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;
}

function hexOf(bytes: number): fc.Arbitrary<Hex> {
  return fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((array): Hex => `0x${Buffer.from(array).toString('hex')}`);
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
      fc.property(integerAndType, ([type, value]) => {
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
          const { input } = problemOf(type, text).details;
          assert.equal(input?.code, 'outOfBounds', text);
          assert.equal(input?.values?.[0], type.text);
        }
      }),
    );
    assert.deepEqual(problemOf(parseElementaryType('uint8'), '256').details.input?.values, [
      'uint8',
      '0',
      '255',
    ]);
    assert.deepEqual(problemOf(parseElementaryType('int256'), `${2n ** 255n}`).details.input?.values, [
      'int256',
      '-2^255',
      '2^255 - 1',
    ]);
  });

  it('take underscores between digits, and nothing else that is no integer', () => {
    const type = parseElementaryType('uint256');
    assert.equal(parseValue(type as AbiType, '1_000_000', 'a'), 1_000_000n);
    for (const text of ['', '1.5', '1e18', '_1', '1_', '+1', '0x', '0xg', '1 2', '١', '9'.repeat(1000)]) {
      assert.equal(problemOf(type, text).details.input?.code, 'notInteger', text);
    }
  });

  it('are told what is wrong with them by a code of their type', () => {
    const cases: readonly (readonly [string, string, string])[] = [
      ['address', '0x12', 'notAddress'],
      ['bool', 'yes', 'notBool'],
      ['bytes', '0x123', 'notBytes'],
      ['bytes4', '0x12', 'notFixedBytes'],
      ['bytes32', `0x${'ab'.repeat(33)}`, 'notFixedBytes'],
    ];
    for (const [type, text, code] of cases) {
      const { details } = problemOf(parseElementaryType(type), text);
      assert.deepEqual([details.field, details.input?.code], ['args.a', code]);
    }
  });

  it('end as a topic or a problem with a code, whatever the type and the text', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('true', '0x', '-0x1', '0x00'), hexOf(20), hexOf(32));
    fc.assert(
      fc.property(arbitraryType, text, (type, typed) => {
        try {
          assert.match(parseTopic(type, typed, 'a'), /^0x[0-9a-f]{64}$/);
        } catch (error) {
          assert.ok(isAppError(error, 'badInput') && error.details.input, String(error));
        }
      }),
    );
  });

  it('have the topic that viem gives them', () => {
    const cases: readonly fc.Arbitrary<readonly [string, string, AbiValue]>[] = [
      integerAndType.map(([type, value]) => [type.text, String(value), value] as const),
      hexOf(20).map((hex) => ['address', hex, hex] as const),
      fc.boolean().map((value) => ['bool', String(value), value] as const),
      fc
        .integer({ min: 1, max: 32 })
        .chain((size) => hexOf(size).map((hex) => [`bytes${size}`, hex, hex] as const)),
      fc.string({ unit: 'grapheme' }).map((value) => ['string', value, value] as const),
      fc.integer({ min: 0, max: 99 }).chain((size) => hexOf(size).map((hex) => ['bytes', hex, hex] as const)),
    ];
    fc.assert(
      fc.property(fc.oneof(...cases), ([type, text, value]) => {
        const abi = [{ type: 'event', name: 'E', inputs: [{ name: 'a', type, indexed: true }] }] as const;
        const [, topic] = encodeEventTopics({ abi, eventName: 'E', args: { a: value } });
        assert.equal(parseTopic(parseElementaryType(type) as AbiType, text, 'a'), topic);
      }),
    );
  });

  it('of arrays and tuples are their hashes', () => {
    const event = parseAbiItem('event E(uint256[] indexed a, (address token, bool ok) indexed b)');
    const topic: Hex = `0x${'ab'.repeat(32)}`;
    assert.ok(event);
    for (const { type } of event.inputs) {
      assert.equal(parseTopic(type, ` ${topic} `, 'args.a'), topic);
      assert.throws(() => parseTopic(type, '[1]', 'args.a'), {
        details: { field: 'args.a', input: { code: 'onlyHash', values: [type.text] } },
      });
    }
  });
});
