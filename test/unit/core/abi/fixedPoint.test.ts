import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseEventSignature } from '../../../../src/core/abi/declaration.ts';
import { decodeParameters, isDecodeError } from '../../../../src/core/abi/decode.ts';
import { encodeParameters, encodeTopic } from '../../../../src/core/abi/encode.ts';
import { parseAbi } from '../../../../src/core/abi/parseAbi.ts';
import { type AbiType, parseElementaryType } from '../../../../src/core/abi/type.ts';
import {
  abiValueToJson,
  formatAbiValue,
  getIntegerBounds,
  parseValue,
} from '../../../../src/core/abi/value.ts';
import {
  copyLogsTargets,
  copyQueryTargets,
  isAppError,
  parseLogFilter,
  toAbiWord,
} from '../../../../src/core/index.ts';
import { eventOf, logOfEvent } from '../../../support/eventLogs.ts';

const TOPIC0 = '0xe82537763b952e3c103a0deee86ad2048ae7e0bfcaf5dff808dfe65d0488b7d3';
const typeOf = (name: string): AbiType & { readonly bits: number } => {
  const type = parseElementaryType(name);
  return type?.kind === 'int' || type?.kind === 'uint' ? type : assert.fail(name);
};

const fixedPoint = fc
  .tuple(fc.constantFrom('', 'u'), fc.integer({ min: 1, max: 32 }), fc.integer({ min: 1, max: 80 }))
  .map(([u, bytes, decimals]) => typeOf(`${u}fixed${8 * bytes}x${decimals}`));
const fixedPointAndValue = fixedPoint.chain((type) => {
  const [min, max] = getIntegerBounds(type as Parameters<typeof getIntegerBounds>[0]);
  return fc.tuple(fc.constant(type), fc.oneof(fc.bigInt({ min, max }), fc.constantFrom(min, max, 0n)));
});

describe('fixed-point numbers', () => {
  it('are read in the ABI of a compiler', () => {
    const { items, skipped } = parseAbi([
      { type: 'event', name: 'Rate', inputs: [{ name: 'rate', type: 'fixed168x10', indexed: false }] },
      { type: 'function', name: 'setRate', inputs: [{ name: 'rate', type: 'ufixed[2][]' }], outputs: [] },
    ]);
    assert.equal(skipped, 0);
    assert.deepEqual(items, ['event Rate(fixed168x10 rate)', 'function setRate(ufixed128x18[2][] rate)']);
    assert.equal(parseEventSignature('Rate(fixed168x10)').topic0, TOPIC0);
    assert.equal(eventOf('event Rate(fixed168x10 indexed rate)').topic0, TOPIC0);
    assert.equal(parseEventSignature('A(fixed,ufixed)').signature, 'A(fixed128x18,ufixed128x18)');
  });

  it('are no other sizes', () => {
    const names = 'fixed0x1 fixed7x1 fixed264x1 fixed8x0 fixed8x81 fixed08x1 fixed8 fixed8x xfixed8x8';
    for (const name of names.split(' ')) {
      assert.equal(parseElementaryType(name), undefined, name);
    }
  });

  it('are none beyond their bounds', () => {
    for (const [type, data] of [
      ['fixed8x1', toAbiWord(128n)],
      ['ufixed8x1', `0x${'f'.repeat(64)}`],
    ] as const) {
      const outside = decodeParameters([{ name: '', type: typeOf(type) }], data);
      assert.ok(isDecodeError(outside) && outside.kind === 'range', type);
    }
  });

  it('are encoded and written to what they are read from', () => {
    fc.assert(
      fc.property(fixedPointAndValue, ([type, value]) => {
        const parameters = [{ name: '', type }];
        const data = encodeParameters(parameters, [value]);
        assert.equal(encodeTopic(type, value), data);
        assert.deepEqual(decodeParameters(parameters, data), [value]);
        const text = String(abiValueToJson(type, value));
        assert.equal(parseValue(type, text, 'args.a'), value);
        assert.equal(formatAbiValue(type, value, { most: 1000 }).replaceAll(',', ''), text);
      }),
    );
  });

  it('are typed as decimal numbers within their bounds', () => {
    const type = typeOf('fixed8x1');
    const typed = (text: string) => parseValue(type, text, 'args.rate');
    const read = ['1.5', ' -1.5 ', '1.50', '12', '0', '-12.8', '1_2'].map(typed);
    assert.equal(read.join(), '15,-15,15,120,0,-128,120');
    for (const [text, message] of [
      ['12.8', 'Out of range. fixed8x1 allows -12.8 to 12.7.'],
      ['1.55', 'fixed8x1 has 1 decimals at most.'],
      ['0x0f', 'Not a decimal number. Enter digits, such as 1.5.'],
      ['1,5', 'Not a decimal number. Enter digits, such as 1.5.'],
      ['.', 'Not a decimal number. Enter digits, such as 1.5.'],
    ] as const) {
      assert.throws(
        () => typed(text),
        (error) => isAppError(error, 'badInput') && error.message === message,
        text,
      );
    }
  });

  it('are not copied as code of tools that do not know them', () => {
    const event = eventOf('event Rate(fixed168x10 indexed rate, (ufixed8x1 a) b)');
    const known = { event, values: [15n, [1n]], origin: { trust: 'workspace', from: '' }, others: [] };
    const log = { log: logOfEvent(event, [15n, [1n]]), known };
    const network = { name: 'Local Node', chainId: 31337, rpcUrl: 'http://127.0.0.1:8545' };
    assert.deepEqual(copyLogsTargets[0]?.copy([log as never], network), { error: 'type' });
    const filter = parseLogFilter({ topics: [TOPIC0, toAbiWord(15n)], fromBlock: 1, toBlock: 2 });
    const single = eventOf('event Rate(fixed168x10 indexed rate)');
    for (const { id, copy } of copyQueryTargets.filter((target) => /viem|ethers/.test(target.id))) {
      assert.doesNotMatch(
        JSON.stringify(copy({ filter, network, event: single })),
        /fixed168x10 indexed/,
        id,
      );
    }
  });
});
