import assert from 'node:assert/strict';
import { formatAbiItem } from '../../../../src/core/abi/item.ts';
import { parseWrittenFunction } from '../../../../src/core/reads/readFunction.ts';

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
    ] as const) {
      const written = parseWrittenFunction(text);
      assert.ok(written.kind === 'declaration', text);
      assert.deepEqual([formatAbiItem(written.item), written.hasOutputs], [declaration, hasOutputs]);
    }
  });

  it('is nothing else', () => {
    for (const text of ['', 'a b', 'f(', 'f(x)', 'f(uint)(', '0x12', 'event E()', `f${'('.repeat(50_000)}`])
      assert.throws(() => parseWrittenFunction(text), /Not a function/, text.slice(0, 20));
  });
});
