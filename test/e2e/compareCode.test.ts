import type { Locator } from 'playwright-core';
import { compile, toFoundryFiles } from '../support/codeProject.ts';
import { writeFiles } from '../support/writeFiles.ts';
import { environment, useWorkbench } from './support/workbench.ts';

const PURSE = `0x${'c0d1'.repeat(10)}`;
const OWNER = '5a'.repeat(20);
const SOURCES = {
  'src/Purse.sol': `pragma solidity ^0.8.20;
contract Purse {
    address public immutable owner;

    constructor(address first) {
        owner = first;
    }
}
`,
};

/** Of Foundry and hardhat-deploy, deployed as it was built. */
async function writeProject(folder: string): Promise<void> {
  const { node } = environment().localnet;
  const built = compile(SOURCES);
  const purse = built.contracts['src/Purse.sol']?.Purse;
  if (!purse) throw new Error('The contract was not compiled.');
  const { object, immutableReferences } = purse.evm.deployedBytecode;
  const [places = []] = Object.values(immutableReferences);
  const filled = places.reduce(
    (code, { start }) => `${code.slice(0, 2 * start)}${OWNER.padStart(64, '0')}${code.slice(2 * start + 64)}`,
    object,
  );
  await node.call('anvil_setCode', [PURSE, `0x${filled}`]);
  await node.call('evm_mine', []);
  const receipt = { contractAddress: PURSE, blockNumber: 1, status: 1 };
  await writeFiles(folder, {
    ...toFoundryFiles(SOURCES, built),
    'foundry.toml': '[profile.default]\nsrc = "src"\nout = "out"\n',
    'hardhat.config.js': 'module.exports = {};\n',
    'deployments/harbor/.chainId': '31337',
    'deployments/harbor/Purse.json': JSON.stringify({ address: PURSE, abi: purse.abi, receipt }),
  });
}

describe('deployed code compared with the build', () => {
  const workbench = useWorkbench(() => ({
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

  it('is a verdict over the contract and in the row of a deployment, whose menu compares it', async () => {
    const { page } = workbench();
    await workbench().openFile('src/Purse.sol');
    const lens = page
      .locator('.codelens-decoration')
      .getByRole('button', { name: 'Matches, except immutables' });
    await lens.waitFor();
    await workbench().openView('Chainside');
    const row = (label: RegExp): Locator =>
      page.locator('.part.sidebar').getByRole('treeitem', { name: label }).first();
    await row(/^Purse/).click();
    await row(/Harbor.*Matches, except immutables/).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Compare with Deployed Code…' }).click();
    await workbench().editorLine('owner = 0x5').waitFor();
    await workbench().screenshot('code-immutables');
  });
});
