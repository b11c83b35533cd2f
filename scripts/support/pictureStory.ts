import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { Localnet } from '../../localnet/start.ts';
import { decodePng, encodeApng, type Frame } from './apng.ts';
import { openRewardsQuery } from './demo/startInWorkbench.ts';
import { actUntil, openFile, runCommand } from './workbench/driver.ts';
import type { Settings } from './workbench/server.ts';

interface Story {
  readonly page: Page;
  readonly localnet: Localnet;
  readonly workspace: string;
}

/** A node, which traces; lines of the terminal that are text in the page; nothing in the way. */
export function storySettings({ anvilUrl, chain }: Localnet): Settings {
  const node = { name: 'Local Node', chainId: chain.chainId, rpcUrl: anvilUrl, symbol: 'ETH' };
  return {
    'chainside.networks': { localnet: node },
    'terminal.integrated.gpuAcceleration': 'off',
    'terminal.integrated.shellIntegration.enabled': false,
    'terminal.integrated.fontSize': 13,
    'workbench.panel.defaultLocation': 'bottom',
  };
}

/**
 * A failed transaction in the terminal, the line where it failed, and who got what before: about 12 seconds, as an
 * animated PNG.
 */
export async function filmStory(story: Story): Promise<Buffer> {
  const { page, localnet } = story;
  const frames: Frame[] = [];
  const shoot = async (ms: number) => {
    const png = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    frames.push({ ...decodePng(png), ms });
  };
  await writePayment(story);
  await openFile(page, 'src/Rewards.sol');
  await page
    .locator('.codelens-decoration', { hasText: /\d logs?.*Query…/ })
    .first()
    .waitFor();
  await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
  await runCommand(page, 'Terminal: Create New Terminal');
  const output = (text: string | RegExp) =>
    page.locator('.xterm-rows > div').filter({ hasText: text }).last();
  await page.locator('.xterm-screen').click();
  await output(/[#$]/).waitFor();
  await page.keyboard.type("PS1='$ '; clear\n");
  await output(/^\$\s*$/).waitFor();
  await page.keyboard.type('node script/pay.mjs');
  await output('node script/pay.mjs').waitFor();
  await shoot(1300);
  const failed = output('Failed: 0x');
  await localnet.mineWhile(async () => {
    await page.keyboard.press('Enter');
    await failed.waitFor();
  });
  await shoot(1500);

  const line = (text: string | RegExp) => page.locator('.view-line').filter({ hasText: text }).first();
  const hash = await pointOf(failed, 150);
  await page.keyboard.down('Control');
  await page.mouse.move(hash.x, hash.y);
  await page.waitForTimeout(600);
  await shoot(900);
  await page.keyboard.up('Control');
  await actUntil(
    async () => {
      await page.mouse.move(hash.x, hash.y);
      await page.keyboard.down('Control');
      await page.mouse.click(hash.x, hash.y);
      await page.keyboard.up('Control');
    },
    page.getByRole('tab', { name: /^Transaction 0x/ }),
  );
  await runCommand(page, 'View: Hide Panel');
  const place = line('src/Rewards.sol:21');
  await place.waitFor();
  await shoot(2300);
  await actUntil(
    async () => {
      if (!(await place.isVisible())) return;
      await page.keyboard.down('Control');
      await place.getByText('src/Rewards.sol:21').last().click();
      await page.keyboard.up('Control');
    },
    page.locator('.statusbar-item', { hasText: 'Ln 21,' }),
  );
  await shoot(2000);

  const panel = await openRewardsQuery(page);
  await page.mouse.move(2, 2);
  await shoot(1500);
  await panel.getByRole('button', { name: /^Group/ }).click();
  await panel.getByLabel('Sum', { exact: true }).selectOption('cents');
  await panel.getByText(/Sums of all \d+ logs · \d+ groups/).waitFor();
  await page.mouse.move(2, 2);
  await shoot(2500);
  return encodeApng(frames);
}

/** A container lies over the rows of a terminal, for which the pointer has to go by place. */
async function pointOf(row: Locator, right: number) {
  const box = await row.boundingBox();
  if (!box) throw new Error('The row is not on the screen.');
  return { x: box.x + right, y: box.y + box.height / 2 };
}

/** Writes a program that lets Bob pay himself, which only the treasury may. */
async function writePayment({ localnet, workspace }: Story): Promise<void> {
  const artifact = JSON.parse(await readFile(join(workspace, 'out', 'Rewards.sol', 'Rewards.json'), 'utf8'));
  const broadcast = JSON.parse(
    await readFile(join(workspace, 'broadcast', 'Deploy.s.sol', '31337', 'run-latest.json'), 'utf8'),
  );
  const { contractAddress: to } = broadcast.transactions.find(
    ({ contractName }: { readonly contractName: string }) => contractName === 'Rewards',
  );
  const { bob } = localnet.chain.accounts;
  const selector = artifact.methodIdentifiers['pay(address,uint8,uint256,string)'];
  const note = Buffer.from('bonus').toString('hex');
  const words = [bob.slice(2), '1', (120_000).toString(16), '80', '5'].map((word) => word.padStart(64, '0'));
  const data = `0x${selector}${words.join('')}${note.padEnd(64, '0')}`;
  const transaction = { from: bob, to, data, gas: '0x30d40' };
  await writeFile(
    join(workspace, 'script', 'pay.mjs'),
    `const call = async (method, ...params) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch('${localnet.anvilUrl}', { method: 'POST', headers, body });
  return (await response.json()).result;
};
console.log('Paying Bob 1,200 HUSD …');
const hash = await call('eth_sendTransaction', ${JSON.stringify(transaction)});
let receipt;
while (!(receipt = await call('eth_getTransactionReceipt', hash)));
console.log((receipt.status === '0x1' ? 'Paid: ' : 'Failed: ') + hash);
`,
  );
}
