import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useWorkbench } from './support/workbench.ts';

const TREASURY = '5a'.repeat(20);
const word = (digits: string) => digits.padStart(64, '0');
const TRANSFER = `a9059cbb${word(TREASURY)}${word('30d4')}`;
/** `multicall(bytes[])` with one call, which is filled up to whole words. */
const MULTICALL = `0xac9650d8${word('20')}${word('1')}${word('20')}${word('44')}${TRANSFER.padEnd(192, '0')}`;
const NOT_ENOUGH = `0x08c379a0${word('20')}${word('a')}${Buffer.from('not enough').toString('hex').padEnd(64, '0')}`;

/** As a run of tests prints it. */
const OUTPUT = `Ran 2 tests for test/OrderShop.t.sol:OrderShopTest
[FAIL: custom error 0x29a60c4a: ${word(TREASURY)}${word('7')}] test_pay()
Traces:
  calldata ${MULTICALL}
  reverted ${NOT_ENOUGH}
`;

describe('Hex in a test output', () => {
  const workbench = useWorkbench(() => ({
    fillFolder: async (folder) => {
      await mkdir(join(folder, 'src'));
      await writeFile(join(folder, 'foundry.toml'), '[profile.default]\n');
      const source = 'contract OrderShop {\n    error UnpaidOrder(address payer, uint256 amount);\n}\n';
      await writeFile(join(folder, 'src', 'OrderShop.sol'), source);
      await writeFile(join(folder, 'output.txt'), OUTPUT);
    },
  }));

  it('is decoded under the pointer, and all of it in a document by the keyboard', async () => {
    const { page, openFile, runCommand, setTheme, screenshot } = workbench();
    await openFile('output.txt');
    const hover = page.locator('.monaco-hover:not(.hidden)');
    /** Again until it is there: the editor moves its lines while it is loading. */
    async function hoverOver(hex: string, text: string): Promise<void> {
      const line = page.locator('.view-line').getByText(hex).first();
      for (let shown = false; !shown; ) {
        await page.mouse.move(900, 700);
        const box = await line.boundingBox();
        assert.ok(box);
        await page.mouse.move(box.x + 220, box.y + box.height / 2, { steps: 10 });
        shown = await hover
          .filter({ hasText: text })
          .waitFor({ timeout: 5000 })
          .then(
            () => true,
            () => false,
          );
      }
    }
    for (const theme of ['light', 'dark'] as const) {
      await setTheme(theme);
      await hoverOver('ac9650d8', 'multicall');
      await hover.getByText('12,500').waitFor();
      await screenshot(`decode-hover-${theme}`);
    }
    await hoverOver('29a60c4a', 'UnpaidOrder');
    await hover.getByRole('link', { name: 'OrderShop in src/OrderShop.sol:2' }).waitFor();

    await page.mouse.click(900, 600);
    await runCommand('Select All');
    await runCommand('Chainside: Decode…');
    const answer = page.locator('.editor-instance[aria-label^="Decoded"], .editor-instance').last();
    await page.getByRole('tab', { name: 'Decoded' }).waitFor();
    for (const text of ['UnpaidOrder', 'multicall', 'in data[0]:', 'not enough']) {
      await answer.locator('.view-line').getByText(text).first().waitFor();
    }
    for (const theme of ['dark', 'light'] as const) {
      await setTheme(theme);
      await screenshot(`decode-document-${theme}`);
    }
  });
});
