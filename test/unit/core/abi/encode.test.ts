import assert from 'node:assert/strict';
import { keccak256 } from 'viem';
import { encodeParameters, encodeTopic } from '../../../../src/core/abi/encode.ts';
import { type AbiEvent, parseAbiItem } from '../../../../src/core/abi/item.ts';
import type { AbiValue } from '../../../../src/core/abi/type.ts';
import { type AppError, toAbiWord } from '../../../../src/core/index.ts';

const inputsOf = (types: string) => (parseAbiItem(`event A(${types})`) as AbiEvent).inputs;
const typeOf = (type: string) => inputsOf(type)[0]?.type ?? assert.fail(type);
const topic = (type: string, value: AbiValue) => encodeTopic(typeOf(type), value);
const word = (value: bigint) => toAbiWord(value).slice(2);

describe('topic of an indexed value', () => {
  it('is the hash of the words of arrays and tuples, without lengths and offsets', () => {
    assert.equal(topic('uint8[]', []), keccak256('0x'));
    assert.equal(topic('uint8[]', [1n, 2n]), keccak256(`0x${word(1n)}${word(2n)}`));
    const text = '6869'.padEnd(64, '0');
    assert.equal(
      topic('(uint8,string)[2]', [
        [1n, 'hi'],
        [2n, ''],
      ]),
      keccak256(`0x${word(1n)}${text}${word(2n)}`),
    );
  });
});

describe('encoding', () => {
  it('refuses values that are none of their type', () => {
    for (const [type, value] of [
      ['uint8', 256n],
      ['uint8', -1n],
      ['uint8', '1'],
      ['int8', 128n],
      ['int8', -129n],
      ['bool', 1n],
      ['address', '0x12'],
      ['address', true],
      ['bytes2', '0x123456'],
      ['bytes', '0x1'],
      ['string', 1n],
      ['uint8[2]', [1n]],
      ['uint8[]', '0x'],
      ['(uint8,bool)', [1n]],
    ] as const) {
      const refused = (error: AppError) => error.kind === 'badInput' && error.details.field === 'values';
      assert.throws(() => encodeParameters(inputsOf(type), [value]), refused, type);
      assert.throws(() => topic(type, value), refused, type);
    }
    assert.throws(() => encodeParameters(inputsOf('uint8,uint8'), [1n]));
  });
});
