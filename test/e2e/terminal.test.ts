import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { sendTransactionKinds, type TransactionKinds } from '../../localnet/chain/transactionKinds.ts';
import { actUntil, quickPickRow } from '../../scripts/support/workbench/driver.ts';
import { environment, useWorkbench } from './support/workbench.ts';

const PANIC = `0x4e487b71${'32'.padStart(64, '0')}`;

describe('in a terminal', () => {
  let kinds: TransactionKinds;
  before(async () => {
    const { node, catchUp } = environment().localnet;
    kinds = await sendTransactionKinds(node);
    await catchUp();
  });
  const workbench = useWorkbench(() => ({
    settings: {
      'chainside.network': 'explorer',
      'chainside.networks': {
        explorer: { name: 'Test Explorer', chainId: 31337, rpcUrl: environment().localnet.rpcUrl },
      },
      // Lines of the terminal are text in the page, to be clicked.
      'terminal.integrated.gpuAcceleration': 'off',
      'terminal.integrated.shellIntegration.enabled': false,
    },
  }));

  const output = (text: string) =>
    workbench().page.locator('.xterm-rows > div').filter({ hasText: text }).last();
  /** A container lies over the rows, for which the pointer has to go by place. */
  async function pointOf(row: Locator, right: number) {
    const box = (await row.boundingBox()) ?? assert.fail('The row is not on the screen.');
    return { x: box.x + right, y: box.y + box.height / 2 };
  }
  const tab = (name: string) => workbench().page.getByRole('tab', { name });
  const line = (text: string) => workbench().page.locator('.view-line').filter({ hasText: text }).first();

  it('decodes the selection from the palette, and opens a hash by a click', async () => {
    const { page, runCommand } = workbench();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await runCommand('Terminal: Create New Terminal');
    await page.locator('.xterm-screen').click();
    await output('#').or(output('$')).last().waitFor();
    await page.keyboard.type(`clear; printf 'Hash\\x3a ${kinds.paid}\\n${PANIC}\\n'`);
    await page.keyboard.press('Enter');
    const hash = output(`Hash: ${kinds.paid}`);
    await hash.waitFor();
    const inRevert = await pointOf(output(PANIC), 100);
    await page.mouse.dblclick(inRevert.x, inRevert.y);
    await page.keyboard.press('F1');
    await page.keyboard.type('Chainside: Decode');
    await quickPickRow(page, 'Chainside: Decode Selection').click();
    await tab('Decoded 0x4e48…0032').waitFor();
    await line('Reverted with error Panic').waitFor();
    await workbench().screenshot('terminal-decoded');

    const inHash = await pointOf(hash, 120);
    // The terminal looks for links where the pointer is, and knows them a little later.
    await actUntil(async () => {
      await page.mouse.move(inHash.x, inHash.y);
      await page.keyboard.down('Control');
      await page.mouse.click(inHash.x, inHash.y);
      await page.keyboard.up('Control');
    }, tab('Transaction 0x'));
    await line('Status: Success').waitFor();
    await workbench().screenshot('terminal-transaction');
  });
});
