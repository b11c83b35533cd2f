import assert from 'node:assert/strict';
import { compileJson } from '../../../../localnet/chain/solidity.ts';
import { compareStorage } from '../../../../src/core/code/storageChanges.ts';
import { parseStorageLayout, type StorageLayout } from '../../../../src/core/code/storageLayout.ts';

function read(json: unknown): StorageLayout {
  return parseStorageLayout(json) ?? assert.fail('no layout');
}

/** Compiles versions of a contract at once: each source has its own IDs. */
function compile(versions: Readonly<Record<string, string>>): (name: string) => StorageLayout {
  const sources = Object.fromEntries(
    Object.entries(versions).map(([name, body]) => [
      `${name}.sol`,
      { content: `pragma solidity ^0.8.0; ${body}` },
    ]),
  );
  const settings = { outputSelection: { '*': { '*': ['storageLayout'] } } };
  const { contracts } = compileJson<{
    contracts: Record<string, Record<string, { storageLayout: unknown }>>;
  }>({ sources, settings });
  return (name) => read(contracts[`${name}.sol`]?.Vault?.storageLayout);
}

const summarize = (before: StorageLayout, after: StorageLayout) =>
  compareStorage(before, after).map(
    ({ kind, verdict, before: old, after: next }) =>
      `${verdict} ${kind} ${[old?.label, next?.label].filter((label) => label !== undefined).join(' > ')}`,
  );

/** Variables with the name of a gap that hold values. */
const NO_GAPS = [
  'uint256 price_gap',
  'uint256 gap',
  'bytes32 __gap',
  'mapping(uint256 => uint256) __gap',
  'uint256[] __gap',
  'string __gap',
  'Gap __gap',
  'uint64 min_gap_seconds',
  'uint256[2] price_gap',
  'uint128[4] __gap',
  'string[3] __gap',
  'Gap[3] __gap',
] as const;
const BASE = 'address owner; uint256 total; mapping(address => uint256) balances;';
const STRUCT = 'struct S { uint128 a; uint128 b; }';
const layoutOf = compile({
  base: `contract Vault { ${BASE} }`,
  same: `library Shift { struct T { uint a; } } contract Vault { ${BASE} }`,
  appended: `contract Vault { ${BASE} uint256 fee; }`,
  packed: `contract Vault { address owner; bool paused; uint256 total; mapping(address => uint256) balances; }`,
  inserted: `contract Vault { address owner; uint256 fee; uint256 total; mapping(address => uint256) balances; }`,
  retyped: `contract Vault { address owner; int256 total; mapping(address => uint256) balances; }`,
  narrowed: `contract Vault { address owner; uint256 total; mapping(address => uint128) balances; }`,
  renamed: `contract Vault { address admin; uint256 total; mapping(address => uint256) balances; }`,
  contractType: `interface I {} contract Vault { I owner; uint256 total; mapping(address => uint256) balances; }`,
  removed: `contract Vault { address owner; uint256 total; }`,
  removedFirst: `contract Vault { uint256 total; mapping(address => uint256) balances; }`,
  swapped: `contract Vault { uint256 total; address owner; mapping(address => uint256) balances; }`,
  gap: `contract Base { uint256 a; uint256[49] private __gap; } contract Vault is Base { uint256 z; }`,
  gapUsed: `contract Base { uint256 a; uint256 b; uint256[48] private __gap; } contract Vault is Base { uint256 z; }`,
  gapStays: `contract Base { uint256 a; uint256 b; uint256[49] private __gap; } contract Vault is Base { uint256 z; }`,
  gapOfTwo:
    'contract Base { uint256 a; bytes32[9] __Base_gap; uint256[9] ______gap; } contract Vault is Base { uint256 z; }',
  gapOfTwoUsed:
    'contract Base { uint256 a; address b; bytes32[8] __Base_gap; uint256[9] ______gap; } contract Vault is Base { uint256 z; }',
  ...Object.fromEntries(
    NO_GAPS.map((declaration) => [
      declaration,
      `struct Gap { uint256 a; } contract Vault { ${declaration}; }`,
    ]),
  ),
  owner: 'contract Vault { address owner; }',
  struct: `${STRUCT} contract Vault { S one; uint256 z; mapping(uint => S) many; S[] list; }`,
  structMoved: `contract Other { uint q; } ${STRUCT} contract Vault { S one; uint256 z; mapping(uint => S) many; S[] list; }`,
  structOther: `struct S { uint128 a; int128 b; } contract Vault { S one; uint256 z; mapping(uint => S) many; S[] list; }`,
  map: `${STRUCT} contract Vault { mapping(uint => S) many; }`,
  mapGrown: `struct S { uint128 a; uint128 b; uint256 c; } contract Vault { mapping(uint => S) many; }`,
  list: `${STRUCT} contract Vault { S[] many; }`,
  listGrown: `struct S { uint128 a; uint128 b; uint256 c; } contract Vault { S[] many; }`,
  twins:
    'contract A { uint256 private x; } contract B { uint256 private x; } contract Vault is A, B { uint256 z; }',
  twinsSwapped:
    'contract A { uint256 private x; } contract B { uint256 private x; } contract Vault is B, A { uint256 z; }',
  mapAndList:
    'struct S { uint256 a; } struct T { mapping(uint => S) many; S[] list; } contract Vault { T t; }',
  mapAndListGrown:
    'struct S { uint256 a; uint256 b; } struct T { mapping(uint => S) many; S[] list; } contract Vault { T t; }',
  enumOf: 'contract Vault { enum Mode { A, B } Mode mode; }',
  enumOther: 'contract Vault { enum State { B, A } State mode; }',
  enumBy: 'library Modes { enum Mode { A, B } } contract Vault { Modes.Mode mode; }',
  recursive: `struct N { uint a; mapping(uint => N) next; } contract Vault { N root; }`,
  recursiveOther: `struct N { int a; mapping(uint => N) next; } contract Vault { N root; }`,
});

