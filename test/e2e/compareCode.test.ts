import type { Locator } from 'playwright-core';
import { compile, getArtifactPath, toFoundryArtifact } from '../support/codeProject.ts';
import { writeFiles } from '../support/writeFiles.ts';
import { showHoverAt } from './support/hover.ts';
import { environment, useWorkbench } from './support/workbench.ts';

const VAULT = `0x${'c0de'.repeat(10)}`;
const PURSE = `0x${'c0d1'.repeat(10)}`;
const OWNER = `0x${'5a'.repeat(20)}`;

const BEFORE = `pragma solidity ^0.8.20;
contract Vault {
    uint256 public total;
    mapping(address => uint256) public balances;

    function pay() external payable {
        total += msg.value;
        balances[msg.sender] += msg.value;
    }

    function withdraw(uint256 amount) external {
        balances[msg.sender] -= amount;
        total -= amount;
    }
}
`;
const AFTER = BEFORE.replace('uint256 public total;', 'address public owner;\n    uint256 public total;')
  .replace('total -= amount;\n', 'total -= amount + 1;\n')
  .replace('external {', 'external returns (bool) {')
  .replace('amount + 1;\n', 'amount + 1;\n        return true;\n');
const PURSE_SOURCE = `pragma solidity ^0.8.20;
contract Purse {
    address public immutable owner;

    constructor(address first) {
        owner = first;
    }
}
`;

/** Deployed by hardhat-deploy with an earlier source; since then, the source has changed. */
async function writeProject(folder: string): Promise<void> {
  const { node } = environment().localnet;
  const sources = { 'src/Vault.sol': AFTER, 'src/Purse.sol': PURSE_SOURCE };
  const now = compile(sources);
  const earlier = compile({ 'src/Vault.sol': BEFORE }, { optimizer: { enabled: true, runs: 999 } });
  const vault = now.contracts['src/Vault.sol']?.Vault;
  const purse = now.contracts['src/Purse.sol']?.Purse;
  const old = earlier.contracts['src/Vault.sol']?.Vault;
  if (!vault || !purse || !old) throw new Error('A contract was not compiled.');
  const { object, immutableReferences } = purse.evm.deployedBytecode;
  const [places = []] = Object.values(immutableReferences);
  const filled = places.reduce(
    (code, { start }) =>
      `${code.slice(0, 2 * start)}${OWNER.slice(2).padStart(64, '0')}${code.slice(2 * start + 64)}`,
    object,
  );
  await node.call('anvil_setCode', [VAULT, `0x${old.evm.deployedBytecode.object}`]);
  await node.call('anvil_setCode', [PURSE, `0x${filled}`]);
  await node.call('evm_mine', []);
  const deployment = (address: string, { abi, metadata, evm, storageLayout }: typeof old) =>
    JSON.stringify({
      ...{ address, abi, metadata, storageLayout },
      bytecode: `0x${evm.bytecode.object}`,
      deployedBytecode: `0x${evm.deployedBytecode.object}`,
      receipt: { contractAddress: address, blockNumber: 1, status: 1 },
    });
  const artifact = (path: string, contract: typeof old) =>
    JSON.stringify({
      ...toFoundryArtifact(contract, now.sources[path]?.id),
      storageLayout: contract.storageLayout,
    });
  const ids = Object.entries(now.sources).map(([path, { id }]) => [id, path]);
  await writeFiles(folder, {
    ...sources,
    'foundry.toml': '[profile.default]\nsrc = "src"\nout = "out"\n',
    'hardhat.config.js': 'module.exports = {};\n',
    'out/build-info/ab12.json': JSON.stringify({ id: 'ab12', source_id_to_path: Object.fromEntries(ids) }),
    [getArtifactPath('src/Vault.sol', 'Vault')]: artifact('src/Vault.sol', vault),
    [getArtifactPath('src/Purse.sol', 'Purse')]: artifact('src/Purse.sol', purse),
    'deployments/harbor/.chainId': '31337',
    'deployments/harbor/Vault.json': deployment(VAULT, old),
    'deployments/harbor/Purse.json': deployment(PURSE, purse),
  });
}

describe('deployed code compared with the build', () => {
  const workbench = useWorkbench(() => ({
    size: { width: 1280, height: 800 },
    settings: {
      'chainside.network': 'harbor',
      'chainside.networks': {
        harbor: {
          ...{ name: 'Harbor', chainId: 31337, symbol: 'ETH' },
          rpcUrl: environment().localnet.anvilUrl,
        },
      },
    },
    fillFolder: writeProject,
  }));

  const lens = (title: string | RegExp): Locator =>
    workbench().page.locator('.codelens-decoration').getByRole('button', { name: title });

  it('is a verdict above the contract, which opens what an upgrade would change', async () => {
    const { page } = workbench();
    await workbench().openFile('src/Vault.sol');
    await lens('Different code').waitFor();
    await showHoverAt(page, 2, 12);
    const hover = page.locator('.monaco-hover:visible').filter({ hasText: 'Different code' });
    await hover.getByText(/In block [\d,]+ on Harbor/).waitFor();
    await workbench().screenshot('code-hover');
    await page.keyboard.press('Escape');
    await lens('Different code').click();
    for (const text of [
      'Do not upgrade to this build',
      'Risk: total moves from slot 0 to slot 1',
      'Vault.withdraw · src/Vault.sol:12',
      'Changed: function withdraw(uint256 amount) returns (bool)',
    ]) {
      await workbench().editorLine(text).waitFor();
    }
    for (const theme of ['dark', 'light'] as const) {
      await workbench().setTheme(theme);
      await workbench().screenshot(`code-document-${theme}`);
    }
    await workbench().closeEditors();
  });

  it('is a verdict in the row of a deployment, whose menu compares it', async () => {
    const { page } = workbench();
    await workbench().openFile('src/Purse.sol');
    await lens('Same but immutables').waitFor();
    await workbench().openView('Chainside');
    const row = (label: string | RegExp) =>
      page.locator('.part.sidebar').getByRole('treeitem', { name: label }).first();
    await row(/^Purse/).click();
    await row(/Harbor.*Same but immutables/).waitFor();
    await workbench().screenshot('code-row');
    await row(/Harbor.*Same but immutables/).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Compare with Deployed Code…' }).waitFor();
    await workbench().screenshot('code-menu');
    await page.getByRole('menuitem', { name: 'Compare with Deployed Code…' }).click();
    await workbench().editorLine('owner = 0x5').waitFor();
    await workbench().screenshot('code-immutables');
  });
});
