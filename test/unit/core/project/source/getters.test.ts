import assert from 'node:assert/strict';
import { createImportResolver } from '../../../../../src/core/index.ts';
import { linkSource } from '../../../../../src/core/project/source/linkSource.ts';
import { parseSource } from '../../../../support/parseSource.ts';

const resolve = createImportResolver({ remappings: [], libs: [] });

function linkAbi(path: string, source: string, name: string): readonly string[] {
  const facts = parseSource(path, source);
  const contract = linkSource(path, { get: () => facts, resolve }).find((one) => one.name === name);
  return contract?.abi ?? [];
}

const solidity = `interface I { function total() external view returns (uint256); }
contract Base { uint256 public inherited; }
contract A is I, Base {
  enum Side { Buy, Sell }
  type Id is bytes32;
  struct Inner { bool ok; }
  struct Order { uint256 amount; mapping(uint256 => uint256) fills; uint256[] steps; bytes note; Inner inner; Side side; }
  struct Pair { uint256 a; uint256 b; }
  Order public order;
  Side public side = Side.Sell;
  uint256 public override total;
  uint256 constant public MAX = 2 * 3;
  address public immutable owner = msg.sender;
  string public name = "a => b; { c";
  bytes public data;
  mapping(address owner => mapping(Side => uint256[2][] amounts)) public amounts;
  mapping(Id => Order)[] public orders;
  mapping(address account => uint256 balance) public balances;
  uint256[MAX] public list;
  Pair public pair = Pair({a: 1, b: 2});
  I public other;
  uint256 internal hidden;
  uint256 alsoHidden = 1;
  bytes32 private secret;
}`;

/** Sorted. */
const SOLC = [
  'function MAX() view returns (uint256)',
  'function amounts(address owner, uint8, uint256, uint256) view returns (uint256 amounts)',
  'function balances(address account) view returns (uint256 balance)',
  'function data() view returns (bytes)',
  'function inherited() view returns (uint256)',
  'function list(uint256) view returns (uint256)',
  'function name() view returns (string)',
  'function order() view returns (uint256 amount, bytes note, (bool ok) inner, uint8 side)',
  'function orders(uint256, bytes32) view returns (uint256 amount, bytes note, (bool ok) inner, uint8 side)',
  'function other() view returns (address)',
  'function owner() view returns (address)',
  'function pair() view returns (uint256 a, uint256 b)',
  'function side() view returns (uint8)',
  'function total() view returns (uint256)',
];

describe('getters of public variables', () => {
  it('are those that solc 0.8.37 makes', () => {
    assert.deepEqual([...linkAbi('A.sol', solidity, 'A')].sort(), SOLC);
  });

  it('are those of Vyper: a struct is one value, and a list has an index', () => {
    const vyper = `struct Pair:
    a: uint256
    b: address
owner: public(address)
amounts: public(HashMap[address, HashMap[uint256, uint256[3][2]]])
MAX: public(constant(uint256)) = 4
admin: public(immutable(address))
guard: public(transient(bool))
names: public(DynArray[String[32], 4])
pairs: public(HashMap[bytes32, Pair])
old: public(map(address, uint256(wei)))
hidden: uint256
hash: constant(uint256) = 1
`;
    assert.deepEqual(linkAbi('A.vy', vyper, 'A'), [
      'function owner() view returns (address)',
      'function amounts(address, uint256, uint256, uint256) view returns (uint256)',
      'function MAX() view returns (uint256)',
      'function admin() view returns (address)',
      'function guard() view returns (bool)',
      'function names(uint256) view returns (string)',
      'function pairs(bytes32) view returns ((uint256 a, address b))',
      'function old(address) view returns (uint256)',
    ]);
  });

  it('are none of what is no declaration', () => {
    const none = [
      'uint256 public;',
      'public x;',
      'mapping(uint256) public x;',
      'mapping( public x;',
      '= public',
    ];
    for (const text of none) assert.deepEqual(linkAbi('A.sol', `contract A { ${text} }`, 'A'), [], text);
    for (const text of ['x: public(', 'x: public()', 'x: public(HashMap[address])', 'public(x)'])
      assert.deepEqual(linkAbi('A.vy', text, 'A'), [], text);
  });
});
