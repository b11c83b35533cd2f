import assert from 'node:assert/strict';
import { type Anvil, startAnvil } from '../../../../localnet/chain/anvil.ts';
import { createNodeRpc, type NodeRpc } from '../../../../localnet/chain/nodeRpc.ts';
import {
  type CodeComparison,
  compareCode,
  createChainClient,
  formatMessage,
  type IndexedContract,
  systemClock,
} from '../../../../src/core/index.ts';
import {
  type Compiled,
  compile,
  getArtifactPath,
  listContracts,
  toFoundryFiles,
} from '../../../support/codeProject.ts';
import { byTurns } from '../../../support/fullRun.ts';
import { memoryProject } from '../../../support/memory.ts';
import { pick } from '../../../support/pick.ts';

const VAULT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Vault {
  address public immutable owner;
  uint256 immutable limit;
  uint256 public total;
  constructor(address o, uint256 l) { owner = o; limit = l; }
  function pay(uint256 amount) external { require(amount < limit, "limit"); total += amount; }
  function refund(uint256 amount) external { require(amount > 7, "small"); require(msg.sender == owner); total -= amount; }
  function max() external view returns (uint256) { return limit; }
}
contract Plain {
  uint256 public total;
  function pay(uint256 amount) external { require(amount > 1000, "small"); total += amount; }
  function close() external { total = 0; }
}
library Sums { function sum(uint256[] memory a) external pure returns (uint256 s) { for (uint256 i; i < a.length; i++) s += a[i]; }
  function push(uint256[] storage a) external { a.push(1); } }
