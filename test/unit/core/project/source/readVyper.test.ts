import assert from 'node:assert/strict';
import { createImportResolver, linkSource, parseSource } from '../../../../../src/core/index.ts';

const resolve = createImportResolver({ remappings: [], libs: [] });

function abiOf(text: string, others: Readonly<Record<string, string>> = {}): readonly string[] {
  const sources = new Map(Object.entries({ 'Pool.vy': text, ...others }));
  const facts = new Map([...sources].map(([path, source]) => [path, parseSource(path, source)]));
  const [contract, ...rest] = linkSource('Pool.vy', { get: (path) => facts.get(path), resolve });
  assert.deepEqual([contract?.name, contract?.line, rest], ['Pool', 1, []]);
  return contract?.abi ?? [];
}

describe('declarations of a Vyper source', () => {
  it('are events with their indexed parameters, as ERC-20 tokens have them', () => {
    const source = `# @version 0.3.10
from vyper.interfaces import ERC20
implements: ERC20

event Transfer:
    sender: indexed(address)
    receiver: indexed(address)
    value: uint256

event Approval:
    owner: indexed(address)  # who allows
    spender: indexed(address)

    value: uint256
name: public(String[64])`;
    assert.deepEqual(abiOf(source), [
      'event Transfer(address indexed sender, address indexed receiver, uint256 value)',
      'event Approval(address indexed owner, address indexed spender, uint256 value)',
    ]);
    const { items } = parseSource('a/Pool.vy', source).contracts[0] ?? assert.fail();
    assert.deepEqual(
      items.map(({ line, offset }) => [line, offset]),
      [
        [5, source.indexOf('event Transfer')],
        [10, source.indexOf('event Approval')],
      ],
    );
  });

  it('have lists of a length in constants, as pools of stable coins have them', () => {
    const source = `N_COINS: constant(uint256) = 3
COINS: public(constant(int128)) = N_COINS + 2 - 1
event AddLiquidity:
    provider: indexed(address)
    token_amounts: uint256[N_COINS]
    fees: DynArray[uint256, MAX_COINS]
    rates: uint256[COINS][2]
    invariant: uint256
event TokenExchange: pass
event RampA:
    old_A: decimal
event Empty:
    pass
event Lost:
    x: uint256[UNKNOWN]`;
    assert.deepEqual(abiOf(source), [
      'event AddLiquidity(address indexed provider, uint256[3] token_amounts, uint256[] fees, uint256[4][2] rates, uint256 invariant)',
      'event TokenExchange()',
      'event RampA(int168 old_A)',
      'event Empty()',
    ]);
  });

  it('have texts, bytes, structs, flags, enums and interfaces', () => {
    const source = `import interfaces.IStrategy as IStrategy
from ethereum.ercs import IERC20
from . import types as t
flag Roles:
    ADMIN
    KEEPER
enum Status:
    OPEN
interface Oracle:
    def price() -> uint256: view
struct Point:
    bias: int128
    slope: DynArray[DynArray[int128, 4], 8]
struct Lock:
    point: Point
    note: String[100 + 4]
    data: Bytes[32]
event Locked:
    who: indexed(Oracle)
    lock: indexed(Lock)
    locks: DynArray[Lock, 10][2]
    role: Roles
    status: Status
    token: IERC20
    strategy: IStrategy
    other: t.Order
    flag: bool
event Lost:
    map: HashMap[address, uint256]`;
    assert.deepEqual(abiOf(source, { 'types.vy': 'struct Order:\n  id: bytes32\n  by: address' }), [
      'event Locked(address indexed who, ((int128 bias, int128[][] slope) point, string note, bytes data) indexed lock, ((int128 bias, int128[][] slope) point, string note, bytes data)[][2] locks, uint256 role, uint256 status, address token, address strategy, (bytes32 id, address by) other, bool flag)',
    ]);
  });

  it('are none in comments, texts and bodies, and go on in brackets', () => {
    const source = `"""
event No:
    a: uint256
"""
# event No:
X: constant(String[20]) = "event No: \\" #"
event Yes:
    """ of what """
    a: indexed(
        uint256  # (
    )
    b: \\
      bool
def f():
    event: uint256 = 1
    if True:
        log Yes(1, True)
    log module.Other(a=1)
    raise "no"
event Last:
	a: address`;
    assert.deepEqual(abiOf(source), ['event Yes(uint256 indexed a, bool b)', 'event Last(address a)']);
    assert.deepEqual(
      parseSource('Pool.vy', source).uses.map(({ kind, name, line, offset, end }) => [
        ...[kind, name, line, source.slice(offset, end)],
      ]),
      [
        ['event', 'Yes', 17, 'log Yes'],
        ['event', 'module.Other', 18, 'log module.Other'],
      ],
    );
  });

  it('are found behind brackets that are not closed', () => {
    assert.deepEqual(abiOf('x: uint256[(\nevent A:\n  a: bool\nevent B:\n  b: Bytes[\nevent C:\n  c: bool'), [
      'event A(bool a)',
      'event B(bytes b)',
      'event C(bool c)',
    ]);
  });

  it('are functions that are called from outside; each default makes one more', () => {
    const source = `struct P:
    a: uint256
@external
@nonreentrant("lock")
def deposit(assets: uint256, receiver: address = msg.sender, p: P = P(a=1)) -> uint256:
    return 0
@view
@external
def get(
    who: address
) -> (uint256, P): return 0, P(a=1)
@internal
def _hidden(): pass
def alone(): pass
@deploy
def __init__(): pass
@external
@payable
def __default__(): pass`;
    assert.deepEqual(abiOf(source), [
      'function deposit(uint256 assets) returns (uint256)',
      'function deposit(uint256 assets, address receiver) returns (uint256)',
      'function deposit(uint256 assets, address receiver, (uint256 a) p) returns (uint256)',
      'function get(address who) returns (uint256, (uint256 a))',
    ]);
  });

  it('lose names of parameters that nobody could read again', () => {
    assert.deepEqual(
      abiOf('event Call:\n    target: indexed(address)\n    calldata: Bytes[4]\n    string: bool'),
      ['event Call(address indexed target, bytes, bool)'],
    );
  });

  it('are imports of modules in all their forms', () => {
    const source =
      'import a\nimport a.b as c\nfrom . import d\nfrom ..e.f import (g as h, i)\nfrom j import k as l, m';
    assert.deepEqual(parseSource('A.vy', source).imports, [
      { path: 'a', as: 'a' },
      { path: 'a.b', as: 'c' },
      { path: '.d', as: 'd' },
      { path: '..e.f.g', as: 'h' },
      { path: '..e.f.i', as: 'i' },
      { path: 'j.k', as: 'l' },
      { path: 'j.m', as: 'm' },
    ]);
  });

  it('are those of modules that it logs', () => {
    const source = `from snekmate.auth import ownable
initializes: ownable
@external
def f(owner: address):
    log ownable.OwnershipTransferred(self, owner)`;
    const module =
      'event OwnershipTransferred:\n    previous: indexed(address)\n    new: indexed(address)\nevent Unused:\n    pass';
    assert.deepEqual(abiOf(source, { 'snekmate/auth/ownable.vy': module }), [
      'function f(address owner)',
      'event OwnershipTransferred(address indexed previous, address indexed new)',
    ]);
  });

  it('of an interface are all its functions', () => {
    const facts = parseSource(
      'i/IPool.vyi',
      '@view\n@external\ndef coins(i: uint256) -> address:\n    ...\nevent E:\n    a: bool',
    );
    const files = { get: () => facts, resolve };
    assert.deepEqual(
      linkSource('i/IPool.vyi', files).map(({ name, abi }) => [name, abi]),
      [['IPool', ['function coins(uint256 i) returns (address)', 'event E(bool a)']]],
    );
    assert.equal(facts.contracts[0]?.kind, 'interface');
  });
});
