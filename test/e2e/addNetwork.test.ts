import type { Locator } from 'playwright-core';
import { environment } from './support/environment.ts';
import { useWorkbench } from './support/workbench.ts';

describe('Add Network', () => {
  const workbench = useWorkbench();
  const row = (name: string | RegExp): Locator => workbench().page.getByRole('treeitem', { name });
  const field = (): Locator => workbench().page.locator('.quick-input-widget');
  const dialog = (text: string | RegExp): Locator =>
    workbench().page.locator('.monaco-dialog-box').filter({ hasText: text });

  async function describeNetwork(rpcUrl: string, chainId: string, name: string): Promise<void> {
    await workbench().runCommand('Chainside: Add Network…');
    await workbench().quickPickRow('Custom Network…').click();
    await workbench().answer(/JSON-RPC endpoint/, rpcUrl);
    await workbench().answer(/Chain ID/, chainId);
    await workbench().answer(/Name of the network/, name);
    await workbench().answer(/Symbol/, 'TST');
    await workbench().answer(/data API/, '');
    await workbench().answer(/explorer website/, '');
  }

  it('lists public explorers and a custom one', async () => {
    await workbench().runCommand('Chainside: Add Network…');
    await workbench().quickPickRow('Custom Network…').waitFor();
    await workbench().quickPickRow('Gnosis').filter({ hasText: 'chain 100' }).waitFor();
    await workbench().screenshot('add-network');
    await workbench().page.keyboard.press('Escape');
  });

  it('says at the field what is wrong with it', async () => {
    const { keyboard } = workbench().page;
    await workbench().runCommand('Chainside: Add Network…');
    await workbench().quickPickRow('Custom Network…').click();
    await field()
      .getByText(/JSON-RPC endpoint/)
      .waitFor();
    await workbench().fillInput('ftp://chain.example');
    await field()
      .getByText(/must be an http or https address/)
      .waitFor();
    await workbench().fillInput('http://user:secret@chain.example');
    await field()
      .getByText(/without user name or password/)
      .waitFor();
    await workbench().answer(/JSON-RPC endpoint|without user name/, environment().localnet.rpcUrl);
    await field()
      .getByText(/Chain ID/)
      .waitFor();
    await workbench().fillInput('-5');
    await field()
      .getByText(/must be a whole number/)
      .waitFor();
    await keyboard.press('Escape');
  });

  it('tells of another chain id, takes the true one, and saves what it has asked', async () => {
    await describeNetwork(environment().localnet.rpcUrl, '5', 'Mine');
    await dialog('says that its chain ID is 31337, not 5').getByRole('button', { name: 'Use 31337' }).click();
    await workbench()
      .notification(/Mine is saved. Its latest block is [\d,]+/)
      .waitFor();
    await workbench().page.getByRole('button', { name: 'Select It' }).click();
    await workbench().openView('Chainside');
    await row('Network: Mine').waitFor();
    await row('Chain ID: 31337').waitFor();
    await row(/^Health: answers in/).waitFor();
  });

  it('saves nothing unsaid when the endpoint does not answer', async () => {
    await describeNetwork('http://127.0.0.1:4', '77', 'Gone');
    const question = dialog(/not saved yet.*cannot be reached \(ECONNREFUSED\)/);
    await question.waitFor();
    await workbench().screenshot('add-network-failing');
    await question.getByRole('button', { name: 'Save Anyway' }).click();
    await workbench().notification('Gone is saved, unchecked').waitFor();
    await workbench().runCommand('Chainside: Select Network…');
    await workbench().quickPickRow('Gone').filter({ hasText: 'chain 77' }).waitFor();
    await workbench().page.keyboard.press('Escape');
  });
});
