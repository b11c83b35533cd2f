import assert from 'node:assert/strict';
import { createImportResolver, parseEventSignature } from '../../../../../src/core/index.ts';
import { createSourceLinker, linkSource } from '../../../../../src/core/project/source/linkSource.ts';
import { parseSource } from '../../../../support/parseSource.ts';
import { pick } from '../../../../support/pick.ts';

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
      'function name() view returns (string)',
    ]);
    const { items } = parseSource('a/Pool.vy', source).contracts[0] ?? assert.fail();
    assert.deepEqual(pick(items, 'line', 'offset'), [
      [5, source.indexOf('event Transfer')],
      [10, source.indexOf('event Approval')],
      [15, source.indexOf('name: public')],
    ]);
  });

  it('have lists of a length in constants, as pools of stable coins have them', () => {
    const source = `#pragma version ^0.4.1
N_COINS: constant(uint256) = 3
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
      'function COINS() view returns (int128)',
      'event AddLiquidity(address indexed provider, uint256[3] token_amounts, uint256[] fees, uint256[4][2] rates, uint256 invariant)',
      'event TokenExchange()',
      'event RampA(int168 old_A)',
      'event Empty()',
    ]);
  });

  it('have getters that are reentrant, and of types that old releases call contracts', () => {
    const source = `a: public(reentrant(uint256))
b: reentrant(public(uint256[2]))
c: public(reentrant(immutable(address)))
contract Other:
    def f() -> bool: constant
o: public(Other)`;
    assert.deepEqual(abiOf(source), [
      'function a() view returns (uint256)',
      'function b(uint256) view returns (uint256)',
      'function c() view returns (address)',
      'function o() view returns (address)',
    ]);
  });

  it('have what a module exports by an interface that it contains', () => {
    const deep = `interface IDeep:
    def deeper() -> uint256: view
@external
@view
def deeper() -> uint256: return 1`;
    assert.deepEqual(abiOf('import deep\nexports: deep.IDeep', { 'deep.vy': deep }), [
      'function deeper() view returns (uint256)',
    ]);
  });

  describe('with decimals', () => {
    const old = 'event Rate(fixed168x10 rate)';
    const recent = 'event Rate(int168 rate)';
    const declared = 'event Rate:\n    rate: decimal';
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ['# @version 0.3.10', [old]],
      ['#@version ^0.3.7', [old]],
      ['# @version >=0.2.4,<0.4.0', [old]],
      ['# @version >=0.2.4 <0.3.0', [old]],
      ['# @version 0.2.16  # of 2021', [old]],
      ['# @version ~=0.3.9', [old]],
      ['# @version ~0.3.9', [old]],
      ['# @version 0.3.x', [old]],
      ['# @version <=0.3.10', [old]],
      ['# @version 0.1.0b16', [old]],
      ['# pragma version ==0.3.10', [old]],
      ['\n  # a text\n#pragma version ~=0.4.0\n', [recent]],
      ['# pragma version 0.4.0rc6', [recent]],
      ['# pragma version ^0.4.1', [recent]],
      ['# pragma version 0.4', [recent]],
      ['# pragma version > 0.3.10', [recent]],
      ['# pragma version >=0.4.0', [recent]],
      ['# pragma version 0.5.0 || 0.4.3', [recent]],
      ['', [old, recent]],
      ['# @version >=0.3.0', [old, recent]],
      ['# @version ~=0.3', [old, recent]],
      ['# @version ^0.3.0 || ^0.4.0', [old, recent]],
      ['# @version newest', [old, recent]],
      ['# @version >=0.5 <0.3', [old, recent]],
      ['# the version 0.3.10 of it', [old, recent]],
      // What only compilers of one kind accept.
      ['@deploy\ndef __init__(): pass', [recent]],
      ['flag Roles:\n    ADMIN', [recent]],
      ['@external\ndef __init__(): pass', [old]],
      ['Paid: event({by: address})', ['event Paid(address by)', old]],
      ['Paid: __log__({by: address})', ['event Paid(address by)', old]],
    ];
    for (const [first, expected] of cases) {
      it(`have the type of the compiler by ${JSON.stringify(first)}`, () =>
        assert.deepEqual(abiOf(`${first}\n${declared}`), expected));
    }

    it('in lists, structs and functions, and of the module that asks', () => {
      const types = 'struct Point:\n    x: decimal\n    y: decimal[2]';
      const source =
        'import types\nevent Moved:\n    to: types.Point\n@external\ndef f(a: DynArray[decimal, 3]): pass';
      assert.deepEqual(abiOf(`# @version 0.3.9\n${source}`, { 'types.vy': types }), [
        'event Moved((fixed168x10 x, fixed168x10[2] y) to)',
        'function f(fixed168x10[] a)',
      ]);
      assert.deepEqual(abiOf(source, { 'types.vy': `# pragma version 0.4.0\n${types}` }), [
        'event Moved((int168 x, int168[2] y) to)',
        'function f(fixed168x10[] a)',
        'function f(int168[] a)',
      ]);
    });

    it('have the topic0 that the compiler writes', () => {
      const topicOf = (text: string | undefined) => parseEventSignature(text ?? '').topic0;
      assert.equal(topicOf(old), '0xe82537763b952e3c103a0deee86ad2048ae7e0bfcaf5dff808dfe65d0488b7d3');
      assert.equal(topicOf(recent), '0x3ca13389b468b33f63037a23d7d6570aeadb07e7bc5b735b4f0f7410367fb8b4');
    });

    it('are neither one declaration nor none while the compiler is unknown', () => {
      const facts = parseSource('Pool.vy', declared);
      const linker = createSourceLinker({ get: () => facts, resolve });
      const [contract] = facts.contracts;
      const [item] = contract?.items ?? [];
      assert.ok(item);
      const at = { path: 'Pool.vy', contract };
      assert.equal(linker.formatItem(item, at), undefined);
      assert.deepEqual(
        [old, recent].map((text) => linker.isDeclarationOf(text, item, at)),
        [true, true],
      );
    });
  });

  describe('with modules', () => {
    const module = `event Moved:
    sender: indexed(address)
    amount: uint256
event Unused: pass
@external
def move(amount: uint256):
    self._log(amount)
@external
@view
def owner() -> address: return self
@internal
def _log(amount: uint256):
    log Moved(msg.sender, amount)`;
    const moved = 'event Moved(address indexed sender, uint256 amount)';
    const move = 'function move(uint256 amount)';
    const owner = 'function owner() view returns (address)';
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ['from . import base\ninitializes: base\nexports: base.__interface__', [move, owner, moved]],
      ['import base as b\nexports: (b.move, b.owner)', [move, owner, moved]],
      ['import base\nexports: (\n    base.owner,\n)', [owner, moved]],
      ['import base\nexports: base.move\nexports: base.owner', [move, owner, moved]],
      ['import base\ninitializes: base[other := other]', [moved]],
      ['import base\nuses: base', [moved]],
      ['import base', []],
      ['import base\nexports: base.nothing', [moved]],
      ['import base\nexports: other.__interface__', []],
      ['import middle\nexports: middle.__interface__', [owner, moved]],
      ['import middle\nexports: middle.owner', [owner, moved]],
      ['import base\nexports: base.IOwned', [owner, moved]],
    ];
    const files = {
      'base.vy': `import IOwned\n${module}`,
      'middle.vy': 'import base\nexports: base.owner',
      'IOwned.vyi': '@external\ndef owner() -> address: ...',
    };
    for (const [source, expected] of cases) {
      it(`have what they export by ${JSON.stringify(source)}`, () =>
        assert.deepEqual(abiOf(source, files), expected));
    }

    it('may export each other in a circle, and as many as there are', () => {
      const one = 'import base\nimport Pool\nexports: base.__interface__\nexports: Pool.__interface__';
      assert.deepEqual(abiOf(one, { 'base.vy': `import Pool\nexports: Pool.__interface__\n${module}` }), [
        move,
        owner,
        moved,
      ]);
      const chain = Object.fromEntries(
        Array.from({ length: 40 }, (_, index) => [
          `m${index}.vy`,
          `import m${index + 1} as a\nexports: (a.__interface__, a.__interface__, a.f)\n@external\ndef f${index}(): pass`,
        ]),
      );
      assert.equal(abiOf('import m0\nexports: m0.__interface__', chain).length, 40);
    });
  });

  describe('before 0.2.0', () => {
    it('are calls, with units, and decorators of their own', () => {
      const source = `# An exchange
contract Factory():
    def getExchange(token: address) -> address: constant
units: {share: "a share"}
Bought: event({buyer: indexed(address), eth_sold: indexed(uint256(wei)), tokens: indexed(uint256)})
Noted: event({
    who: indexed(address),
    note: bytes[32],
    text: string[8],
    at: timestamp,
    lasts: timedelta,
    paid: wei_value,
    speed: int128(share / sec),
    rate: decimal(share),
    by: Factory,
})
Bad: event(1)
Worse: event({who address})
owner: public(address)
balances: map(address, uint256(wei))
@public
@payable
def buy(least: uint256, deadline: timestamp) -> uint256(wei):
    log.Bought(msg.sender, msg.value, least)
    return least
@private
def secret(x: uint256):
    pass
@public
@constant
def price() -> (uint256(wei), bool):
    return 1, True`;
      assert.deepEqual(abiOf(source), [
        'event Bought(address indexed buyer, uint256 indexed eth_sold, uint256 indexed tokens)',
        'event Noted(address indexed who, bytes note, string text, uint256 at, uint256 lasts, uint256 paid, int128 speed, fixed168x10 rate, address by)',
        'function owner() view returns (address)',
        'function buy(uint256 least, uint256 deadline) returns (uint256)',
        'function price() view returns (uint256, bool)',
      ]);
      const { uses } = parseSource('Pool.vy', source);
      assert.deepEqual(
        uses.map(({ name, offset, end }) => [name, source.slice(offset, end)]),
        [['Bought', 'log.Bought']],
      );
    });
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
      'function get(address who) view returns (uint256, (uint256 a))',
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
    assert.deepEqual(pick(linkSource('i/IPool.vyi', files), 'name', 'abi'), [
      ['IPool', ['function coins(uint256 i) view returns (address)', 'event E(bool a)']],
    ]);
    assert.equal(facts.contracts[0]?.kind, 'interface');
  });
});