contract User {
  function one(uint256[] memory a) external pure returns (uint256) { return Sums.sum(a); }
  function two(uint256[] memory a) external pure returns (uint256) { return Sums.sum(a) * 2; }
}
contract Child { uint256 public x = 5; }
contract Other { uint256 public y = 6; }
contract Factory {
  function make() external returns (address) { return address(new Child()); }
  function other() external returns (address) { return address(new Other()); }
}
`;
const SOURCES = { 'src/Vault.sol': VAULT };
/** Without a hash no other settings are proven, which takes long to try. */
const UNHASHED = { metadata: { bytecodeHash: 'none' } };
const OWNER = '0x1111111111111111111111111111111111111111';
const TARGET = '0x00000000000000000000000000000000000a0001';
const IMPLEMENTATION = '0x00000000000000000000000000000000000a0002';
const BEACON = '0x00000000000000000000000000000000000a0003';
const EIP1967 = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
const EIP1967_BEACON = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50';
const toWord = (value: string) => value.replace(/^0x/, '').padStart(64, '0');

describe('deployed code', () => {
  const local = compile(SOURCES);
  const files = toFoundryFiles(SOURCES, local);
  const contracts = listContracts(local, {
    Plain: ['function pay(uint256)', 'function close()', 'function total() view returns (uint256)'],
  });
  let anvil: Anvil;
  let node: NodeRpc;

  before(async () => {
    anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
    node = createNodeRpc(anvil.url);
  });
  after(() => anvil.stop());

  interface Setup {
    readonly codes: Readonly<Record<string, string>>;
    readonly slots?: readonly (readonly [address: string, slot: string, value: string])[];
    readonly files?: Readonly<Record<string, string | undefined>>;
    readonly contract?: Partial<IndexedContract>;
    readonly contracts?: readonly IndexedContract[];
    readonly fetch?: typeof globalThis.fetch;
  }

  /** Puts codes on the node and compares that of TARGET. */
  async function compare(name: string, setup: Setup): Promise<CodeComparison> {
    for (const address of [TARGET, IMPLEMENTATION, BEACON]) {
      await node.call('anvil_setCode', [address, setup.codes[address] ?? '0x']);
      for (const slot of [EIP1967, EIP1967_BEACON])
        await node.call('anvil_setStorageAt', [address, slot, `0x${toWord('')}`]);
    }
    for (const [address, slot, value] of setup.slots ?? [])
      await node.call('anvil_setStorageAt', [address, slot, `0x${toWord(value)}`]);
    const all = setup.contracts ?? contracts;
    const contract = all.find((each) => each.name === name) ?? assert.fail(name);
    const client = createChainClient({
      url: anvil.url,
      fetch: (setup.fetch ?? globalThis.fetch) as never,
      clock: systemClock,
    });
    return compareCode(
      { address: TARGET, block: 0n, contract: { ...contract, ...setup.contract } },
      {
        ...{ client, chainId: 31337, contracts: all, clock: systemClock },
        files: memoryProject({ ...files, ...setup.files }),
      },
    );
  }

  const codeOf = (compiled: Compiled, name: string) =>
    compiled.contracts['src/Vault.sol']?.[name]?.evm.deployedBytecode ?? assert.fail(name);
  const plain = (compiled: Compiled, name: string): string => `0x${codeOf(compiled, name).object}`;
  /** With its immutable variables: the first one is the owner, and the other the limit. */
  function fill(compiled: Compiled, name = 'Vault', values = [OWNER, '0x64']): string {
    const { object, immutableReferences } = codeOf(compiled, name);
    let code = object;
    for (const [index, places] of Object.values(immutableReferences).entries()) {
      for (const { start } of places)
        code = code.slice(0, 2 * start) + toWord(values[index] ?? '') + code.slice(2 * start + 64);
    }
    return `0x${code}`;
  }
  function link(code: string, address: string): string {
    return code.replace(/__\$[0-9a-f]{34}\$__/g, address.slice(2));
  }
  const texts = ({ reasons }: CodeComparison) => reasons.map(formatMessage);
  const changed = (from: string | RegExp, to: string, settings?: object) =>
    compile({ 'src/Vault.sol': VAULT.replace(from, to) }, settings);
  const expectMatch = (result: CodeComparison, match: CodeComparison['match']) =>
    assert.equal(result.match, match, JSON.stringify({ ...result, contract: '', block: '' }));

  const PLAIN = plain(local, 'Plain');
  const CREATION = local.contracts['src/Vault.sol']?.Plain?.evm.bytecode.object;
  const VERDICTS: readonly (readonly [
    what: string,
    match: CodeComparison['match'],
    code: string | undefined,
    setup?: Partial<Setup>,
    reason?: RegExp,
  ])[] = [
    ['none where nothing is deployed', 'none', undefined],
    ['exact with the same metadata hash', 'exact', PLAIN, {}, /^$/],
    [
      'unknown, and told to be compiled again, where a source has changed since the build',
      'unknown',
      PLAIN,
      { files: { 'src/Vault.sol': `${VAULT}// changed` } },
      /^src\/Vault\.sol has changed since the build\. Compile again\.$/,
    ],
    [
      'unknown where the source was deleted since the build',
      'unknown',
      PLAIN,
      { files: { 'src/Vault.sol': undefined, 'foundry.toml': '' } },
      /^src\/Vault\.sol was deleted since the build\. Compile again\.$/,
    ],
    ['unknown for code of another machine', 'unknown', '0xef00010100'],
    ['unknown without a build', 'unknown', PLAIN, { contract: { artifact: undefined } }],
    ['exact for a blueprint of the creation code', 'exact', `0xfe7100${CREATION}`, {}, /blueprint/],
    ['different for a blueprint with more', 'different', `0xfe7100${CREATION}00`],
  ];
  for (const [what, match, code, setup, reason] of VERDICTS) {
    it(`is ${what}`, async () => {
      const result = await compare('Plain', {
        ...setup,
        codes: code === undefined ? {} : { [TARGET]: code },
      });
      expectMatch(result, match);
      assert.equal(result.codeHash === undefined, code === undefined);
      if (reason) assert.match(texts(result).join(), reason);
    });
  }

  it('is exact without a hash, and says that comments are not compared', async () => {
    for (const metadata of [{ bytecodeHash: 'none' }, { appendCBOR: false }]) {
      const built = compile(SOURCES, { metadata });
      const setup = { files: toFoundryFiles(SOURCES, built), codes: { [TARGET]: plain(built, 'Plain') } };
      const result = await compare('Plain', setup);
      assert.equal(result.match, 'exact');
      assert.match(texts(result)[0] ?? '', /comments and names are not compared/);
    }
  });

  it('differs in metadata by a comment, or where one side has none', async () => {
    const comment = changed('// SPDX', '// A comment.\n// SPDX');
    expectMatch(await compare('Plain', { codes: { [TARGET]: plain(comment, 'Plain') } }), 'metadata');
    for (const metadata of [{ bytecodeHash: 'none' }, { appendCBOR: false }]) {
      const other = compile(SOURCES, { metadata });
      expectMatch(await compare('Plain', { codes: { [TARGET]: plain(other, 'Plain') } }), 'metadata');
      const isLocal = { files: toFoundryFiles(SOURCES, other), codes: { [TARGET]: plain(local, 'Plain') } };
      expectMatch(await compare('Plain', isLocal), 'metadata');
    }
  });

  it('lists immutable variables by their names in the source', async () => {
    const result = await compare('Vault', { codes: { [TARGET]: fill(local) } });
    expectMatch(result, 'immutables');
    assert.deepEqual(pick(result.immutables, 'name', 'value'), [
      ['owner', `0x${toWord(OWNER)}`],
      ['limit', `0x${toWord('64')}`],
    ]);
    const comment = changed('// SPDX', '// A comment.\n// SPDX');
    expectMatch(await compare('Vault', { codes: { [TARGET]: fill(comment) } }), 'immutables');
  });

  it('is different where the places of one immutable variable disagree', async () => {
    const code = fill(local);
    const at = code.lastIndexOf(toWord('64'));
    const tampered = code.slice(0, at) + toWord('65') + code.slice(at + 64);
    const result = await compare('Vault', { codes: { [TARGET]: tampered } });
    expectMatch(result, 'different');
    assert.match(texts(result).join(), /different values/);
  });

  it('lists libraries, which must be the same at each place', async () => {
    const code = plain(local, 'User');
    const sums = plain(local, 'Sums').replace(/^0x73.{40}3014/, `0x73${BEACON.slice(2)}3014`);
    const result = await compare('User', { codes: { [TARGET]: link(code, BEACON), [BEACON]: sums } });
    expectMatch(result, 'immutables');
    assert.deepEqual(result.libraries, [{ name: 'Sums', address: BEACON }]);
    const mixed = link(code.replace(/__\$[0-9a-f]{34}\$__/, OWNER.slice(2)), BEACON);
    if (code.split('__$').length > 2)
      expectMatch(await compare('User', { codes: { [TARGET]: mixed } }), 'different');
  });

  it('holds that a library has its own address in its code', async () => {
    for (const settings of [{}, { viaIR: true }]) {
      const built = compile(SOURCES, settings);
      const own = { files: toFoundryFiles(SOURCES, built) };
      const unfilled = fill(built, 'Sums', [TARGET]).replace(/^0x73.{40}3014/, `0x73${TARGET.slice(2)}3014`);
      expectMatch(await compare('Sums', { ...own, codes: { [TARGET]: unfilled } }), 'exact');
      const foreign = unfilled.replaceAll(TARGET.slice(2), OWNER.slice(2));
      expectMatch(await compare('Sums', { ...own, codes: { [TARGET]: foreign } }), 'different');
    }
  });

  const CLONES = {
    'EIP-1167': (to: string) => `0x363d3d373d3d3d363d73${to}5af43d82803e903d91602b57fd5bf3`,
    'Solady with PUSH0': (to: string) => `0x5f5f365f5f37365f73${to}5af43d5f5f3e6029573d5ffd5b3d5ff3`,
    'clone with arguments': (to: string) =>
      `0x3d3d3d3d363d3d37610025603736393661002501 3d73${to}5af43d3d93803e603557fd5bf3aabb0004`.replace(
        ' ',
        '',
      ),
    'EIP-1167 with arguments': (to: string) =>
      `0x363d3d373d3d3d363d73${to}5af43d82803e903d91602b57fd5bf3aabb`,
    'EIP-7702': (to: string) => `0xef0100${to}`,
  };
  for (const [kind, toCode] of Object.entries(CLONES)) {
    it(`is that of the implementation: ${kind}`, async () => {
      const codes = { [TARGET]: toCode(IMPLEMENTATION.slice(2)), [IMPLEMENTATION]: plain(local, 'Plain') };
      const result = await compare('Plain', { codes });
      expectMatch(result, 'exact');
      assert.equal(result.implementation, IMPLEMENTATION);
      assert.equal(
        texts(result).some((text) => text.includes('EIP-7702')),
        kind === 'EIP-7702',
      );
      expectMatch(await compare('Plain', { codes: { [TARGET]: codes[TARGET] ?? '' } }), 'none');
    });
  }

  const PROXY = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Proxy { fallback() external payable { assembly {
  let to := sload(SLOT) if iszero(to) { to := sload(SLOT) }
  calldatacopy(0, 0, calldatasize()) let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
  returndatacopy(0, 0, returndatasize()) if iszero(ok) { revert(0, returndatasize()) } return(0, returndatasize()) } } }
