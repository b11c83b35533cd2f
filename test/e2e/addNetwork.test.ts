import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Locator } from 'playwright-core';
import { createRandom } from '../../localnet/chain/random.ts';
import { NOWHERE } from '../../scripts/support/workbench/testSettings.ts';
import { environment, useWorkbench } from './support/workbench.ts';

/** As a `foundry.toml` writes a variable of the environment. */
const variable = (name: string) => `\${CHAINSIDE_TEST_${name}}`;
/** Names of networks. */
const pickable = ['Alpha', 'Beta', 'Gamma'] as const;
const SECRET = 'kept-in-the-environment-1';

describe('Add Network', () => {
  const workbench = useWorkbench(() => ({
    settings: {
      'chainside.network': 'mainnet',
      'chainside.networks': {
        mainnet: { rpcUrl: NOWHERE },
        ...Object.fromEntries(pickable.map((name) => [name, { name, chainId: 31337, rpcUrl: NOWHERE }])),
      },
    },
    env: { CHAINSIDE_TEST_RPC: `${environment().localnet.anvilUrl}/?key=${SECRET}` },
    fillFolder: (folder) =>
      writeFile(
        join(folder, 'foundry.toml'),
        `[rpc_endpoints]\nharbour = "${variable('RPC')}"\nlost = "https://rpc.example/${variable('UNSET')}"\n`,
      ),
  }));
  const row = (name: string | RegExp): Locator => workbench().page.getByRole('treeitem', { name });

  it('finds out chain, server and symbol of a bare address, and adds and selects it with one key', async () => {
    const { host } = new URL(environment().localnet.anvilUrl);
    await workbench().runCommand('Chainside: Add Network…', workbench().question(/URL of a node/));
    await workbench().answer(/URL of a node/, host);
    const found = (label: string, value: string | RegExp) =>
      workbench().quickPickRow(label).filter({ hasText: value }).waitFor();
    await found('Add and Select', /anvil\/v[\d.]+.* · block \d/);
    await found('URL', `http://${host}`);
    await found('Chain ID', '31337');
    await found('Symbol', 'ETH');
    await workbench().screenshot('add-network');
    await workbench().page.keyboard.press('Enter');
    await workbench().openView('Chainside');
    const name = `Local Node \\(${host}\\)`;
    await row(new RegExp(`^Network: ${name}, Latest block: [\\d,]+.* responds in \\d+ ms$`)).waitFor();
  });

  it('offers the endpoints of foundry.toml, and keeps the choice out of the folder', async () => {
    const lost = workbench().quickPickRow('lost');
    await workbench().runCommand('Chainside: Select Network…', lost);
    await lost.filter({ hasText: 'needs CHAINSIDE_TEST_UNSET in .env' }).waitFor();
    const found = workbench()
      .quickPickRow('harbour')
      .filter({ hasText: `${new URL(environment().localnet.anvilUrl).host} · foundry.toml` });
    await found.waitFor();
    await workbench().screenshot('select-network-foundry');
    await found.click();
    await workbench().page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
    await row(/^Network: harbour, Latest block: [\d,]+/).waitFor();
    await workbench().reloadWindow();
    await workbench().openView('Chainside');
    await row(/^Network: harbour, Latest block: [\d,]+/).waitFor();
    const { folder, logs } = workbench();
    const written = (await Promise.all([folder, dirname(logs)].map(textOfFiles))).join();
    assert.deepEqual(await readdir(folder), ['foundry.toml']);
    assert.ok(!written.includes(SECRET), 'the secret is written');
  });

  /** Picks networks in turn, each within 300 ms after the list was drawn; each is the active one then. */
  async function pickManyBy(
    pick: (drawn: Locator, name: string, pause: () => Promise<void>) => Promise<void>,
  ) {
    const seed = Date.now() % 2 ** 31;
    const random = createRandom(seed);
    const { page } = workbench();
    const status = page.locator('.statusbar-item[id$="chainside.network"]');
    let active = -1;
    for (let count = 1; count <= 10; count++) {
      active = (active + 1 + random.below(pickable.length - 1)) % pickable.length;
      const name = pickable[active] ?? '';
      await status.click();
      const drawn = workbench().quickPickRow(name);
      await drawn.waitFor();
      await pick(drawn, name, () => page.waitForTimeout(random.below(300)));
      const selected = status.filter({ hasText: name }).waitFor({ timeout: 10_000 });
      await selected.catch(() => assert.fail(`Pick ${count} was not ${name}. Seed ${seed}`));
    }
  }

  it('selects the network that is clicked right after the list is drawn', async () => {
    await pickManyBy(async (drawn, _, pause) => {
      const place = await drawn.boundingBox();
      assert.ok(place);
      await pause();
      await workbench().page.mouse.click(place.x + place.width / 4, place.y + place.height / 2);
    });
  });

  it('selects the network that is typed right after the list is drawn', async () => {
    await pickManyBy(async (_, name, pause) => {
      await pause();
      await workbench().page.keyboard.type(name);
      await workbench().page.keyboard.press('Enter');
    });
  });
});

/** All that stands in the files of a folder. */
async function textOfFiles(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8').catch(() => ''));
  return (await Promise.all(texts)).join('\n');
}
