import assert from 'node:assert/strict';
import { formatAbiItem } from '../../../../../src/core/abi/item.ts';
import {
  createImportResolver,
  linkWithLoading,
  parseAbiItem,
  type SourceFacts,
} from '../../../../../src/core/index.ts';
import { createSourceLinker, linkSource } from '../../../../../src/core/project/source/linkSource.ts';
import { parseSource } from '../../../../support/parseSource.ts';

const resolve = createImportResolver({ remappings: [], libs: ['lib'] });

function filesOf(sources: Readonly<Record<string, string>>) {
  const facts = new Map(Object.entries(sources).map(([path, text]) => [path, parseSource(path, text)]));
  return { get: (path: string) => facts.get(path), resolve };
}

/** The ABI of each contract of `A.sol`, and the names of what is left out. */
function link(sources: Readonly<Record<string, string>>, path = 'A.sol') {
  const leftOut: string[] = [];
  const contracts = linkSource(path, filesOf(sources), ({ name }) => leftOut.push(name));
  return { abi: Object.fromEntries(contracts.map(({ name, abi }) => [name, abi])), leftOut, contracts };
}

const abiOf = (text: string, others: Readonly<Record<string, string>> = {}) =>
  link({ 'A.sol': text, ...others }).abi;

describe('names of a source', () => {
  it('become the types of the ABI', () => {
    const source = `enum Side { BUY } type Id is bytes32; uint constant N = 2; using {add, sub as -} for Id global; struct Leg { Id id; Side[N] sides; }
contract A { struct Key { Leg[] legs; A self; address payable to; }
  event E(Key indexed key, uint[N][] amounts, byte old, function() external f, int last);
  Key internal k = Key({legs: [], to: 0}); function () external g; function h() internal {} receive() external payable {}
  error X(A[0x10], Side side); function f(Key memory key) external returns (Id, bool ok); event Q(Leg) anonymous; }`;
    assert.deepEqual(abiOf(source).A, [
      'event E(((bytes32 id, uint8[2] sides)[] legs, address self, address to) indexed key, uint256[2][] amounts, bytes1 old, function f, int256 last)',
      'error X(address[16], uint8 side)',
      'function f(((bytes32 id, uint8[2] sides)[] legs, address self, address to) key) returns (bytes32, bool ok)',
      'event Q((bytes32 id, uint8[2] sides)) anonymous',
    ]);
  });

  it('that are none of the ABI, or nowhere, leave their item out', () => {
    const source = `contract A { struct M { mapping(uint => uint) m; } struct Empty {} struct Loop { Loop[] next; } uint constant N = N;
  event A1(M m); event A2(Empty e); event A3(Loop l); event A4(uint[N] n); event A5(L l); event A6(uint[0] n); event A7(uint7 n);
  event A8(function() internal f); event A9(A.Nothing n); event Fine(uint256 n); event B1(bytes33 b); event B2(uint[x + 1] u); } library L {}`;
    const { abi, leftOut } = link({ 'A.sol': source });
    assert.deepEqual(abi.A, ['event Fine(uint256 n)']);
    assert.deepEqual(leftOut, ['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7', 'A8', 'A9', 'B1', 'B2']);
  });

  it('that are lengths have the value of their constants', () => {
    const source = `uint constant A1 = 3; uint constant B1 = 2 * A1 - 1; library L { uint constant C1 = 0x10 + B1 + 1; }
contract A { event E(uint[A1] a, uint[B1*2] b, uint[L.C1][] c, uint[1_000] d); event No(uint[A1 - 3] a); event Not(uint[7 / 2] b); event Nor(uint[A1 / 0] c); event Neither(uint[f(1)] c); }`;
    assert.deepEqual(abiOf(source).A, [
      'event E(uint256[3] a, uint256[10] b, uint256[22][] c, uint256[1000] d)',
    ]);
  });

  it('that are lengths are computed as solc 0.8.37 does', () => {
    const source = `contract A { uint constant N = 4; uint constant M = (N + 2) ** 2 / 3 - 1;
  event E1(uint[N*2] a, uint[(N+1)*2] b, uint[M] c, uint[N / 3] d, uint[1 << 3] e, uint[N % 3] f, uint[1e2] g, uint[2 minutes] h);
  event E2(uint[0x10 | 3] b, uint[5 & 6] c, uint[5 ^ 6] d, uint[2**3**2] f); }`;
    assert.deepEqual(abiOf(source).A, [
      'event E1(uint256[8] a, uint256[10] b, uint256[11] c, uint256[1] d, uint256[8] e, uint256[1] f, uint256[100] g, uint256[120] h)',
      'event E2(uint256[19] b, uint256[4] c, uint256[3] d, uint256[512] f)',
    ]);
  });

  it('are looked for in the contract, in what it inherits, in the file, in what that imports', () => {
    const others = {
      'B.sol': 'import "C.sol"; contract Base { struct S { uint8 base; } struct T { S s; } }',
      'C.sol':
        'import "B.sol"; import "A.sol"; struct V { uint24 there; } library Lib { struct S { uint32 lib; } }',
    };
    const source = `import "B.sol"; struct S { uint16 file; } struct U { S s; }
contract A is Base { struct W { S s; } event E(S s, T t, U u, V v, W w, Lib.S l, Base.T b); }
contract Own is Base { struct S { uint40 own; } event E(S s, T t, Base.S b); } contract None { event E(S s); }`;
    assert.deepEqual(abiOf(source, others), {
      A: [
        'event E((uint8 base) s, ((uint8 base) s) t, ((uint16 file) s) u, (uint24 there) v, ((uint8 base) s) w, (uint32 lib) l, ((uint8 base) s) b)',
      ],
      Own: ['event E((uint40 own) s, ((uint8 base) s) t, (uint8 base) b)'],
      None: ['event E((uint16 file) s)'],
    });
  });

  it('are those that an import lets in, by the name that it gives them', () => {
    const others = {
      'lib/x/src/B.sol':
        'import {C as D} from "./C.sol"; import "./C.sol" as Inner; struct B { D d; } struct Hidden { uint a; }',
      'lib/x/src/C.sol': 'struct C { bool c; } contract K { enum Side { BUY } }',
    };
    const source = `import {B as Bee, D, Inner} from "x/B.sol"; import * as X from 'x/B.sol'; import "x/C.sol" as Y;
import {} from "x/C.sol"; import "x\\x2fC.sol"; import "" as Z;
contract A { event E(Bee b, D d, X.B b, X.D d, Y.C c, Y.K.Side s, X.Inner.K k, Inner.K.Side i); event Not1(B b); event Not2(Hidden h); event Not3(C c); event Not4(X x); }`;
    assert.deepEqual(abiOf(source, others).A, [
      'event E((bool c) d) b, (bool c) d, ((bool c) d) b, (bool c) d, (bool c) c, uint8 s, address k, uint8 i)'.replace(
        'E((bool',
        'E(((bool',
      ),
    ]);
  });
});

