import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatArguments, parseArguments } from '../../../../src/core/abi/argument.ts';
import { parseAbiItem } from '../../../../src/core/abi/item.ts';
import { abiValueToJson } from '../../../../src/core/abi/value.ts';
import { type Address, isAppError } from '../../../../src/core/index.ts';
import { arbitraryFunction, arbitraryValues } from '../../../support/abi/arbitraryAbi.ts';

const inputsOf = (types: string) => {
  const item = parseAbiItem(`function f(${types})`);
  return item?.kind === 'function' ? item.inputs : assert.fail(types);
};
const parse = (types: string, ...values: readonly unknown[]) => parseArguments(inputsOf(types), values);

describe('arguments of a call', () => {
  it('are numbers in several forms, exact', () => {
    const large = 2n ** 256n - 1n;
    for (const [text, value] of [
      ['12', 12n],
      [' 1_000 ', 1000n],
      ['0xff', 255n],
      ['1e18', 10n ** 18n],
      ['1.5E3', 1500n],
      ['1.5 ether', 15n * 10n ** 17n],
      ['2ether', 2n * 10n ** 18n],
      ['20 gwei', 20n * 10n ** 9n],
      ['7 wei', 7n],
      [large.toString(), large],
      [12, 12n],
      [12n, 12n],
    ] as const) {
      assert.deepEqual(parse('uint256', text), [value], String(text));
    }
    assert.deepEqual(parse('int64 a', '-2e3'), [-2000n]);
    const others = ['1.5', '1.5 wei', '0.1e0', '1e', 'ether', '1 eth', '1e78', '-1', '', 'x'];
    for (const text of [...others, '1.0000000000000000001 ether'])
      assert.throws(() => parse('uint256', text), { kind: 'badInput' }, text);
    assert.throws(() => parse('uint256', 2 ** 60), /quotes/);
    assert.throws(() => parse('uint256', 1.5), /quotes/);
  });

  it('are lists and structs in JSON, whose numbers are exact and whose hex needs no quotes', () => {
    const large = '115792089237316195423570985008687907853269984665640564039457584007913129639935';
    const account = `0x${'12'.repeat(20)}`;
    assert.deepEqual(parse('uint256[]', `[1, ${large}]`), [[1n, BigInt(large)]]);
    assert.deepEqual(parse('address[2]', `[${account},"${account}"]`), [[account, account]]);
    assert.deepEqual(parse('(string note, uint8 n) x', '{"n": 5, "note": "a, 1"}'), [['a, 1', 5n]]);
    assert.deepEqual(parse('(string, uint8) x', '["1", 5]'), [['1', 5n]]);
    assert.deepEqual(parse('(bool ok, bytes32[] ids)[] x', [{ ok: true, ids: [] }]), [[[true, []]]]);
    assert.deepEqual(parse('string x', '["1"]'), ['["1"]']);
    assert.deepEqual(parse('string[] x', '["-5 \\" 1"]'), [['-5 " 1']]);
    assert.deepEqual(parse('string[] x', '[a, "null", "b c"]'), [['a', 'null', 'b c']]);
    assert.deepEqual(parse('(uint256 n, bool ok)[] x', '[{n: 1.5 ether, ok: true}, [2 gwei, false]]'), [
      [
        [15n * 10n ** 17n, true],
        [2n * 10n ** 9n, false],
      ],
    ]);
  });

  it('may be names of addresses', () => {
    const treasury: Address = `0x${'ab'.repeat(20)}`;
    const resolveAddress = (name: string) => (name === 'Treasury' ? treasury : assert.fail(name));
    const values = parseArguments(inputsOf('address[] x, address y'), ['["Treasury"]', ' Treasury '], {
      resolveAddress,
    });
    assert.deepEqual(values, [[treasury], treasury]);
  });

  it('say where one is wrong, and what to write', () => {
    for (const [types, values, field, message] of [
      ['', ['1'], 'args', /takes no arguments/],
      ['uint8 a, bool', ['1'], 'args', /2 \(uint8 a, bool\)\. Given: 1/],
      ['uint8 a', ['256'], 'args.a', /0 to 255/],
      ['uint8', ['256'], 'args.0', /0 to 255/],
      ['(uint8[2] x) a', ['{"x":[1]}'], 'args.a.x', /2 items, not 1/],
      ['(uint8[2] x) a', ['{"x":[1,true]}'], 'args.a.x[1]', /integer/],
      ['(uint8 x) a', ['{"x":[1]}'], 'args.a.x', /Enter a text/],
      ['(uint8 x) a', ['{"x":null}'], 'args.a.x', /Enter a text/],
      ['(uint8 x) a', ['5'], 'args.a', /Not a struct/],
      ['(uint8 x) a', ['{"y":1}'], 'args.a', /no member y\. Its members are x/],
      ['(uint8 x) a', ['{"__proto__":1}'], 'args.a', /no member __proto__|missing/],
      ['uint8[] a', ['1,2'], 'args.a', /Not JSON\. Enter a uint8\[\] such as \[1\]/],
      ['uint8[] a', ['['.repeat(100_000)], 'args.a', /Not JSON/],
      ['uint8[] a', ['"'.repeat(100_001)], 'args.a', /Not JSON/],
      ['address a', ['Treasury'], 'args.a', /address/],
      ['address a', [''], 'args.a', /Not an address/],
      ['address[] a', ['[0x5fbDB2315678afecb367f032d93F642f64180aa3]'], 'args.a[0]', /checksum/],
      ['string[] a', ['[null]'], 'args.a[0]', /Enter a text/],
    ] as const) {
      assert.throws(
        () => parse(types, ...values),
        (error) =>
          isAppError(error, 'badInput') && error.details.field === field && message.test(error.message),
        `${types} ${values}`,
      );
    }
  });

  it('of any type are read back from their JSON, as values and as text', () => {
    const typed = arbitraryFunction.chain(({ inputs }) =>
      fc.tuple(fc.constant(inputs), arbitraryValues(inputs)),
    );
    fc.assert(
      fc.property(typed, ([inputs, values]) => {
        const json = inputs.map(({ type }, index) => abiValueToJson(type, values[index] as never));
        assert.deepEqual(parseArguments(inputs, json), values);
        assert.deepEqual(parseArguments(inputs, formatArguments(inputs, values)), values);
      }),
    );
  });
});
