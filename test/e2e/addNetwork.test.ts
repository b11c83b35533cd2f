import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Locator } from 'playwright-core';
import { createRandom } from '../../localnet/chain/random.ts';
import { NOWHERE } from '../../scripts/support/workbench/testSettings.ts';
import { environment } from './support/environment.ts';
import { useWorkbench } from './support/workbench.ts';

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
  const box = (): Locator => workbench().page.locator('.quick-input-widget');
  const says = (text: string | RegExp): Promise<void> => box().getByText(text).waitFor();
  const back = () => box().getByRole('button', { name: 'Back' }).click();

  async function addUrl(url: string): Promise<void> {
    await workbench().runCommand('Chainside: Add Network…', workbench().question(/URL of a node/));
    await workbench().answer(/URL of a node/, url);
  }

  it('says at the field what is wrong with it, and what to do where nothing answers', async () => {
    await addUrl('ftp://chain.example');
    await says(/Not an http or https address/);
    await workbench().answer(/Not an http/, 'http://user:secret@chain.example');
    await says(/Not an http or https address/);
    await workbench().answer(/Not an http/, '127.0.0.1:4');
    await says(/No node at 127\.0\.0\.1:4\. Start anvil or hardhat node/);
    await workbench().screenshot('add-network-failing');
    await workbench().page.keyboard.press('Escape');
  });

  it('finds out chain, server and symbol of a bare address, and adds and selects it with one key', async () => {
    const { host } = new URL(environment().localnet.anvilUrl);
    await addUrl(host);
    await workbench()
      .quickPickRow('Add and Select')
      .filter({ hasText: /anvil\/v[\d.]+.* · block \d/ })
      .waitFor();
    await workbench()
      .quickPickRow('URL')
      .filter({ hasText: `http://${host}` })
      .waitFor();
    await workbench().quickPickRow('Chain ID').filter({ hasText: '31337' }).waitFor();
    await workbench().quickPickRow('Symbol').filter({ hasText: 'ETH' }).waitFor();
    await workbench().screenshot('add-network');
    await workbench().quickPickRow('Name').click();
    await says('Name of the network');
    await back();
    await workbench().quickPickRow('Name').click();
    await workbench().answer(/Name of the network/, 'Mine');
    await workbench().quickPickRow('Name').filter({ hasText: 'Mine' }).waitFor();
    await workbench().page.keyboard.press('Enter');
    await workbench().openView('Chainside');
    await row(/^Network: Mine, Latest block: [\d,]+.* answers in \d+ ms$/).waitFor();
  });

  it('goes back from what was found to what was typed', async () => {
    const { rpcUrl } = environment().localnet;
    await addUrl(rpcUrl);
    await workbench().quickPickRow('Add and Select').filter({ hasText: 'Blockscout' }).waitFor();
    await back();
    await says(/URL of a node/);
    assert.equal(await box().locator('input.input').inputValue(), rpcUrl);
    await workbench().page.keyboard.press('Escape');
  });

  it('says that a key in a URL is kept as plain text', async () => {
    await addUrl(`${environment().localnet.anvilUrl}/?apikey=Zx81nBq0Lr5tYw93KdPmVa72`);
    await workbench().quickPickRow('The URL seems to hold a key').waitFor();
    await workbench().screenshot('add-network-key');
    await workbench().page.keyboard.press('Escape');
  });

  it('edits a network, and removes it after a question', async () => {
    await workbench().runCommand('Chainside: Edit Network…', workbench().quickPickRow('Mine'));
    await workbench().quickPickRow('Mine').click();
    await workbench().quickPickRow('Symbol').click();
    await workbench().answer(/Symbol of the native token/, 'TST');
    await workbench().quickPickRow('Symbol').filter({ hasText: 'TST' }).waitFor();
    await workbench().quickPickRow('Save').click();
    await row(/^Network: Mine/).waitFor();
    await workbench().runCommand('Chainside: Remove Network…', workbench().quickPickRow('Mine'));
    await workbench().quickPickRow('Mine').click();
    const question = workbench().page.locator('.monaco-dialog-box').filter({ hasText: 'Remove Mine' });
    await question.filter({ hasText: 'It is the active network' }).waitFor();
    await question.getByRole('button', { name: 'Remove' }).click();
    await workbench().page.getByRole('button', { name: 'Use Palm' }).waitFor();
  });

  it('offers the endpoints of foundry.toml, and writes nothing of their URLs', async () => {
    const lost = workbench().quickPickRow('lost');
    await workbench().runCommand('Chainside: Select Network…', lost);
    await lost.filter({ hasText: 'not set in the environment: CHAINSIDE_TEST_UNSET' }).waitFor();
    const found = workbench()
      .quickPickRow('harbour')
      .filter({ hasText: `foundry.toml · ${variable('RPC')}` });
    await found.waitFor();
    await workbench().screenshot('select-network-foundry');
    await found.click();
    await row(/^Network: harbour \(foundry\.toml\), Latest block: [\d,]+/).waitFor();
    await workbench().reloadWindow();
    await workbench().openView('Chainside');
    await row(/^Network: harbour \(foundry\.toml\), Latest block: [\d,]+/).waitFor();
    const { folder, logs } = workbench();
    const written = (await Promise.all([folder, dirname(logs)].map(textOfFiles))).join();
    assert.match(written, /"chainside\.network": "foundry:harbour"/);
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