describe('ABI of a contract in source', () => {
  it('has what functions of libraries and outside of contracts emit and revert with for it', () => {
    const source = `import {far as near} from "B.sol"; import "B.sol" as B;
error Low(); error High(); event Limited(uint256 most); error Unused();
function limit() { emit Limited(1); { deeper(); } } function deeper() pure { revert Low(); } function unused() { revert Unused(); }
library L { event Moved(); event NotMoved(); modifier checked() { if (x) revert High(); _; }
  function move(uint256 by) internal checked { emit Moved(); } function other() internal { emit NotMoved(); } }
contract A { function f() external { limit(); L.move(1); } }
contract Values { using L for uint256; function f(uint256 n) external { (n + 1).move(); near(); B.Lib.call(); } }
contract Assembly { function f() external { assembly { limit() } new Values{salt: 0}(); } }
contract Base { constructor(uint256 n) { } } contract Made is Base { uint256 x = g(); constructor() Base(L.at()) {} }
function g() returns (uint256) { revert High(); }`;
    const others = {
      'B.sol':
        'error Far(); function far() pure { revert Far(); } library Lib { event Called(); function call() internal { emit Called(); } }',
    };
    const abi = abiOf(source, others);
    assert.deepEqual(abi.A, [
      'function f()',
      'event Limited(uint256 most)',
      'event Moved()',
      'error Low()',
      'error High()',
    ]);
    assert.deepEqual(abi.Values, [
      'function f(uint256 n)',
      'event Moved()',
      'error Far()',
      'event Called()',
      'error High()',
    ]);
    assert.deepEqual(abi.Assembly, ['function f()']);
    assert.deepEqual(abi.Made, ['error High()']);
    assert.deepEqual(abi['A.sol'], ['error Unused()']);
  });

  it('has what functions that a type brings along revert with: its members and its operators', () => {
    const others = {
      'Math.sol': `type Fixed is uint256; using {add as +, Lib.half} for Fixed global; using Lib for Fixed; error Sum(); error Half(); error Odd();
function add(Fixed a, Fixed b) pure returns (Fixed) { revert Sum(); }
library Lib { function half(Fixed a) internal pure { revert Half(); } function odd(Fixed a) internal { revert Odd(); } }`,
    };
    const abi = abiOf(
      'import "Math.sol"; contract A { function f(Fixed a) external { a.half(); a.odd(); } } contract B { function f(Fixed a) external { return a + a; } }',
      others,
    );
    assert.deepEqual(abi, {
      A: ['function f(uint256 a)', 'error Half()'],
      B: ['function f(uint256 a)', 'error Sum()'],
    });
  });

  it('has functions of a library, whose selectors have the names of types, and its constants', () => {
    const source = `contract C {} type Id is bytes32; library L { struct S { uint256 a; } enum E { A }
  uint256 public constant MAX = 4; E public constant FIRST = E.A;
  function set(S storage self, uint256[] storage list, E kind, C by, Id id) public returns (E) {}
  function pay(uint256 amount) external {} function inside() internal {}
  function named(S memory inMemory) public {} function mapped(mapping(uint256 => S) storage m) public {} }`;
    const { abi, leftOut } = link({ 'A.sol': source });
    assert.deepEqual(abi.L, [
      'function MAX() view returns (uint256)',
      'function FIRST() view returns (enum L.E)',
      'function set(storage L.S self, storage uint256[] list, enum L.E kind, contract C by, bytes32 id) returns (enum L.E)',
      'function pay(uint256 amount)',
      'function named(struct L.S(uint256 a) inMemory)',
      'function mapped(storage mapping(uint256 => L.S) m)',
    ]);
    assert.deepEqual(leftOut, []);
    const [, , set] = (abi.L ?? []).map((text) => parseAbiItem(text));
    // As solc 0.8.37 lists it among the identifiers of methods.
    assert.equal(set?.signature, 'set(L.S storage,uint256[] storage,L.E,C,bytes32)');
  });

  it('changes the state though the function that it returns only views it', () => {
    const source =
      'contract A { function f() public returns (function (uint) external view returns (bool) g) {} }';
    assert.deepEqual(abiOf(source), { A: ['function f() returns (function g)'] });
  });

  it('has the selectors of solc for each type that functions of libraries take', () => {
    const source = `type Id is uint64; enum FE { A, B } interface I {}
struct FS { uint a; FE e; Id i; address payable p; I c; }
interface Holder { struct In { uint x; } enum HE { A } type HId is bytes3; }
library L {
  struct S { uint a; mapping(uint => uint) m; } struct M { uint a; Holder.In[] k; } enum E { A, B } type Own is address;
  function a(S storage s, uint b) external {} function b(M memory s) public {}
  function c(M[] calldata s, FS[2] memory t) external {}
  function e(mapping(I => mapping(E key => S[] value)) storage m) external {}
  function f(mapping(uint8 => FS)[] storage m) external {}
  function g(E e, FE f, Holder.HE h) external {} function h(I i, I[] calldata j, address payable p) external {}
  function i(Id i, Own o, Holder.HId[3] memory q) external {}
  function j(function(uint, M memory) external returns (E) f) external {}
  function k(uint[] storage s, bytes storage t, string storage u, FS[4] storage v) external {}
  function l(M memory s) external pure returns (M memory, FS storage q) {}
  function m(mapping(bytes => uint) storage x, mapping(uint => Id) storage y) external view {}
  function p(I[] storage x, FS[][3] storage y, function(uint) external[] storage z) external view {}
}`;
    const { abi, leftOut } = link({ 'A.sol': source });
    const functions = (abi.L ?? []).map((text) => parseAbiItem(text) ?? assert.fail(text));
    assert.deepEqual(leftOut, []);
    // As solc 0.8.37 lists the identifiers of its methods.
    assert.deepEqual(
      functions.map((item) => item.kind === 'function' && [item.signature, item.selector.slice(2)]),
      [
        ['a(L.S storage,uint256)', '380e4b06'],
        ['b(L.M)', 'd48bdc6e'],
        ['c(L.M[],FS[2])', '8f16e074'],
        ['e(mapping(I => mapping(L.E => L.S[])) storage)', 'd326bff3'],
        ['f(mapping(uint8 => FS)[] storage)', '22820c93'],
        ['g(L.E,FE,Holder.HE)', 'bf33c016'],
        ['h(I,I[],address)', 'a3aa01ce'],
        ['i(uint64,address,bytes3[3])', '078801b7'],
        ['j(function)', '25b60597'],
        ['k(uint256[] storage,bytes storage,string storage,FS[4] storage)', 'd895065b'],
        ['l(L.M)', 'b5b5e3d5'],
        ['m(mapping(bytes => uint256) storage,mapping(uint256 => Id) storage)', 'b07233ba'],
        ['p(I[] storage,FS[][3] storage,function[] storage)', 'baabe4ec'],
      ],
    );
    assert.deepEqual(functions.map(formatAbiItem), abi.L);
  });

  it('is found whatever its storage begins at', () => {
    const abi = abiOf(
      'contract Base { event E(); } contract A layout at 0xAA + 0x11 is Base {} contract B is Base layout at (2 ** 10 + N) {} contract C layout at 1 {}',
    );
    assert.deepEqual(abi, { Base: ['event E()'], A: ['event E()'], B: ['event E()'], C: [] });
  });

  it('has what it declares, with lines, and what it inherits, without', () => {
    const { contracts } = link({
      'A.sol': `import "B.sol";
contract A is B {
  event Own(); error Same(uint a);
  function f(uint b) public override {}
}`,
      'B.sol': `contract B is I { error Same(uint other); event Two(uint indexed a); event Two(uint a); function f(uint a) public virtual {} }
interface I { event Three(); function g() external; }`,
    });
    assert.deepEqual(contracts, [
      {
        name: 'A',
        source: 'A.sol',
        line: 2,
        abi: [
          ...['event Own()', 'error Same(uint256 a)', 'function f(uint256 b)'],
          ...['event Two(uint256 indexed a)', 'event Two(uint256 a)', 'event Three()', 'function g()'],
        ],
        itemLines: [3, 3, 4, 0, 0, 0, 0],
      },
    ]);
  });

  it('is the same of files that are read anew each time they are asked for', () => {
    const sources: Readonly<Record<string, string>> = {
      'A.sol': 'import "B.sol"; contract A is B { event Own(S s); function f() external { emit Far(); } }',
      'B.sol':
        'contract B { struct S { bool b; } event In(S s); function g() external { emit Far(); } } event Far();',
    };
    const get = (path: string) => {
      const text = sources[path];
      return text === undefined ? undefined : parseSource(path, text);
    };
    assert.deepEqual(linkSource('A.sol', { get, resolve }), linkSource('A.sol', filesOf(sources)));
    assert.deepEqual(linkSource('B.sol', { get, resolve })[0]?.abi, [
      ...['event In((bool b) s)', 'function g()', 'event Far()'],
    ]);
  });

  it('has the events and errors of elsewhere that it emits and reverts with; no functions of libraries', () => {
    const source = `import "B.sol"; event Free(uint a); event Free(bytes a); error Unused(); error Low();
contract A is Mid { function f() external { emit Free(1); emit Lib.Done(); emit Gone(); } }
library Lib { event Done(); function g(uint storage x) external {} }`;
    const others = {
      'B.sol': 'error Far(); contract Mid { function h() internal { require(true, Far()); } }',
    };
    const { abi, contracts } = link({ 'A.sol': source, ...others });
    assert.deepEqual(abi, {
      A: ['function f()', 'event Free(uint256 a)', 'event Free(bytes a)', 'event Done()', 'error Far()'],
      Lib: ['event Done()'],
      'A.sol': ['error Unused()', 'error Low()'],
    });
    const file = contracts.at(-1);
    assert.deepEqual([file?.line, file?.itemLines], [undefined, [1, 1]]);
  });
});

