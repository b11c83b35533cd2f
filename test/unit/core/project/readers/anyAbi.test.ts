import assert from 'node:assert/strict';
import { isAbiList, parseAnyAbi } from '../../../../../src/core/project/readers/anyAbi.ts';
import { readContracts } from '../../../../support/projectFacts.ts';

const LINES = [
  'event Paid(address indexed who, uint256 amount)',
  'function pay(uint256 amount)',
  'error Unpaid(address who)',
];

describe('human-readable ABI', () => {
  it('is a contract as a JSON file, named like the file, whatever comes first', () => {
    const orders = [
      [...LINES, 'constructor(address owner)'],
      ['constructor(address owner)', ...LINES],
    ];
    for (const lines of orders) {
      assert.deepEqual(readContracts('abi/Pay.json', lines), [['Pay', ...LINES]]);
    }
    const artifact = { contractName: 'Pay', abi: LINES };
    assert.deepEqual(readContracts('abi/any.json', artifact), [['Pay', ...LINES]]);
  });

  it('has structs and tuples as viem and ethers write them', () => {
    const items = parseAnyAbi([
      'struct Price { address token; Amount[2] amounts; }',
      'struct Amount { uint256 value; }',
      'event Paid(Price price, address indexed Amount)',
      'function quote(tuple(address token, uint256 value)[] list) view returns (Price)',
    ]);
    assert.deepEqual(items, [
      'event Paid((address token, (uint256 value)[2] amounts) price, address indexed Amount)',
      'function quote((address token, uint256 value)[] list) view returns ((address token, (uint256 value)[2] amounts))',
    ]);
  });

  it('may begin with a function that has no type', () => {
    const old = [
      { name: 'pay', constant: false, inputs: [{ name: 'amount', type: 'uint256' }], outputs: [] },
    ];
    assert.deepEqual(readContracts('abi/Pay.json', old), [['Pay', 'function pay(uint256 amount)']]);
    assert.deepEqual(readContracts('abi/Data.json', '[{"inputs":[1,2],"type":"sum"}]'), []);
  });

  it('may leave out what is empty, and begin with types of other languages', () => {
    const items = [
      { type: 'impl', name: 'PayImpl' },
      { type: 'struct', name: 'Price', members: [] },
      { type: 'event', name: 'Paid' },
      { type: 'error', name: 'Unpaid', inputs: null },
      { name: 'total', stateMutability: 'view' },
    ];
    const expected = [['Pay', 'event Paid()', 'error Unpaid()', 'function total() view']];
    assert.deepEqual(readContracts('abi/Pay.json', items), expected);
    assert.deepEqual(readContracts('abi/Pay.json', items.slice(4)), [['Pay', 'function total() view']]);
  });

  it('may be text within JSON, as explorers return it', () => {
    const abi = JSON.stringify([{ type: 'event', name: 'Paid', inputs: [] }], null, 2);
    const expected = [['Pay', 'event Paid()']];
    const named = [{ SourceCode: '', ABI: abi, ContractName: 'Pay' }];
    for (const file of [
      ...[abi, JSON.stringify(abi), { abi }, { abi: `\n\t ${abi}` }, { Pay: { abi } }],
      ...[
        { abi: JSON.stringify(abi) },
        { interface: abi, bytecode: '00' },
        { ABI: abi, ContractName: 'Pay' },
      ],
      { contracts: { 'src/Pay.sol:Pay': { interface: abi } } },
      { contracts: { ':Pay': { interface: abi } } },
      ...[
        { status: '1', message: 'OK', result: abi },
        { status: '1', result: named },
      ],
      { contracts: { 'src/Pay.sol:Pay': { abi, bin: '00' } } },
    ])
      assert.deepEqual(readContracts('abi/Pay.json', file), expected, JSON.stringify(file).slice(0, 80));
    for (const file of [
      { result: '[1]' },
      { result: [{ ABI: 'Contract source code not verified' }] },
      '"[1]"',
    ])
      assert.deepEqual(readContracts('abi/Pay.json', file), []);
  });

  it('ends with structs that contain each other, or grow without end', () => {
    const circle = ['struct A { B b; }', 'struct B { A a; }', 'event Paid(A a)', 'event Other(uint256 a)'];
    assert.deepEqual(parseAnyAbi(circle), ['event Other(uint256 a)']);
    const growing = Array.from({ length: 30 }, (_, n) => `struct S${n} { ${`S${n + 1} a; `.repeat(50)}}`);
    assert.deepEqual(parseAnyAbi([...growing, 'event Paid(S0 a)']), []);
  });

  it('is no list of other texts', () => {
    for (const list of [
      ['eventually', 'x'],
      ['function'],
      ['error: none (yet)'],
      [''],
      [['event A()']],
      [],
    ]) {
      assert.equal(isAbiList(list), false);
      assert.deepEqual(readContracts('abi/Pay.json', list), []);
    }
  });
});