/** From one contract to another, and what changes. */
const CASES: readonly (readonly [before: string, after: string, ...changes: readonly string[]])[] = [
  ['base', 'same'],
  ['struct', 'structMoved'],
  ['recursive', 'recursive'],
  // A contract is stored as its address.
  ['base', 'contractType'],
  // Bytes are used that no variable wrote.
  ['base', 'appended', 'safe appended fee'],
  ['base', 'packed', 'safe appended paused'],
  ['map', 'mapGrown', 'safe extended many > many'],
  // Stored bytes are read as something else.
  ['base', 'inserted', 'risk moved total > total', 'risk inserted fee', 'risk moved balances > balances'],
  ['base', 'retyped', 'risk retyped total > total'],
  ['base', 'narrowed', 'risk retyped balances > balances'],
  ['base', 'swapped', 'risk moved owner > owner', 'risk moved total > total'],
  [
    'base',
    'removedFirst',
    'risk removed owner',
    'risk moved total > total',
    'risk moved balances > balances',
  ],
  ['struct', 'structOther', ...['one', 'many', 'list'].map((name) => `risk retyped ${name} > ${name}`)],
  ['list', 'listGrown', 'risk retyped many > many'],
  // A struct may grow in a mapping, and not in a list of the same variable.
  ['mapAndList', 'mapAndListGrown', 'risk retyped t > t'],
  ['enumOf', 'enumBy'],
  ['enumOf', 'enumOther', 'review retyped mode > mode'],
  ['recursive', 'recursiveOther', 'risk retyped root > root'],
  // Only a name changes or goes.
  ['base', 'renamed', 'review renamed owner > admin'],
  ['base', 'removed', 'review removed balances'],
  // A gap is free space.
  ['gap', 'gapUsed', 'safe appended b', 'safe gap __gap > __gap'],
  ['gapOfTwo', 'gapOfTwoUsed', 'safe appended b', 'safe gap __Base_gap > __Base_gap'],
  ['gap', 'gapStays', 'risk moved z > z', 'review gap __gap > __gap', 'safe appended b'],
];

describe('changes of a storage layout', () => {
  for (const [before, after, ...changes] of CASES) {
    it(`are ${changes.length === 0 ? 'none' : changes.join(', ')} from ${before} to ${after}`, () =>
      assert.deepEqual(summarize(layoutOf(before), layoutOf(after)), changes));
  }

  for (const declaration of NO_GAPS) {
    it(`count ${declaration} as a value, whatever its name is`, () => {
      const [removed, inserted] = summarize(layoutOf(declaration), layoutOf('owner'));
      assert.deepEqual([removed?.slice(0, 13), inserted], ['risk removed ', 'risk inserted owner']);
    });
  }

  const types = { t_uint256: { encoding: 'inplace', label: 'uint256', numberOfBytes: '32' } };
  const at = (label: string, slot: string) => ({
    label,
    slot,
    offset: 0,
    type: 't_uint256',
    contract: 'V',
  });

  it('compares each namespace for itself', () => {
    const root = (1n << 200n).toString();
    const before = read({ storage: [at('a', '0'), at('erc7201:v.main.total', root)], types });
    const after = read({
      storage: [at('erc7201:v.main.total', root), at('erc7201:v.main.fee', ((1n << 200n) + 1n).toString())],
      types,
      namespaces: { 'erc7201:v.more': [at('x', '0')] },
    });
    assert.deepEqual(summarize(before, after), ['review removed a', 'safe appended x', 'safe appended fee']);
  });

  it('takes a variable that goes to a namespace for one that moves', () => {
    const before = read({ storage: [at('paused', '0'), at('total', '1')], types });
    const after = read({
      storage: [at('total', '1')],
      types,
      namespaces: { 'erc7201:v.pausable': [at('paused', '0'), at('more', '1')] },
    });
    assert.deepEqual(summarize(before, after), ['risk moved paused > paused', 'safe appended more']);
  });

  it('reads the layout of Vyper', () => {
    const before = read({ storage_layout: { owner: { type: 'address', slot: 0 } }, code_layout: {} });
    const after = read({
      storage_layout: {
        $: { nonreentrant_key: { type: 'nonreentrant lock', slot: 0, n_slots: 1 } },
        owner: { type: 'address', slot: 1, n_slots: 1 },
      },
    });
    assert.deepEqual(summarize(before, after), [
      'risk moved owner > owner',
      'risk inserted $.nonreentrant_key',
    ]);
  });

  it('is bounded and takes what is broken as missing', () => {
    for (const json of [undefined, null, 5, 'x', [], {}, { storage: 5 }, { storage_layout: [] }]) {
      assert.equal(parseStorageLayout(json), undefined);
    }
    const types = {
      t_a: {
        encoding: 'inplace',
        label: 'struct A',
        numberOfBytes: '32',
        members: Array(2_000).fill({ label: 'm', slot: '0', offset: 0, type: 't_a' }),
      },
      t_b: { encoding: 'inplace', label: '\u202Eb', numberOfBytes: 'x' },
    };
    const storage = Array(5_000).fill({ label: '\u202Ea', slot: '0', offset: 0, type: 't_a' });
    const layout = read({ storage: [...storage, { label: 'b', slot: '-1', type: 't_b' }], types });
    assert.deepEqual([layout.variables.length, layout.isCut], [1_000, true]);
    assert.equal(layout.variables[0]?.label.includes('\u202E'), false);
    assert.deepEqual(compareStorage(layout, layout), []);
  });
});
