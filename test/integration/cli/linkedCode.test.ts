import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Anvil, startAnvil } from '../../../localnet/chain/anvil.ts';
import { createNodeRpc, type NodeRpc } from '../../../localnet/chain/nodeRpc.ts';
import { removeFolder } from '../../../scripts/support/script.ts';
import { type Compiled, compile, toFoundryFiles } from '../../support/codeProject.ts';
import { runCli } from '../../support/runCli.ts';
import { writeFiles } from '../../support/writeFiles.ts';

const library = (name: string, step: number, body = '') =>
  `library ${name} { function run(uint256 a) public pure returns (uint256) { ${body} return a + ${step}; } }`;
const LINKED = `pragma solidity ^0.8.0;
${library('Deep', 9)}
${library('Lib1', 1, 'a = Deep.run(a);')}
${library('Lib2', 2)}
contract Linked { function run(uint256 a) external pure returns (uint256) { return Lib1.run(a) * Lib2.run(a); } }
`;
/** Contracts with the same code: without metadata, nothing in it names one. */
const TWINS = (name: string) =>
  `pragma solidity ^0.8.0; contract ${name} { uint256 public total; function pay() external { total++; } }`;
const facet = (name: string, functions: readonly string[]) =>
  `contract ${name} { ${functions.map((each) => `function ${each}() external pure returns (uint256) { return ${each.length}; }`).join(' ')} }`;
const DIAMOND = `pragma solidity ^0.8.0;
contract Diamond {
  address[] facets;
  function facetAddresses() external view returns (address[] memory) { return facets; }
  fallback() external payable { address to = facets[0]; assembly { calldatacopy(0, 0, calldatasize()) let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0) returndatacopy(0, 0, returndatasize()) if iszero(ok) { revert(0, returndatasize()) } return(0, returndatasize()) } }
}
${facet('FacetA', ['alpha', 'beta', 'gamma'])}
${facet('FacetB', ['delta', 'epsilon'])}
`;
const SOURCES = {
  'src/Linked.sol': LINKED,
  'src/Alpha.sol': TWINS('AlphaVault'),
  'src/Beta.sol': TWINS('BetaVault'),
  'src/Diamond.sol': DIAMOND,
};
const UNHASHED = { metadata: { bytecodeHash: 'none', appendCBOR: false } };
const at = (digits: string): `0x${string}` => `0x${digits.padStart(40, 'c')}`;
const [MAIN, LIB1, LIB2, DEEP] = [at('1'), at('2'), at('3'), at('4')];
const [FACET_A, FACET_B] = [at('5'), at('6')];

