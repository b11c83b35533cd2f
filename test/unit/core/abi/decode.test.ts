import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decodeAbiParameters, keccak256, parseAbiParameters } from 'viem';
import {
  type DecodeErrorCode,
  decodeParameters,
  decodeResult,
  isDecodeError,
} from '../../../../src/core/abi/decode.ts';
import { encodeParameters, encodeTopic } from '../../../../src/core/abi/encode.ts';
import { compileEvent } from '../../../../src/core/abi/eventDecoder.ts';
import { type AbiEvent, type AbiFunction, parseAbiItem } from '../../../../src/core/abi/item.ts';
import { type AbiParameter, type AbiValue, arrayType, tupleType } from '../../../../src/core/abi/type.ts';
import type { Hex } from '../../../../src/core/eth/hex.ts';
import { type AppError, toAbiWord } from '../../../../src/core/index.ts';
import {
  arbitraryEvent,
  arbitraryLogOf,
  equalsViem,
  isNeverWrong,
  mutated,
} from '../../../support/abi/arbitraryAbi.ts';
import { runs } from '../../../support/fullRun.ts';

const arbitraryLog = arbitraryEvent.chain(arbitraryLogOf);

/** Words as they are, numbers as words. */
const data = (...words: readonly (number | bigint | string)[]): Hex =>
  `0x${words.map((word) => (typeof word === 'string' ? word.padEnd(64, '0') : toAbiWord(BigInt(word)).slice(2))).join('')}`;

const parametersOf = (types: string): readonly AbiParameter[] =>
  (parseAbiItem(`function f(${types})`) as AbiFunction).inputs;

const decoded = (types: string, encoded: Hex) => {
  const result = decodeParameters(parametersOf(types), encoded);
  return isDecodeError(result) ? result.kind : result;
};

const ALL = 2n ** 256n - 1n;

describe('decoded parameters', () => {
  it('are faults where anything is not as compilers encode it', () => {
    const cases: readonly (readonly [DecodeErrorCode, string, Hex])[] = [
      ['short', 'uint256', '0x'],
      ['short', 'uint256', data(1).slice(0, -2) as Hex],
      ['short', 'string', '0x'],
      ['short', 'string', data(32)],
      ['short', 'uint8,(uint8,string)', data(1, 64, 1)],
      ['rest', 'uint256', data(1, 0)],
      ['rest', 'uint256', `${data(1)}00`],
      ['rest', '', '0x00'],
      ['rest', 'bytes', data(32, 0, 0)],
      ['notHex', 'uint256', data(1).slice(0, -1) as Hex],
      ['notHex', 'uint256', data('zz')],
      ['notHex', 'uint256', 'what' as Hex],
      ['padding', 'address', data(2n ** 160n)],
      ['padding', 'bytes4', data('1234567801')],
      ['padding', 'bytes', data(32, 1, '0101')],
      ['padding', 'string', data(32, 1, `61${'0'.repeat(61)}1`)],
      ['bool', 'bool', data(2)],
      ['bool', 'bool', data(2n ** 255n + 1n)],
      ['range', 'uint8', data(256)],
      ['range', 'uint128', data(2n ** 128n)],
      ['range', 'int8', data(128)],
      ['range', 'int8', data(255)],
      ['range', 'int8', data(ALL - 128n)],
      ['offset', 'bytes', data(33, 0)],
      ['offset', 'bytes', data(64, 0, 0)],
      ['offset', 'bytes', data(0)],
      ['offset', 'bytes', data(ALL, 0)],
      ['offset', 'bytes,bytes', data(96, 64, 0, 0)],
      ['offset', 'bytes,bytes', data(64, 64, 0)],
      ['offset', 'bytes[]', data(32, 2, 64, 64, 0)],
      ['length', 'bytes', data(32, 1)],
      ['length', 'bytes', data(32, 33, 0)],
      ['length', 'bytes', `${data(32, 1)}01`],
      ['length', 'bytes', data(32, ALL, 0)],
      ['length', 'uint8[]', data(32, 2, 1)],
      ['length', 'uint8[]', data(32, 2n ** 32n, 1)],
      ['length', 'uint8[]', data(32, ALL, 1)],
      ['length', '(uint8,uint8)[]', data(32, 2, 1, 2, 3)],
      ['utf8', 'string', data(32, 1, 'ff')],
      ['utf8', 'string', data(32, 3, 'eda080')],
      ['utf8', 'string', data(32, 2, 'c080')],
    ];
    for (const [fault, types, encoded] of cases) {
      assert.equal(decoded(types, encoded), fault, `${types} ${encoded}`);
    }
  });

  it('are read to the last byte where all is as encoded', () => {
    assert.deepEqual(decoded('', '0x'), []);
    assert.deepEqual(decoded('string', data(32, 4, 'efbbbf00')), ['\ufeff\0']);
    assert.deepEqual(decoded('address', data(BigInt(`0x${'AB'.repeat(20)}`))), [`0x${'ab'.repeat(20)}`]);
    assert.deepEqual(decoded('bytes2', data('AbCd')), ['0xabcd']);
  });

  it('take no time for sizes that nothing stands behind', () => {
    const nothing = arrayType({ kind: 'uint', bits: 8, text: 'uint8' }, 0);
    const nested = Array.from({ length: 15 }).reduce((type: typeof nothing) => arrayType(type, 9), nothing);
    for (const type of [
      nothing,
      nested,
      arrayType(nothing, undefined),
      tupleType([]),
      arrayType(tupleType([]), 1e15),
    ]) {
      const result = decodeParameters([{ name: '', type }], data(32, 2n ** 47n, 0));
      assert.deepEqual(isDecodeError(result) && result.kind, 'emptyType', type.text);
    }
    const most = Number.MAX_SAFE_INTEGER;
    assert.equal(decoded(`uint8[${most}]`, data(1)), 'short');
    assert.equal(decoded(`uint8${`[${most}]`.repeat(16)}`, data(1)), 'short');
    assert.equal(decoded(`string[${most}]`, data(32, 1)), 'short');
    assert.equal(decoded(`uint8[${most}][]`, data(32, 1, 1)), 'length');
    assert.equal(decoded(`uint8${'[]'.repeat(16)}`, data(...Array(2000).fill(32))), 'offset');
    // Each level finds one item, and the last one that it has none.
    const levels = Array.from({ length: 15 }, () => [1, 32]).flat();
    assert.deepEqual(decoded(`uint8${'[]'.repeat(16)}`, data(32, ...levels, 0)), [
      Array.from({ length: 15 }).reduce((inner: unknown) => [inner], []),
    ]);
  });
});

