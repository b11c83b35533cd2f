import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Anvil, startAnvil } from '../../../localnet/chain/anvil.ts';
import { createNodeRpc } from '../../../localnet/chain/nodeRpc.ts';
import { removeFolder } from '../../../scripts/support/script.ts';
import { type CompiledContract, compile, toFoundryFiles } from '../../support/codeProject.ts';
import { runCli } from '../../support/runCli.ts';
import { writeFiles } from '../../support/writeFiles.ts';

const SOURCE = 'src/Vault.sol';
const VAULT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Vault {
  uint256 immutable limit;
  uint256 public total;
  constructor(uint256 l) { limit = l; }
  function pay(uint256 a) external { require(a > 5, "small"); require(a < limit); total += a; }
}
contract Plain { uint256 public total; function pay(uint256 a) external { require(a > 5, "small"); total += a; } }
`;
const SOURCES = { [SOURCE]: VAULT };
const OLD_SOURCES = { [SOURCE]: VAULT.replaceAll('a > 5', 'a > 6') };
const DEPLOYED = '0x00000000000000000000000000000000000b0001';
const IGNITED = '0x00000000000000000000000000000000000b0002';
const IGNITED_BEFORE = '0x00000000000000000000000000000000000b0003';
const BROADCAST = '0x00000000000000000000000000000000000b0004';
const SETTINGS = '0x00000000000000000000000000000000000b0005';
const COMMIT = '1a2b3c4';
const IGNITION = 'ignition/deployments/chain-31337';

/** As Hardhat 3 writes it, with its places of immutable variables. */
const toHardhat3Artifact = (
  { abi, evm: { bytecode, deployedBytecode } }: CompiledContract,
  name: string,
) => ({
  ...{ _format: 'hh3-artifact-1', contractName: name, sourceName: SOURCE, abi },
  ...{ bytecode: `0x${bytecode.object}`, deployedBytecode: `0x${deployedBytecode.object}` },
  ...{ linkReferences: {}, deployedLinkReferences: {} },
  ...{ immutableReferences: deployedBytecode.immutableReferences },
  ...{ inputSourceName: `project/${SOURCE}`, buildInfoId: 'solc-0_8_30-ab12' },
});

describe('headless code of another build', () => {
  let anvil: Anvil;
  let folder: string;

  before(async () => {
    anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
    folder = await mkdtemp(join(tmpdir(), 'chainside-builds-'));
    const local = compile(SOURCES);
    const old = compile(OLD_SOURCES);
    const unoptimized = compile(SOURCES, { optimizer: { enabled: false, runs: 200 } });
    const of = (compiled: typeof local, name: string) =>
      compiled.contracts[SOURCE]?.[name] ?? assert.fail(name);
    const toPlainCode = (compiled: typeof local) => `0x${of(compiled, 'Plain').evm.deployedBytecode.object}`;
    const toHardhatDeploy = (compiled: typeof local, address: string) => {
      const { abi, metadata, evm } = of(compiled, 'Plain');
      return {
        ...{ address, abi, contractName: 'Plain', metadata, bytecode: `0x${evm.bytecode.object}` },
        deployedBytecode: `0x${evm.deployedBytecode.object}`,
      };
    };
    const second = of(old, 'Vault');
    const files: Readonly<Record<string, object | string>> = {
      ...toFoundryFiles(SOURCES, local),
      'foundry.toml': '[profile.default]\n',
      'deployments/dev/.chainId': '31337',
      'deployments/dev/Plain.json': toHardhatDeploy(old, DEPLOYED),
      'deployments/dev/Slow.json': toHardhatDeploy(unoptimized, SETTINGS),
      [`${IGNITION}/deployed_addresses.json`]: {
        'Main#Vault': IGNITED,
        'Main#old': IGNITED_BEFORE,
      },
      [`${IGNITION}/artifacts/Main#Vault.json`]: toHardhat3Artifact(second, 'Vault'),
      // As Hardhat 2 writes it, with a build that has the places.
      [`${IGNITION}/artifacts/Main#old.json`]: {
        ...{ _format: 'hh-sol-artifact-1', contractName: 'Plain', sourceName: SOURCE },
        ...{ abi: second.abi, bytecode: '0x', deployedBytecode: '0x' },
      },
      [`${IGNITION}/artifacts/Main#old.dbg.json`]: {
        ...{ _format: 'hh-sol-dbg-1', buildInfo: '../build-info/cd34.json' },
      },
      [`${IGNITION}/build-info/cd34.json`]: {
        ...{ _format: 'hh-sol-build-info-1', input: { sources: {} }, output: old },
      },
      'broadcast/Deploy.s.sol/31337/run-latest.json': {
        transactions: [{ transactionType: 'CREATE', contractName: 'Plain', contractAddress: BROADCAST }],
        receipts: [{ contractAddress: BROADCAST, status: '0x1', blockNumber: '0x1' }],
        ...{ chain: 31_337, commit: COMMIT },
      },
    };
    const texts = Object.entries(files).map(([path, value]) => [
      path,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    await writeFiles(folder, Object.fromEntries(texts));
    const node = createNodeRpc(anvil.url);
    const { object, immutableReferences } = second.evm.deployedBytecode;
    let filled = object;
    for (const { start } of Object.values(immutableReferences).flat())
      filled = `${filled.slice(0, 2 * start)}${'64'.padStart(64, '0')}${filled.slice(2 * start + 64)}`;
    await node.call('anvil_setCode', [DEPLOYED, toPlainCode(old)]);
    await node.call('anvil_setCode', [SETTINGS, toPlainCode(unoptimized)]);
    await node.call('anvil_setCode', [IGNITED, `0x${filled}`]);
    await node.call('anvil_setCode', [IGNITED_BEFORE, toPlainCode(old)]);
    await node.call('anvil_setCode', [BROADCAST, toPlainCode(old)]);
  });
  after(async () => {
    await anvil.stop();
    await removeFolder(folder);
  });

  async function run(address: string, name: string) {
    const args = ['code', address, '--contract', name, '--dir', folder, '--rpc', anvil.url];
    const { stdout } = await runCli(args);
    return JSON.parse(stdout);
  }

  for (const [what, address, name, match, file] of [
    ['a file of hardhat-deploy', DEPLOYED, 'Plain', 'exact', 'deployments/dev/Plain.json'],
    ['an artifact of Ignition', IGNITED, 'Vault', 'immutables', `${IGNITION}/artifacts/Main#Vault.json`],
    ['the build beside it', IGNITED_BEFORE, 'Plain', 'exact', `${IGNITION}/artifacts/Main#old.json`],
  ] as const)
    it(`is that of ${what}`, async () => {
      const { match: own, otherBuild, reasons } = await run(address, name);
      assert.deepEqual([own, otherBuild], ['different', { file, match }]);
      if (match === 'exact') assert.ok(reasons.includes(`The build in ${file} is the deployed code.`));
    });

  it('proves the settings by a file of hardhat-deploy', async () => {
    const { match, settings, reasons } = await run(SETTINGS, 'Plain');
    assert.equal(match, 'settings');
    assert.deepEqual(settings, [{ name: 'optimizer.enabled', local: 'true', deployed: 'false' }]);
    assert.match(reasons.join(), /deployments\/dev\/Slow\.json has the deployed code/);
  });

  it('names the commit of a broadcast file, which has no build', async () => {
    const { match, otherBuild, reasons } = await run(BROADCAST, 'Plain');
    assert.deepEqual([match, otherBuild], ['different', undefined]);
    const file = 'broadcast/Deploy.s.sol/31337/run-latest.json';
    assert.ok(reasons.includes(`By ${file}, it was deployed from commit ${COMMIT}.`), reasons.join('\n'));
  });
});