describe('headless code that rests on other code', () => {
  const local = compile(SOURCES, UNHASHED);
  const changed = compile(
    { ...SOURCES, 'src/Diamond.sol': DIAMOND.replace('return 5', 'return 50') },
    UNHASHED,
  );
  let anvil: Anvil;
  let node: NodeRpc;
  let folder: string;

  before(async () => {
    anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
    node = createNodeRpc(anvil.url);
    folder = await mkdtemp(join(tmpdir(), 'chainside-linked-'));
    const check = (expect?: object) =>
      JSON.stringify({
        chainId: 31337,
        code: { contract: 'Linked', address: MAIN },
        ...(expect && { expect }),
      });
    await writeFiles(folder, {
      ...toFoundryFiles(SOURCES, local),
      'foundry.toml': '[profile.default]\n',
      'queries/linked.chainlog.json': check(),
    });
  });
  after(async () => {
    await anvil.stop();
    await removeFolder(folder);
  });

  /** The code of a contract at an address, linked as it lies in its references. */
  function codeOf(
    name: string,
    address: string,
    libraries: Readonly<Record<string, string>> = {},
    of: Compiled = local,
  ) {
    const found = Object.values(of.contracts).flatMap((byName) => byName[name] ?? [])[0] ?? assert.fail(name);
    const { object, linkReferences } = found.evm.deployedBytecode;
    let code = object;
    for (const places of Object.values(linkReferences).flatMap((each) => Object.entries(each))) {
      const [library, ranges] = places;
      for (const { start } of ranges)
        code = code.slice(0, 2 * start) + (libraries[library] ?? MAIN).slice(2) + code.slice(2 * start + 40);
    }
    // A library has its own address in its code.
    return `0x${code.replace(/^730{40}3014/, `73${address.slice(2)}3014`)}`;
  }
  const setCode = (address: string, code: string) => node.call('anvil_setCode', [address, code]);
  async function putLibraries(changes: Readonly<Record<string, string>> = {}) {
    const codes = {
      [LIB1]: codeOf('Lib1', LIB1, { Deep: DEEP }),
      [LIB2]: codeOf('Lib2', LIB2),
      [DEEP]: codeOf('Deep', DEEP),
      [MAIN]: codeOf('Linked', MAIN, { Lib1: LIB1, Lib2: LIB2 }),
      ...changes,
    };
    for (const [address, code] of Object.entries(codes)) await setCode(address, code);
  }
  async function compare(address: string, ...options: readonly string[]) {
    const args = ['code', address, ...options, '--dir', folder, '--rpc', anvil.url];
    const { code, stdout } = await runCli(args);
    return { exit: code, ...JSON.parse(stdout) };
  }
  async function check() {
    const path = join(folder, 'queries/linked.chainlog.json');
    const { code, stdout } = await runCli(['check', path, '--dir', folder, '--rpc', anvil.url]);
    return { exit: code, ...JSON.parse(stdout.split('\n')[0] ?? '') };
  }

  it('is the same where the linked libraries are those of the build', async () => {
    await putLibraries();
    const { exit, match, reasons } = await compare(MAIN, '--contract', 'Linked');
    assert.deepEqual(
      [exit, match, reasons.filter((each: string) => /librar/.test(each))],
      [0, 'immutables', []],
    );
    assert.deepEqual([(await check()).state, (await check()).reasons], ['ok', []]);
  });

  const WRONG: readonly (readonly [
    what: string,
    changes: () => Readonly<Record<string, string>>,
    reason: RegExp,
  ])[] = [
    [
      'swapped addresses',
      () => ({ [MAIN]: codeOf('Linked', MAIN, { Lib1: LIB2, Lib2: LIB1 }) }),
      /^The code of the library Lib1 at 0xc+3 belongs to Lib2\.$/,
    ],
    [
      'other code',
      () => ({ [LIB2]: codeOf('FacetA', LIB2) }),
      /^The code of the library Lib2 at 0xc+3 does not equal its build\.$/,
    ],
    [
      'an address without code',
      () => ({ [LIB1]: '0x' }),
      /^There is no code at 0xc+2, the address of the library Lib1\.$/,
    ],
    [
      'a library that is linked to other code itself',
      () => ({ [DEEP]: codeOf('FacetA', DEEP) }),
      /^The code of the library Deep at 0xc+4 does not equal its build\.$/,
    ],
  ];
  for (const [what, changes, reason] of WRONG) {
    it(`is different with ${what}`, async () => {
      await putLibraries(changes());
      const { exit, match, reasons } = await compare(MAIN, '--contract', 'Linked');
      assert.deepEqual([exit, match], [1, 'different']);
      assert.match(reasons[0], reason);
      const checked = await check();
      assert.deepEqual([checked.exit, checked.state], [1, 'differs']);
      assert.match(checked.reasons.join('\n'), new RegExp(reason.source.slice(1, -1)));
    });
  }

  it('names a library without a build', async () => {
    await putLibraries();
    await rm(join(folder, 'out/Linked.sol/Lib2.json'));
    const { match, reasons } = await compare(MAIN, '--contract', 'Linked');
    assert.equal(match, 'immutables');
    assert.match(
      reasons[0],
      /^The code of the library Lib2 at 0xc+3 is not compared: the project has no build of it\.$/,
    );
    assert.match((await check()).reasons[0], /^The code of the library Lib2 at /);
    await writeFiles(folder, toFoundryFiles(SOURCES, local));
  });

  it('names each contract with the same code', async () => {
    await setCode(MAIN, codeOf('BetaVault', MAIN));
    for (const [options, own, other] of [
      [[], 'AlphaVault', 'src/Beta.sol:BetaVault'],
      [['--contract', 'BetaVault'], 'BetaVault', 'src/Alpha.sol:AlphaVault'],
    ] as const) {
      const { exit, contract, match, equalContracts, reasons } = await compare(MAIN, ...options);
      assert.deepEqual([exit, contract, match, equalContracts], [0, own, 'exact', [other]]);
      assert.ok(reasons.includes(`This is also the code of ${other}.`), reasons.join('\n'));
    }
  });

  async function putDiamond(facets: readonly string[], code: Compiled = local) {
    await setCode(MAIN, codeOf('Diamond', MAIN));
    await setCode(FACET_A, codeOf('FacetA', FACET_A, {}, code));
    await setCode(FACET_B, codeOf('FacetB', FACET_B));
    // The keccak256 of slot 0.
    const first = 0x290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e563n;
    const toWord = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;
    await node.call('anvil_setStorageAt', [MAIN, toWord(0n), toWord(BigInt(facets.length))]);
    for (const [index, address] of facets.entries())
      await node.call('anvil_setStorageAt', [MAIN, toWord(first + BigInt(index)), toWord(BigInt(address))]);
  }

  it('is that of the facet with the functions of the contract', async () => {
    await putDiamond([FACET_A, FACET_B], changed);
    const { exit, match, implementation, difference, reasons } = await compare(MAIN, '--contract', 'FacetA');
    assert.deepEqual([exit, match, implementation], [1, 'different', FACET_A]);
    assert.deepEqual([difference.onlyLocal, difference.onlyDeployed], [[], []]);
    assert.equal(
      reasons[0],
      `${FACET_A} is compared, one of 2 implementations: it has 3 of the 3 functions of FacetA.`,
    );
    const none = await compare(MAIN, '--contract', 'AlphaVault');
    assert.match(none.reasons[0], /^None of the 2 implementations has a function of AlphaVault\./);
  });

  it('is that of one facet where none is named, and says so', async () => {
    await putDiamond([FACET_A, FACET_B]);
    const { exit, contract, match, reasons } = await compare(MAIN);
    assert.deepEqual([exit, contract, match], [0, 'FacetB', 'exact']);
    const oneOf = `${FACET_B} is compared, one of 2 implementations. Name another contract to compare the others.`;
    assert.ok(reasons.includes(oneOf), reasons.join('\n'));
    assert.ok(!(await compare(MAIN, '--contract', 'FacetB')).reasons.includes(oneOf));
  });

  it('cannot be known where facets are not listed', async () => {
    const others = Array.from({ length: 105 }, (_, index) => at(`${1000 + index}`));
    await putDiamond([...others, FACET_A]);
    const { exit, match, reasons } = await compare(MAIN, '--contract', 'FacetA');
    assert.deepEqual([exit, match], [3, 'unknown']);
    assert.equal(reasons[0], 'The diamond has more facets than are listed: the last 6 are not compared.');
    await putDiamond([FACET_A, ...others]);
    assert.equal((await compare(MAIN, '--contract', 'FacetA')).match, 'exact');
    await putDiamond([...others, FACET_A]);
    await rm(join(folder, 'out/Diamond.sol/Diamond.json'));
    const { code, stderr } = await runCli(['code', MAIN, '--dir', folder, '--rpc', anvil.url]);
    assert.equal(code, 2);
    assert.match(
      stderr,
      /None of the listed facets of 0x\w+ is a contract of the project, and 6 more are not listed\./,
    );
    await writeFiles(folder, toFoundryFiles(SOURCES, local));
  });
});
