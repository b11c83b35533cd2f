import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Anvil, startAnvil } from '../../../localnet/chain/anvil.ts';
import { createNodeRpc } from '../../../localnet/chain/nodeRpc.ts';
import { removeFolder } from '../../../scripts/support/script.ts';
import { compile, toFoundryFiles } from '../../support/codeProject.ts';
import { runCli } from '../../support/runCli.ts';
import { writeFiles } from '../../support/writeFiles.ts';

const VAULT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Vault { uint256 public total; function pay(uint256 a) external { require(a > 5, "small"); total += a; } }
`;
const SAME = 'contract Same { uint256 public x; }';
const SOURCES = { 'src/Vault.sol': VAULT, 'src/A.sol': SAME, 'src/b/B.sol': SAME.replace('x', 'y') };
const ADDRESS = '0x00000000000000000000000000000000000a0001';
const OTHER = '0x00000000000000000000000000000000000a0002';
const CLONE = '0x00000000000000000000000000000000000a0003';
const EMPTY = '0x00000000000000000000000000000000000a0004';

describe('headless code', () => {
  let anvil: Anvil;
  let folder: string;

  before(async () => {
    anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
    folder = await mkdtemp(join(tmpdir(), 'chainside-code-'));
    const local = compile(SOURCES);
    const other = compile({ ...SOURCES, 'src/Vault.sol': VAULT.replace('a > 5', 'a > 6') });
    const files = {
      ...toFoundryFiles(SOURCES, local),
      'foundry.toml': '[profile.default]\n',
      'src/Unbuilt.sol': 'contract Unbuilt {}',
      'deployments/dev/.chainId': '31337',
      'deployments/dev/MyVault.json': JSON.stringify({
        ...{ address: ADDRESS, abi: local.contracts['src/Vault.sol']?.Vault?.abi, contractName: 'Vault' },
      }),
    };
    await writeFiles(folder, files);
    const node = createNodeRpc(anvil.url);
    const codeOf = (compiled: typeof local) =>
      `0x${compiled.contracts['src/Vault.sol']?.Vault?.evm.deployedBytecode.object}`;
    await node.call('anvil_setCode', [ADDRESS, codeOf(local)]);
    await node.call('anvil_setCode', [OTHER, codeOf(other)]);
    const clone = `0x363d3d373d3d3d363d73${ADDRESS.slice(2)}5af43d82803e903d91602b57fd5bf3`;
    await node.call('anvil_setCode', [CLONE, clone]);
  });
  after(async () => {
    await anvil.stop();
    await removeFolder(folder);
  });

  async function run(...args: readonly string[]) {
    const { code, stdout, stderr } = await runCli(['code', ...args, '--dir', folder, '--rpc', anvil.url]);
    return { code, stderr, json: JSON.parse(stdout) };
  }

  it('prints one line, and succeeds with the same code', async () => {
    const { code, json } = await run(ADDRESS, '--contract', 'Vault');
    assert.equal(code, 0);
    assert.deepEqual(json, { address: ADDRESS, contract: 'Vault', match: 'exact', reasons: [], block: '0' });
    const clone = await run(CLONE, '--contract', 'src/Vault.sol:Vault', '--block', 'latest');
    assert.deepEqual([clone.code, clone.json.match, clone.json.implementation], [0, 'exact', ADDRESS]);
  });

  it('fails with a line where the code differs, or there is none', async () => {
    const { code, json, stderr } = await run(OTHER, '--contract', 'Vault');
    assert.deepEqual([code, json.match, json.error], [1, 'different', undefined]);
    assert.equal(json.difference.functions[0].name, 'Vault.pay');
    assert.match(stderr, /Vault at 0x.*: different/);
    const none = await run(EMPTY, '--contract', 'Vault');
    assert.deepEqual([none.code, none.json.match], [1, 'none']);
    for (const [address, expected] of [
      [ADDRESS, 0],
      [OTHER, 1],
      [EMPTY, 1],
    ] as const) {
      const input = JSON.stringify({ address, contract: 'Vault' });
      const args = ['ask', 'compare_code', input, '--dir', folder, '--rpc', anvil.url];
      assert.equal((await runCli(args)).code, expected);
    }
  });

  it('has no result without a reason for agents, where the reason has a text from a file', async () => {
    const input = JSON.stringify({ address: ADDRESS, contract: 'src/Unbuilt.sol:Unbuilt' });
    const { stdout } = await runCli(['ask', 'compare_code', input, '--dir', folder, '--rpc', anvil.url]);
    const { complete, reasons, notes } = JSON.parse(stdout);
    assert.deepEqual([complete, reasons], ['unknown', ['The notes have reasons with texts of others.']]);
    assert.match(notes[0].chainText, /no build of Unbuilt/);
  });

  it('finds the contract by deployment or code', async () => {
    const byCode = await run(CLONE);
    assert.deepEqual([byCode.code, byCode.json.contract], [0, 'Vault']);
    const unknown = await run(OTHER);
    assert.deepEqual([unknown.code, unknown.json.error.field], [2, 'contract']);
  });

  it('says which contracts a name may mean', async () => {
    const { code, json } = await run(ADDRESS, '--contract', 'Same');
    assert.deepEqual([code, json.error.kind], [2, 'badInput']);
    assert.match(
      json.error.message,
      /2 contracts have this name\. Enter one of src\/A\.sol:Same, src\/b\/B\.sol:Same/,
    );
    const wrong = await run(ADDRESS, '--contract', 'Valt');
    assert.match(wrong.json.error.message, /no contract Valt\. Near it are Vault/);
    const named = await run(ADDRESS, '--contract', 'src/A.sol:Same');
    assert.deepEqual([named.code, named.json.match], [1, 'different']);
  });

  it('refuses a block that is not there, and needs a folder', async () => {
    const { json } = await run(ADDRESS, '--contract', 'Vault', '--block', '99');
    assert.equal(json.error.field, 'block');
    const { code, stdout } = await runCli(['code', ADDRESS, '--contract', 'Vault', '--rpc', anvil.url]);
    assert.deepEqual([code, JSON.parse(stdout).error.field], [2, 'dir']);
  });
});