describe('a decoded result', () => {
  it('is what viem reads, also where assembly encoded it in its own way', () => {
    for (const [types, encoded] of [
      ['string', `${data(32, 3)}616263`],
      ['string', data(64, 0, 3, '616263')],
      ['string', data(32, 3, '616263ff')],
      ['string,string', data(128, 64, 1, '62', 1, '61')],
      ['string,string', data(64, 64, 1, '62')],
      ['bytes[]', data(32, 2, 64, 64, 1, 'ab')],
      ['uint8[],bytes', data(128, 64, 0, 0, 2, 5, 6)],
      ['(uint256,bytes)[2]', data(32, 64, 64, 7, 64, 1, 'ab')],
      ['uint256', data(5, 6, 7)],
    ] as const) {
      assert.ok(types === 'uint256' || typeof decoded(types, encoded) === 'string', types);
      const expected = decodeAbiParameters(parseAbiParameters(types), encoded);
      const toBig = (value: unknown): unknown =>
        Array.isArray(value) ? value.map(toBig) : typeof value === 'number' ? BigInt(value) : value;
      assert.deepEqual(decodeResult(parametersOf(types), encoded), toBig(expected), types);
    }
  });

  it('is a fault where no compiler reads it', () => {
    for (const [fault, types, encoded] of [
      ['short', 'uint256', data(1).slice(0, -2) as Hex],
      ['offset', 'string', data('4d4b52')],
      ['short', 'string', data(2n ** 40n)],
      ['length', 'string', `${data(32, 4)}616263`],
      ['length', 'uint8[]', data(32, ALL)],
      ['bool', 'bool', data(2)],
      ['padding', 'address', data(ALL)],
      ['range', 'uint8', data(256)],
      ['utf8', 'string', data(32, 1, 'ff')],
    ] as const) {
      const result = decodeResult(parametersOf(types), encoded);
      assert.equal(isDecodeError(result) && result.kind, fault, `${types} ${encoded}`);
    }
  });

  it('takes no time where all offsets lead to the same data', () => {
    const level = [60, ...Array(60).fill(60 * 32)];
    const levels = Array.from({ length: 12 }, () => level).flat();
    const result = decodeResult(parametersOf(`bytes${'[]'.repeat(12)}`), data(32, ...levels, 0));
    assert.equal(isDecodeError(result) && result.kind, 'offset');
  });
});

