import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { deployProxyKinds, type ProxyKinds } from '../../localnet/chain/proxyKinds.ts';
import { type Localnet, startLocalnet } from '../../localnet/start.ts';
import { actUntil, type Theme, themes } from '../../scripts/support/workbench/driver.ts';
import { shortAddress, toChecksumAddress } from '../../src/core/index.ts';
import { hoverOn } from './support/hover.ts';
import { isReadable } from './support/themeLook.ts';
import { useWorkbench } from './support/workbench.ts';

const short = (address: string) => shortAddress(toChecksumAddress(address as `0x${string}`));

describe('what is at an address', () => {
  let localnet: Localnet;
  let kinds: ProxyKinds;

  before(async () => {
    localnet = await startLocalnet();
    kinds = await deployProxyKinds(localnet.node);
    await localnet.catchUp();
  });
  const workbench = useWorkbench(() => ({
    size: { width: 1280, height: 1000 },
    settings: {
      'chainside.network': 'explorer',
      'chainside.networks': {
        explorer: { name: 'Test Explorer', chainId: 31337, rpcUrl: localnet.rpcUrl, symbol: 'ETH' },
      },
    },
    fillFolder: (folder) =>
      writeFile(
        join(folder, 'Uses.sol'),
        [
          `address proxy = ${toChecksumAddress(kinds.lying)};`,
          `address wallet = ${toChecksumAddress(kinds.delegated)};`,
          `address token = ${toChecksumAddress(kinds.asset)};\n`,
        ].join('\n'),
      ),
  }));
  after(() => localnet?.stop());

  const row = (name: string | RegExp): Locator =>
    workbench().page.getByRole('treeitem', { name }).and(workbench().page.locator('[aria-level]')).first();

  async function lookUp(address: string): Promise<void> {
    const question = /^Address of an account/;
    await workbench().runCommand('Chainside: Look Up Address…', workbench().question(question));
    await workbench().answer(question, address);
  }

  before(() => workbench().openView('Chainside'));

  it('is a token contract in its row, with who created it below', async () => {
    await lookUp(kinds.asset);
    await row(new RegExp(`^${short(kinds.asset)}, HUSD · ERC-20$`)).waitFor();
    await row(/^ERC-20 token contract, Harbor Dollar · HUSD · 6 decimals · supply 1 B$/).waitFor();
    await row(new RegExp(`^Created, block [\\d,]+ · by ${short(kinds.deployer)}$`)).waitFor();
    await workbench().screenshot('identity-token');
  });

  it('is a proxy with its implementation, of which a click tells more, and what is not believed', async () => {
    await lookUp(kinds.lying);
    await row(new RegExp(`^${short(kinds.lying)}, proxy contract$`)).waitFor();
    const implementation = row(new RegExp(`^Implementation, ${short(kinds.logic)} · EIP-1967$`));
    await implementation.waitFor();
    const liar = new RegExp(`^Also named, not believed, ${short(kinds.secondLogic)} · implementation\\(\\)$`);
    await row(liar).waitFor();
    await workbench().screenshot('identity-proxy');
    await actUntil(() => implementation.click(), row(new RegExp(`^${short(kinds.logic)}, contract$`)));
  });

  it('is a delegated account, with whose code it runs', async () => {
    await lookUp(kinds.delegated);
    await row(new RegExp(`^${short(kinds.delegated)}, delegated account`)).waitFor();
    await row(new RegExp(`^Runs the code of, ${short(kinds.logic)} · EIP-7702$`)).waitFor();
    await workbench().screenshot('identity-delegated');
  });

  for (const theme of Object.keys(themes) as Theme[]) {
    it(`can be read in the tree and in a hover in the theme ${theme}`, async () => {
      const { page } = workbench();
      await workbench().setTheme(theme);
      await isReadable(page, theme);
      await workbench().openFile('Uses.sol');
      const proxy = await hoverOn(page, toChecksumAddress(kinds.lying), /Implementation/);
      await proxy.getByRole('link', { name: `${short(kinds.logic)} · EIP-1967` }).waitFor();
      await workbench().screenshot(`identity-hover-${theme}`);
      await page.keyboard.press('Escape');
    });
  }

  it('stands in a hover, of a delegated account as of a token', async () => {
    const { page } = workbench();
    await workbench().openFile('Uses.sol');
    await hoverOn(page, toChecksumAddress(kinds.delegated), /Delegated account[\s\S]*Runs the code of/);
    await workbench().screenshot('identity-hover-delegated');
    await page.keyboard.press('Escape');
    await hoverOn(page, toChecksumAddress(kinds.asset), /ERC-20 token contract[\s\S]*HUSD/);
    await workbench().screenshot('identity-hover-token');
  });
});
