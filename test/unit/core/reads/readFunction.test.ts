import assert from 'node:assert/strict';
import { type AbiFunction, formatAbiItem, parseAbiItem } from '../../../../src/core/abi/item.ts';
import { chooseFunction, parseWrittenFunction } from '../../../../src/core/reads/readFunction.ts';

describe('a function as it is written', () => {
  it('is a name, a selector or a declaration', () => {
    assert.deepEqual(parseWrittenFunction(' balanceOf '), { kind: 'name', name: 'balanceOf' });
    assert.deepEqual(parseWrittenFunction('0x70A08231'), { kind: 'selector', selector: '0x70a08231' });
    for (const [text, declaration, hasOutputs] of [
      ['balanceOf(address)', 'function balanceOf(address)', false],
      [
        'balanceOf(address a) view returns (uint)',
        'function balanceOf(address a) view returns (uint256)',
        true,
      ],
      [
        'function balanceOf(address a) external view returns (uint);',
        'function balanceOf(address a) view returns (uint256)',
        true,
      ],
      ['f((uint a, bool)[] x)(bytes)', 'function f((uint256 a, bool)[] x) returns (bytes)', true],
      ['f()((uint a, bool) x)', 'function f() returns ((uint256 a, bool) x)', true],
      [
        'f(tuple(uint a) x) view returns (tuple(bool)[2])',
        'function f((uint256 a) x) view returns ((bool)[2])',
        true,
      ],
      ['f(uint):(bool)', 'function f(uint256) returns (bool)', true],
      ['f() -> (bool)', 'function f() returns (bool)', true],
      ['f() view returns ()', 'function f() view', true],
      [
        'function f(uint a) public view override(A, B) onlyRole(X.Y) returns (bool) { return a > 1; }',
        'function f(uint256 a) view returns (bool)',
        true,
      ],
      ['function f(uint a) external;', 'function f(uint256 a)', false],
    ] as const) {
      const written = parseWrittenFunction(text);
      assert.ok(written.kind === 'declaration', text);
      assert.deepEqual([formatAbiItem(written.item), written.hasOutputs], [declaration, hasOutputs]);
    }
  });

  it('is only a name where its types are in its source', () => {
    for (const [text, unknownType] of [
      ['f(Side side, Leg[] calldata legs)', 'Side'],
      ['f(Lib.Kind)', 'Lib'],
      ['function f() view returns (Order memory)', 'Order'],
    ] as const)
      assert.deepEqual(parseWrittenFunction(text), { kind: 'name', name: 'f', unknownType }, text);
  });

  it('is nothing else', () => {
    for (const text of [
      '',
      'a b',
      'f(',
      'f(uint)(',
      'f() 5+',
      'f() returns bool',
      'f()(bool',
      '0x12',
      'event E()',
      `f${'('.repeat(50_000)}`,
    ])
      assert.throws(() => parseWrittenFunction(text), /Not a function/, text.slice(0, 20));
  });
});

describe('the function that takes arguments', () => {
  const declare = (...types: readonly string[]) =>
    types.map((type) => parseAbiItem(`function f(${type} a)`) as AbiFunction);

  it('is chosen among as many functions and values as are tried in a moment', () => {
    const items = Array.from({ length: 20_000 }, () => '1');
    const chosen = chooseFunction(declare('uint8[]', 'string'), [items], {});
    assert.equal(chosen.item.signature, 'f(uint8[])');
    const numbers = declare('uint8[]', 'uint16[]', 'uint32[]');
    for (const written of [items, `[${items}]`, [[undefined, items]], { a: items }])
      assert.throws(() => chooseFunction(numbers, [written], {}), {
        message: 'More than 50,000 values. Enter fewer.',
      });
  });

  it('takes no more values than are parsed in a moment', () => {
    const parse = (count: number) =>
      chooseFunction(declare('uint8[]'), [Array.from({ length: count }, () => 1)], {}).values[0];
    assert.equal((parse(49_999) as readonly unknown[]).length, 49_999);
    assert.throws(() => parse(50_000), { message: 'More than 50,000 values. Enter fewer.' });
  });
});