describe('decoded event', () => {
  const put = parseAbiItem(
    'event Put(string indexed key, uint8[] indexed list, bytes4 indexed id, bool on)',
  ) as AbiEvent;
  const hash: Hex = `0x${'7f'.repeat(32)}`;

  it('gives the hash of what is indexed and longer than a word', () => {
    const log = { topics: [put.topic0, hash, hash, data('12345678')], data: data(1) };
    assert.deepEqual(compileEvent(put)(log), [hash, hash, '0x12345678', true]);
  });

  it('is a fault where topics are not those of the event', () => {
    const good = [put.topic0, hash, hash, data('12345678')];
    for (const [fault, topics] of [
      ['topicCount', []],
      ['topicCount', good.slice(0, 3)],
      ['topicCount', [...good, hash]],
      ['topic0', [hash, ...good.slice(1)]],
      ['padding', [...good.slice(0, 3), hash]],
      ['notHex', [...good.slice(0, 3), '0x12']],
      ['notHex', [put.topic0, 'what' as Hex, ...good.slice(2)]],
      ['notHex', [put.topic0, `0x${'g'.repeat(64)}`, ...good.slice(2)]],
      ['notHex', [put.topic0, hash.replace('0x', '00') as Hex, ...good.slice(2)]],
      ['notHex', [...good.slice(0, 3), data('1234567g')]],
    ] as const) {
      const result = compileEvent(put)({ topics, data: data(1) });
      assert.equal(isDecodeError(result) && result.kind, fault);
    }
  });

  it('is a fault wherever a log has anything but digits', () => {
    const all = parseAbiItem(
      'event A(address a, uint256 b, int64 c, bool d, bytes4 e, bytes f, string g, uint8[] h)',
    ) as AbiEvent;
    const good = data(1, 2n ** 200n, 3, 1, '12345678', 256, 320, 384, 2, 'abcd', 2, '6869', 1, 7);
    assert.ok(!isDecodeError(compileEvent(all)({ topics: [all.topic0], data: good })));
    for (let at = 0; at < good.length; at++) {
      for (const sign of ['g', '/', ' ', '\u0130', 'A']) {
        const broken = `${good.slice(0, at)}${sign}${good.slice(at + 1)}` as Hex;
        assert.ok(
          isDecodeError(compileEvent(all)({ topics: [all.topic0], data: broken })),
          `${sign} at ${at}`,
        );
      }
    }
  });

  it('has the values that viem gives, whatever its types are', () => {
    fc.assert(fc.property(arbitraryLog, equalsViem));
  });

  it('is never thrown over and never wrong, whatever is done to the log', () => {
    let refused = 0;
    fc.assert(
      fc.property(mutated(arbitraryLog), (log) => {
        if (isDecodeError(isNeverWrong(log))) refused++;
      }),
    );
    // Most changes break a log; some change a value, or nothing.
    assert.ok(refused > runs(300) && refused < 1000, `${refused}`);
  });
});

describe('encoding', () => {
  const topic = (type: string, value: AbiValue) =>
    encodeTopic(parametersOf(type)[0]?.type ?? assert.fail(type), value);

  it('has as topic of arrays and tuples the hash of their words, without lengths and offsets', () => {
    assert.equal(topic('uint8[]', []), keccak256('0x'));
    assert.equal(topic('uint8[]', [1n, 2n]), keccak256(data(1, 2)));
    const pairs = [
      [1n, 'hi'],
      [2n, ''],
    ];
    assert.equal(topic('(uint8,string)[2]', pairs), keccak256(data(1, '6869', 2)));
  });

  it('refuses values that are none of their type', () => {
    for (const [type, ...values] of [
      ['uint8', 256n, -1n, '1'],
      ['int8', 128n, -129n],
      ['bool', 1n],
      ['address', '0x12', true],
      ['bytes2', '0x123456'],
      ['bytes', '0x1'],
      ['string', 1n],
      ['uint8[2]', [1n]],
      ['uint8[]', '0x'],
      ['(uint8,bool)', [1n]],
    ] as const) {
      const refused = (error: AppError) => error.kind === 'badInput' && error.details.field === 'values';
      for (const value of values) {
        assert.throws(() => encodeParameters(parametersOf(type), [value]), refused, type);
        assert.throws(() => topic(type, value), refused, type);
      }
    }
    assert.throws(() => encodeParameters(parametersOf('uint8,uint8'), [1n]));
  });
});
