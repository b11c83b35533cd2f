import assert from 'node:assert/strict';
import { parseSource } from '../../../../support/parseSource.ts';
import { pick } from '../../../../support/pick.ts';

const read = (source: string) => parseSource('A.sol', source);

describe('declarations of a Solidity source', () => {
  it('have their place, and know what they are in', () => {
    const source = `event Free(uint a);
library Lib { error Bad(bytes4); }
abstract contract Base is Other, X.Y(1, (2)) , Z layout at 0x1 {
  event In(address indexed payable_, string[] memory);\r
  error Low(uint have);
}
event Late();`;
    const { items, contracts } = read(source);
    assert.deepEqual(items, [
      { kind: 'event', name: 'Free', inputs: [{ name: 'a', type: 'uint' }], line: 1, offset: 0 },
      { kind: 'event', name: 'Late', inputs: [], line: 7, offset: source.indexOf('event Late') },
    ]);
    const [lib, base] = contracts;
    assert.equal(lib?.kind, 'library');
    assert.deepEqual(lib.items[0]?.inputs, [{ name: '', type: 'bytes4' }]);
    assert.deepEqual(
      [base?.kind, base?.name, base?.bases, base?.line],
      ['abstract', 'Base', ['Other', 'X.Y', 'Z'], 3],
    );
    assert.deepEqual(base?.items[0]?.inputs, [
      { name: 'payable_', type: 'address', indexed: true },
      { name: '', type: 'string[]' },
    ]);
    assert.equal(base?.items[1]?.line, 5);
  });

  it('are followed by where they are used', () => {
    const source = `contract A {
  event E(); modifier m() { if (x) revert Errors.Low({ have: 1 }); _; }
  function f() external { emit E(); revert("no"); revert(); { emit I . E (1); } }
}
function g() { revert Free(); require(f(1, 2), "no"); require(f(g(1), 2) , E.Bad(x, h(3)), i(4)); }`;
    assert.deepEqual(
      read(source).uses.map(({ kind, name, line, offset, end, contract }) => ({
        ...{ kind, name, line, contract, text: source.slice(offset, end) },
      })),
      [
        { kind: 'error', name: 'Errors.Low', line: 2, contract: 0, text: 'revert Errors.Low' },
        { kind: 'event', name: 'E', line: 3, contract: 0, text: 'emit E' },
        { kind: 'event', name: 'I.E', line: 3, contract: 0, text: 'emit I . E' },
        { kind: 'error', name: 'Free', line: 5, contract: undefined, text: 'revert Free' },
        { kind: 'error', name: 'E.Bad', line: 5, contract: undefined, text: 'E.Bad' },
      ],
    );
  });

  it('may have names that JavaScript has a meaning for', () => {
    const source =
      'toString A { event constructor(uint __proto__); } contract hasOwnProperty is __proto__ {}';
    const { contracts, items } = read(source);
    assert.deepEqual(pick(items, 'name', 'inputs'), [['constructor', [{ name: '__proto__', type: 'uint' }]]]);
    assert.deepEqual(pick(contracts, 'kind', 'name', 'bases'), [
      ['contract', 'hasOwnProperty', ['__proto__']],
    ]);
  });

  it('are found behind a body that is not closed', () => {
    const { contracts, items } = read(
      'contract A { function f() internal { if (x) { event E(); } contract B { event F(); }',
    );
    assert.deepEqual(
      contracts.map((contract) => [contract.name, contract.items.map(({ name }) => name)]),
      [
        ['A', ['E']],
        ['B', ['F']],
      ],
    );
    assert.deepEqual(items, []);
  });
});