contract Beacon { address public implementation = ADDRESS; }`;
  /** Of a node that returns each slot empty. */
  const fetchWithoutSlots: typeof fetch = async (url, init) => {
    const requests = [JSON.parse(String(init?.body))].flat();
    const isSlot = (id: number) => requests.find((one) => one.id === id).method === 'eth_getStorageAt';
    const response = await fetch(url, init);
    const received = (await response.json()) as { readonly id: number } | readonly { readonly id: number }[];
    const change = (one: { readonly id: number }) => (isSlot(one.id) ? { ...one, result: '0x' } : one);
    return Response.json(Array.isArray(received) ? received.map(change) : change(received as { id: number }));
  };

  it('is that of the implementation of a proxy and of a beacon, unless the contract is the proxy', async () => {
    const sources = { 'src/Proxy.sol': PROXY.replaceAll('SLOT', EIP1967).replace('ADDRESS', 'address(1)') };
    const built = compile(sources);
    const byName = built.contracts['src/Proxy.sol'] ?? {};
    const code = `0x${byName.Proxy?.evm.deployedBytecode.object}`;
    const codes = { [TARGET]: code, [IMPLEMENTATION]: plain(local, 'Plain') };
    const slots = [[TARGET, EIP1967, IMPLEMENTATION]] as const;
    const result = await compare('Plain', { codes, slots });
    assert.deepEqual([result.match, result.implementation], ['exact', IMPLEMENTATION]);
    const all = [...contracts, ...listContracts(built)];
    const own = { contracts: all, files: toFoundryFiles(sources, built) };
    const proxy = await compare('Proxy', { ...own, codes, slots });
    assert.deepEqual([proxy.match, proxy.implementation], ['exact', undefined]);
    // Returns the address of the implementation for any call.
    const beacon = `0x73${IMPLEMENTATION.slice(2)}5f5260205ff3`;
    const beaconSlots = [[TARGET, EIP1967_BEACON, BEACON]] as const;
    const byBeacon = await compare('Plain', { codes: { ...codes, [BEACON]: beacon }, slots: beaconSlots });
    assert.deepEqual([byBeacon.match, byBeacon.implementation], ['exact', IMPLEMENTATION]);
    const withoutSlots = await compare('Plain', { codes, slots, fetch: fetchWithoutSlots });
    assert.equal(withoutSlots.match, 'unknown');
    assert.match(texts(withoutSlots).join(), /did not return the storage slots of 0x/);
    const other = await compare('Vault', { codes: { [TARGET]: PLAIN }, fetch: fetchWithoutSlots });
    assert.equal(other.match, 'different');
  });

  const SETTINGS: readonly (readonly [object, string])[] = [
    [{ optimizer: { enabled: true, runs: 1 } }, 'optimizer.runs 200 1'],
    [{ optimizer: { enabled: true, runs: 7331 } }, 'optimizer.runs 200 7331'],
    [{ optimizer: { enabled: true, runs: 4_294_967_295 } }, 'optimizer.runs 200 4294967295'],
    [{ optimizer: { enabled: false, runs: 200 } }, 'optimizer.enabled true false'],
    [{ evmVersion: 'paris' }, 'evmVersion cancun paris'],
    [{ viaIR: true }, 'viaIR undefined true'],
    [
      { viaIR: true, evmVersion: 'shanghai', optimizer: { enabled: true, runs: 1000 } },
      'evmVersion cancun shanghai,optimizer.runs 200 1000,viaIR undefined true',
    ],
  ];
  for (const [settings, expected] of byTurns(SETTINGS, 4, 2)) {
    it(`proves other settings: ${expected}`, async function () {
      this.timeout(60_000);
      const other = compile(SOURCES, settings);
      const result = await compare('Vault', { codes: { [TARGET]: fill(other) } });
      // Rare code is the same with other settings.
      if (fill(other).length === fill(local).length && result.match === 'immutables') return;
      expectMatch(result, 'settings');
      const found = result.settings.map((each) => `${each.name} ${each.local} ${each.deployed}`);
      assert.equal(found.join(), expected);
    });
  }

  it('is different by one line, and names the function', async () => {
    const other = changed('amount > 1000', 'amount > 1001', UNHASHED);
    const own = { files: toFoundryFiles(SOURCES, compile(SOURCES, UNHASHED)) };
    const result = await compare('Plain', { ...own, codes: { [TARGET]: plain(other, 'Plain') } });
    expectMatch(result, 'different');
    assert.deepEqual(pick(result.difference?.functions, 'name', 'path', 'line'), [
      ['Plain.pay', 'src/Vault.sol', 14],
    ]);
  });

  it('is different by the type of a variable, and names it for its getter', async () => {
    const ratesOf = (type: string) => ({
      'src/Rates.sol': `pragma solidity ^0.8.0;\ncontract Rates {\n  ${type} public rate = 7;\n}`,
    });
    const sources = ratesOf('uint128');
    const [built, other] = [compile(sources, UNHASHED), compile(ratesOf('uint256'), UNHASHED)];
    const own = { contracts: listContracts(built), files: toFoundryFiles(sources, built) };
    const code = `0x${other.contracts['src/Rates.sol']?.Rates?.evm.deployedBytecode.object}`;
    const result = await compare('Rates', { ...own, codes: { [TARGET]: code } });
    assert.deepEqual(pick(result.difference?.functions, 'name', 'path', 'line'), [
      ['rate', 'src/Rates.sol', 3],
    ]);
  });

  it('is different by one selector, and names it', async () => {
    const code = plain(local, 'Plain');
    const selector = '43d726d6';
    assert.ok(code.includes(`63${selector}`));
    const result = await compare('Plain', {
      codes: { [TARGET]: code.replace(`63${selector}`, '6343d726d7') },
    });
    expectMatch(result, 'different');
    assert.deepEqual(result.difference?.onlyLocal, [{ selector: '0x43d726d6', signature: 'close()' }]);
    assert.deepEqual(result.difference?.onlyDeployed, [{ selector: '0x43d726d7', signature: undefined }]);
    assert.match(texts(result).join(), /same metadata, yet the code differs/);
  });

  it('accepts the metadata of a child that is a contract of the build, and nothing else', async () => {
    const comment = changed('// SPDX', '// A comment.\n// SPDX');
    const code = plain(comment, 'Factory');
    const result = await compare('Factory', { codes: { [TARGET]: code } });
    expectMatch(result, 'metadata');
    assert.match(texts(result).join(), /inside of the code differs: 2/);
    // A block that no artifact has.
    const isForeign = contracts.filter(({ name }) => name !== 'Other');
    expectMatch(await compare('Factory', { codes: { [TARGET]: code }, contracts: isForeign }), 'different');
  });

  it('is different where code hides in what looks like metadata', async () => {
    const code = plain(local, 'Plain');
    const block =
      /a2646970667358221220[0-9a-f]{64}64736f6c6343[0-9a-f]{6}0033$/.exec(code)?.[0] ?? assert.fail();
    const body = code.slice(0, -block.length);
    const planted = [
      `${body}6000${block}`,
      `${body}${block}${block}`,
      `${body}a1646970667345600160010133000d`,
      `${body}a2646970667358221220${'5b'.repeat(40)}64736f6c63430008250033`,
      `${body}${block.slice(0, -4)}0034`,
      `${code}00`,
    ];
    for (const each of planted)
      expectMatch(await compare('Plain', { codes: { [TARGET]: each } }), 'different');
  });

  it('is unknown for an artifact of Hardhat without its build, at an immutable variable', async () => {
    const { object } = codeOf(local, 'Vault');
    const artifact = { _format: 'hh-sol-artifact-1', deployedBytecode: `0x${object}`, bytecode: '0x' };
    const own = { files: { [getArtifactPath('src/Vault.sol', 'Vault')]: JSON.stringify(artifact) } };
    const result = await compare('Vault', { ...own, codes: { [TARGET]: fill(local) } });
    expectMatch(result, 'unknown');
    assert.match(texts(result)[0] ?? '', /build info/);
    const code = fill(local);
    const changes = [code.replace('6007', '6008'), `${code}00`, code.slice(0, -2)];
    for (const other of changes) {
      assert.notEqual(other, code);
      expectMatch(await compare('Vault', { ...own, codes: { [TARGET]: other } }), 'different');
    }
    const found = { ...own.files, 'out/Vault.sol/Vault.0.8.json': files['out/Vault.sol/Vault.json'] ?? '' };
    const { match, otherBuild } = await compare('Vault', { files: found, codes: { [TARGET]: code } });
    assert.deepEqual([match, otherBuild?.match], ['unknown', 'immutables']);
  });

  it('is not changed by what a hostile artifact says, but for its own verdict', async function () {
    this.timeout(60_000);
    const code = plain(local, 'Plain');
    const { object } = codeOf(local, 'Plain');
    const other = plain(local, 'Child');
    const all = [{ start: 0, length: 20_000 }];
    const many = Array.from({ length: 300_000 }, (_, start) => ({ start, length: 32 }));
    const hostile = [
      { object: `0x${object}`, immutableReferences: { 1: all } },
      { object: `0x${object}`, linkReferences: { a: { b: [{ start: -5, length: 1e9 }] } } },
      { object: `0x${'00'.repeat(object.length / 2)}`, immutableReferences: { 1: many } },
      { object: `0x${'__$'.repeat(1000)}` },
      { object: 7 },
    ];
    for (const deployedBytecode of hostile) {
      const artifact = JSON.stringify({ deployedBytecode, rawMetadata: '{', metadata: 5, ast: [1], id: -1 });
      const own = { files: { [getArtifactPath('src/Vault.sol', 'Plain')]: artifact } };
      const result = await compare('Plain', { ...own, codes: { [TARGET]: other } });
      assert.ok(['different', 'unknown'].includes(result.match), result.match);
      const beside = await compare('Child', { ...own, codes: { [TARGET]: other } });
      expectMatch(beside, 'exact');
    }
    for (const text of ['', '{', '[]', 'null', '{"deployedBytecode":'.repeat(50_000)]) {
      const own = { files: { [getArtifactPath('src/Vault.sol', 'Plain')]: text } };
      expectMatch(await compare('Plain', { ...own, codes: { [TARGET]: code } }), 'unknown');
    }
  });

  it('names at most one immutable variable or library at a place, and as plain text', async function () {
    this.timeout(60_000);
    const { object, immutableReferences } = codeOf(local, 'Vault');
    const code = fill(local);
    const [[id, places] = assert.fail()] = Object.entries(immutableReferences);
    const copies = Array.from({ length: 20_000 }, (_, index) => [`copy${index}`, places] as const);
    const name = `\u001b[2J[x](command:y)\u202e${'n'.repeat(100_000)}`;
    const nodes = [{ nodes: [{ id: Number(id), name }] }];
    const artifact = {
      ...{ deployedBytecode: { object: `0x${object}` }, rawMetadata: '{}', ast: { nodes }, id: 0 },
    };
    const path = getArtifactPath('src/Vault.sol', 'Vault');
    const toFiles = (references: object, sourceMap: string) => {
      const deployedBytecode = { ...artifact.deployedBytecode, immutableReferences: references, sourceMap };
      return { [path]: JSON.stringify({ ...artifact, deployedBytecode }) };
    };
    const named = toFiles(immutableReferences, '-1:1e999:x;;;:::::\u0000');
    const result = await compare('Vault', { files: named, codes: { [TARGET]: code } });
    expectMatch(result, 'immutables');
    const names = result.immutables.map((each) => each.name ?? '');
    assert.ok(names.some((each) => each.startsWith('<U+001B>[2J')));
    assert.ok(names.every((each) => each.length < 200));
    const references = { ...Object.fromEntries(copies), ...immutableReferences };
    const many = { files: toFiles(references, ''), codes: { [TARGET]: code } };
    const other = await compare('Vault', many);
    assert.ok(['immutables', 'different'].includes(other.match));
    assert.ok(other.immutables.length <= 2);
  });
});
