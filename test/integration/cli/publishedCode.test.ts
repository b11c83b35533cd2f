import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Anvil, startAnvil } from '../../../localnet/chain/anvil.ts';
import { createNodeRpc } from '../../../localnet/chain/nodeRpc.ts';
import { removeFolder } from '../../../scripts/support/script.ts';
import { compile } from '../../support/codeProject.ts';
import { runCli } from '../../support/runCli.ts';
import { writeFiles } from '../../support/writeFiles.ts';

const SOURCE = 'contracts/Pair.sol';
const SOURCES = {
  [SOURCE]:
    'pragma solidity ^0.8.0; contract Pair { uint256 public total; function pay(uint256 a) external { total += a; } }',
};
const ADDRESS = '0x00000000000000000000000000000000000e0001';
const OTHER = '0x00000000000000000000000000000000000e0002';

/** The files of a package that hold the code, as tools write them. */
const { abi, metadata, evm } = compile(SOURCES).contracts[SOURCE]?.Pair ?? assert.fail();
const [creation, runtime] = [evm.bytecode.object, evm.deployedBytecode.object];
const combined = { abi, metadata, bin: creation, 'bin-runtime': runtime, 'srcmap-runtime': '' };
const PACKAGES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'combined JSON of solc': {
    'build/Combined-Json.json': {
      contracts: {
        '/home/me/contracts/Pair.sol:Pair': combined,
        '/home/me/contracts/Other.sol:Other': { ...combined, 'bin-runtime': '6000' },
      },
      version: '0.5.16+commit.9c3226ce',
    },
  },
  'combined JSON of solc with the ABI as text': {
    'build/Combined-Json.json': {
      contracts: { [`${SOURCE}:Pair`]: { ...combined, abi: JSON.stringify(abi) } },
    },
  },
  'the standard JSON output of solc': {
    'build/output.json': { contracts: { [SOURCE]: { Pair: { abi, metadata, evm } } } },
  },
  'a build info': {
    'build/info.json': {
      id: 'ab',
      input: {},
      output: { contracts: { [SOURCE]: { Pair: { abi, metadata, evm } } } },
    },
  },
  Waffle: { 'build/Pair.json': { abi, evm, interface: abi, bytecode: creation } },
  Truffle: {
    'build/contracts/Pair.json': {
      ...{ contractName: 'Pair', abi, metadata, bytecode: `0x${creation}`, deployedBytecode: `0x${runtime}` },
      ...{ sourcePath: '/home/me/contracts/Pair.sol', networks: {} },
    },
  },
  'Hardhat, without its build info': {
    'artifacts/contracts/Pair.sol/Pair.json': {
      ...{ _format: 'hh-sol-artifact-1', contractName: 'Pair', sourceName: SOURCE, abi },
      ...{ bytecode: `0x${creation}`, deployedBytecode: `0x${runtime}` },
      ...{ linkReferences: {}, deployedLinkReferences: {} },
    },
  },
  Brownie: {
    'build/contracts/Pair.json': { contractName: 'Pair', abi, bytecode: creation, deployedBytecode: runtime },
  },
  '0x': {
    'artifacts/Pair.json': { schemaVersion: '2.0.0', contractName: 'Pair', compilerOutput: { abi, evm } },
  },
  Remix: {
    'artifacts/Pair.json': {
      deploy: {},
      data: { bytecode: evm.bytecode, deployedBytecode: evm.deployedBytecode },
      abi,
    },
  },
  'Remix, with the metadata': {
    'artifacts/Pair.json': {
      deploy: {},
      data: { bytecode: evm.bytecode, deployedBytecode: evm.deployedBytecode },
      abi,
    },
    'artifacts/Pair_metadata.json': {
      ...{ compiler: { version: '0.8.30' }, language: 'Solidity', output: { abi }, version: 1 },
      ...{ settings: { compilationTarget: { [SOURCE]: 'Pair' } }, sources: {} },
    },
  },
  Ape: {
    'ape-config.yaml': '',
    '.build/manifest.json': {
      manifest: 'ethpm/3',
      contractTypes: { Pair: { contractName: 'Pair', abi, runtimeBytecode: { bytecode: `0x${runtime}` } } },
    },
  },
  'files of solc for each output': {
    'abis/Pair.abi': abi,
    'abis/Pair.bin': creation,
    'abis/Pair.bin-runtime': runtime,
  },
};

describe('headless code of published artifacts', () => {
  let anvil: Anvil;

  before(async () => {
    anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
    const node = createNodeRpc(anvil.url);
    await node.call('anvil_setCode', [ADDRESS, `0x${runtime}`]);
    await node.call('anvil_setCode', [OTHER, `0x${runtime.replace('6080', '6081')}`]);
  });
  after(() => anvil.stop());

  for (const [tool, files] of Object.entries(PACKAGES)) {
    it(`is compared with what a package has: ${tool}`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'chainside-published-'));
      const texts = Object.entries(files).map(([path, value]) => [
        path,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]);
      await writeFiles(folder, Object.fromEntries(texts));
      const run = async (address: string) => {
        const args = ['code', address, '--contract', 'Pair', '--dir', folder, '--rpc', anvil.url];
        const { code, stdout } = await runCli(args);
        const { match, reasons } = JSON.parse(stdout);
        return [code, match, ...(match === 'unknown' ? reasons : [])];
      };
      assert.deepEqual(await run(ADDRESS), [0, 'exact']);
      assert.equal((await run(OTHER))[0], 1);
      await removeFolder(folder);
    });
  }
});
