import assert from 'node:assert/strict';
import { type Anvil, startAnvil } from '../../../../localnet/chain/anvil.ts';
import { createNodeRpc } from '../../../../localnet/chain/nodeRpc.ts';
import { createTimeSlices } from '../../../../src/core/base/timeSlices.ts';
import { findContractAt } from '../../../../src/core/code/findContract.ts';
import {
  compareBuilds,
  compareCode,
  createChainClient,
  formatMessage,
  type IndexedContract,
  readContractFacts,
  systemClock,
} from '../../../../src/core/index.ts';
import { createBuildReader } from '../../../../src/core/traces/readBuilds.ts';
import { formatStorageSummary } from '../../../../src/features/code/formatStorage.ts';
import { type Compiled, compile, listContracts, toFoundryFiles } from '../../../support/codeProject.ts';
import { memoryProject } from '../../../support/memory.ts';

const PROXY = '0x00000000000000000000000000000000000b0001';
const IMPLEMENTATION = '0x00000000000000000000000000000000000b0002';
const SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
const vault = (name: string, variable: string) => `pragma solidity ^0.8.0; contract ${name} {
  address owner; ${variable} uint256 public fee; function setFee(uint256 a) external { fee = a; } }`;
const SOURCES = {
  'src/VaultV2.sol': vault('VaultV2', ''),
  'src/VaultV3.sol': vault('VaultV3', 'address guardian;'),
  'src/VaultProxy.sol': `pragma solidity ^0.8.0; contract VaultProxy { fallback() external payable { assembly {
    let to := sload(${SLOT}) calldatacopy(0, 0, calldatasize())
    let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0) returndatacopy(0, 0, returndatasize())
    if iszero(ok) { revert(0, returndatasize()) } return(0, returndatasize()) } } }`,
};