describe('hostile sources', () => {
  it('in circles come to an end', () => {
    const others = {
      'B.sol': 'import "A.sol"; import {X as Y} from "C.sol"; contract B is A, C {}',
      'C.sol': 'import {Y as X} from "B.sol"; import "B.sol" as B; contract C is B.B, C {}',
    };
    const { abi, leftOut } = link({
      'A.sol':
        'import "B.sol"; contract A is B { event E(Y y); event F(Z z); event G(A.B.A.B b); event Fine(B b); }',
      ...others,
    });
    assert.deepEqual(abi.A, ['event Fine(address b)']);
    assert.deepEqual(leftOut, ['E', 'F', 'G']);
  });

  it('whose structs multiply give no declaration that is longer than any may be', () => {
    const structs = Array.from(
      { length: 16 },
      (_, i) => `struct S${i + 1} { S${i} a; S${i} b; S${i} c; }`,
    ).join(' ');
    const events = Array.from({ length: 1_999 }, (_, i) => `event E${i}(S16 s);`).join(' ');
    const { abi, leftOut } = link({
      'A.sol': `struct S0 { uint a; } ${structs} contract A { ${events} event Fine(S3 s); }`,
    });
    assert.equal(abi.A?.length, 1);
    assert.equal(leftOut.length, 1_999);
  });

  it('that import one another are searched within a bound, for all names together', () => {
    const count = 150;
    const all = Array.from({ length: count }, (_, i) => `import "${i}.sol";`).join(' ');
    const events = Array.from({ length: 1_990 }, (_, i) => `event E${i}(Nothing${i} a, Nowhere${i} b);`).join(
      ' ',
    );
    const sources = Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}.sol`, all]));
    const { abi } = link({ ...sources, 'A.sol': `${all} contract A { event First(uint a); ${events} }` });
    assert.deepEqual(abi.A, ['event First(uint256 a)']);
  });
});

describe('hostile contracts', () => {
  it('whose constants multiply cost one look each', () => {
    const constants = Array.from({ length: 15 }, (_, i) => {
      const sum = Array(14).fill(`K${i}`).join('+');
      return `uint constant K${i + 1} = ${sum};`;
    });
    const { abi, leftOut } = link({
      'A.sol': `uint constant K0 = 1; ${constants.join(' ')} contract A { event E(uint[K2] a); event F(uint[K15] a); }`,
    });
    assert.deepEqual([abi.A, leftOut], [['event E(uint256[196] a)'], ['F']]);
  });

  it('that inherit one another have an ABI within a bound, all together', () => {
    const count = 600;
    const all = Array.from(
      { length: count },
      (_, i) =>
        `contract C${i} is C${i + 1}, C${(i * 7) % count} { event E${i}(); function f() public { emit E${i}(); } }`,
    );
    const { contracts } = link({ 'A.sol': all.join('\n') });
    assert.equal(contracts.length, count);
    const items = contracts.flatMap(({ abi }) => abi).length;
    assert.ok(items > count && items <= 100_000, `${items}`);
  });
});

describe('sources that are read when a name leads there', () => {
  const sources: Readonly<Record<string, string>> = {
    'A.sol':
      'import {S} from "./B.sol"; import "./Unused.sol"; contract A { event E(S s); event P(uint a); }',
    'B.sol': 'import "./C.sol"; struct S { T t; }',
    'C.sol': 'struct T { bool b; }',
    'Unused.sol': '',
  };

  async function loaded(name: string, signal?: AbortSignal) {
    const read: string[] = [];
    const facts = parseSource('A.sol', sources['A.sol'] ?? '');
    const [contract] = facts.contracts;
    const item = contract?.items.find((each) => each.name === name) ?? assert.fail(name);
    const text = await linkWithLoading((linker) => linker.formatItem(item, { path: 'A.sol', contract }), {
      resolve,
      signal,
      async read(path): Promise<SourceFacts | undefined> {
        read.push(path);
        const source = sources[path];
        return source === undefined ? undefined : parseSource(path, source);
      },
    });
    return { text, read };
  }

  it('are no more than that', async () => {
    assert.deepEqual(await loaded('P'), { text: 'event P(uint256 a)', read: [] });
    const { text, read } = await loaded('E');
    assert.equal(text, 'event E(((bool b) t) s)');
    assert.deepEqual(read, ['A.sol', 'B.sol', 'C.sol']);
  });

  it('are none once nobody wants the answer any more', async () => {
    await assert.rejects(loaded('E', AbortSignal.abort()), { name: 'AbortError' });
  });
});

describe('emit and revert', () => {
  it('lead to the declarations that they may mean', () => {
    const source =
      'import "B.sol"; contract A is B { event E(uint a); function f() external { emit E(1); revert B.Bad(); emit Bad(); } }';
    const files = filesOf({
      'A.sol': source,
      'B.sol': 'contract B { event E(bool indexed b); error Bad(); }',
    });
    const { uses, contracts } = files.get('A.sol') ?? assert.fail();
    const linker = createSourceLinker(files);
    assert.deepEqual(
      uses.map((use) => linker.formatItems(use, { path: 'A.sol', contract: contracts[0] })),
      [['event E(uint256 a)', 'event E(bool indexed b)'], ['error Bad()'], []],
    );
  });

  it('know what a contract inherits, and what may be in its ABI, with where it is declared', () => {
    const files = filesOf({
      'A.sol': 'import "B.sol"; contract A is B { event Own(); function f() external { emit L.Used(); } }',
      'B.sol': 'library L { event Used(); } contract B { error Bad(); }',
    });
    const linker = createSourceLinker(files);
    const [contract] = files.get('A.sol')?.contracts ?? [];
    assert.ok(contract);
    assert.deepEqual(
      linker.inherited(contract, 'A.sol').map((base) => [base.path, base.contract.name]),
      [['B.sol', 'B']],
    );
    const items = [...linker.itemsOf(contract, 'A.sol')];
    assert.deepEqual(
      items.map(({ item, at }) => [item.name, at.path, at.contract?.name]),
      [
        ['Own', 'A.sol', 'A'],
        ['f', 'A.sol', 'A'],
        ['Bad', 'B.sol', 'B'],
        ['Used', 'B.sol', 'L'],
      ],
    );
  });
});