describe('the build of deployed code', () => {
  const compiled = compile(SOURCES);
  const contracts = listContracts(compiled);
  let anvil: Anvil;

  before(async () => {
    anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
    const node = createNodeRpc(anvil.url);
    await node.call('anvil_setCode', [PROXY, codeOf('VaultProxy')]);
    await node.call('anvil_setCode', [IMPLEMENTATION, codeOf('VaultV2')]);
    await node.call('anvil_setStorageAt', [PROXY, SLOT, `0x${IMPLEMENTATION.slice(2).padStart(64, '0')}`]);
  });
  after(() => anvil.stop());

  const codeOf = (name: string) =>
    `0x${compiled.contracts[`src/${name}.sol`]?.[name]?.evm.deployedBytecode.object}`;
  const find = (name: string) => contracts.find((one) => one.name === name) ?? assert.fail(name);
  const client = () =>
    createChainClient({ url: anvil.url, fetch: globalThis.fetch as never, clock: systemClock });
  /** As `forge build --extra-output storageLayout` writes them. */
  function listFiles({ hasLayouts = false, without = '' } = {}): Record<string, string> {
    const files = { ...toFoundryFiles(SOURCES, compiled), 'foundry.toml': '[profile.default]\n' } as Record<
      string,
      string
    >;
    for (const { name, artifact, source } of contracts) {
      const { storageLayout } = (source && compiled.contracts[source]?.[name]) || {};
      const path = artifact ?? '';
      if (name === without) delete files[path];
      else if (hasLayouts) files[path] = JSON.stringify({ ...JSON.parse(files[path] ?? ''), storageLayout });
    }
    return files;
  }
  async function rehearse(
    texts: Readonly<Record<string, string>>,
    known: readonly IndexedContract[] = contracts,
  ) {
    const files = memoryProject(texts);
    const contract = find('VaultV3');
    const comparison = await compareCode(
      { address: PROXY, block: 0n, contract },
      { client: client(), chainId: 31337, contracts: known, files, clock: systemClock },
    );
    const local = (await readContractFacts(contract, { files })) ?? assert.fail();
    return { comparison, changes: compareBuilds(local, comparison.deployedBuild, true) };
  }

  it('is the artifact of another contract, and the storage is compared with it', async () => {
    const { comparison, changes } = await rehearse(listFiles({ hasLayouts: true }));
    const { match, implementation, otherBuild, reasons } = comparison;
    assert.deepEqual([match, implementation], ['different', IMPLEMENTATION]);
    assert.deepEqual([otherBuild?.contract, otherBuild?.file], ['VaultV2', 'out/VaultV2.sol/VaultV2.json']);
    assert.match(reasons.map(formatMessage).join(), /The deployed code is that of VaultV2/);
    const found = changes.storage?.map(({ kind, verdict, after }) => `${verdict} ${kind} ${after?.label}`);
    assert.deepEqual(found, ['risk moved fee', 'risk inserted guardian']);
    assert.deepEqual([changes.missing, changes.canForgeAddLayout], [[], false]);
  });

  it('says that variables in namespaces are not in the layouts of solc, so that nothing is called safe', async () => {
    const texts = listFiles({ hasLayouts: true });
    const source = `${texts['src/VaultV3.sol']} /// @custom:storage-location erc7201:vault.main\nstruct Main { uint a; }`;
    const { changes } = await rehearse({ ...texts, 'src/VaultV3.sol': source });
    assert.equal(changes.isStoragePartial, true);
    assert.match(changes.missing.map(formatMessage).join(), /no variables of namespaces \(ERC-7201\)/);
    assert.match(formatStorageSummary([], true, { t: (text: string) => text } as never), /Others may/);
  });

  it('lacks its storage layout, which forge can add', async () => {
    const { changes } = await rehearse(listFiles());
    assert.deepEqual([changes.storage, changes.canForgeAddLayout], [undefined, true]);
    assert.match(
      changes.missing.map(formatMessage).join(),
      /Set `extra_output = \["storageLayout"\]` in foundry\.toml/,
    );
    const { 'foundry.toml': _, ...others } = listFiles();
    const hardhat = await rehearse({ ...others, 'hardhat.config.ts': '' });
    assert.equal(hardhat.changes.canForgeAddLayout, false);
    assert.match(
      hardhat.changes.missing.map(formatMessage).join(),
      /outputSelection: .* of hardhat\.config|in the compiler settings of hardhat\.config/,
    );
  });

  it('is the output of an earlier run of the compiler', async () => {
    const { contracts: output } = compiled as Compiled;
    const texts = listFiles({ hasLayouts: true, without: 'VaultV2' });
    texts['out/build-info/0old.json'] = JSON.stringify({ id: '0old', output: { contracts: output } });
    texts['out/build-info/broken.json'] = '{"output":{"contracts":{"a":';
    const known = contracts.filter(({ name }) => name !== 'VaultV2');
    const { comparison, changes } = await rehearse(texts, known);
    assert.deepEqual(
      [comparison.otherBuild?.file, comparison.otherBuild?.contract],
      ['out/build-info/0old.json', 'VaultV2'],
    );
    assert.equal(changes.storage?.[0]?.verdict, 'risk');
    const without = { ...texts, 'out/build-info/0old.json': '{}' };
    assert.equal((await rehearse(without, known)).comparison.otherBuild, undefined);
  });

  it('is that of the implementation at a proxy, also where a deployment names the proxy', async () => {
    const deployment = { address: PROXY, chainId: '31337', contract: 'VaultProxy', file: 'broadcast/x.json' };
    const index = {
      contracts,
      deploymentsAt: (address: string) => (address === PROXY ? [deployment] : []) as never,
      contractOf: () => find('VaultProxy'),
    };
    const deps = {
      ...{ client: client(), index, chainId: 31337, builds: createBuildReader(memoryProject(listFiles())) },
      slices: createTimeSlices(systemClock),
    };
    const at = await findContractAt({ address: PROXY, block: 0n }, deps);
    assert.deepEqual([at.contract?.name, at.proxy?.name], ['VaultV2', 'VaultProxy']);
    const own = await findContractAt({ address: IMPLEMENTATION, block: 0n }, deps);
    assert.deepEqual([own.contract?.name, own.proxy], ['VaultV2', undefined]);
    const unknown = { ...deps, index: { ...index, contracts: [find('VaultProxy')] } };
    const behind = await findContractAt({ address: PROXY, block: 0n }, unknown);
    assert.deepEqual([behind.contract, behind.proxy?.name], [undefined, 'VaultProxy']);
  });
});
