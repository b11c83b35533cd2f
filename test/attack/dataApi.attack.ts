import assert from 'node:assert/strict';
import { actUntil } from '../../scripts/support/workbench/driver.ts';
import { chosen } from './support/campaign.ts';
import { dataApiAttacks, onDataApi } from './support/dataApiBehaviours.ts';
import { setDataApiKey, useHostileEditor } from './support/hostileEditor.ts';

describe('data APIs that mean harm, in the editor', () => {
  const editor = useHostileEditor();
  const workbench = () => editor().workbench;
  before(() => setDataApiKey(editor()));

  const answered = () =>
    workbench().page.getByRole('treeitem', {
      name: / in total|not included|^No tokens|^Some holdings |^Tokens not |^Could not (load|refresh) tokens|(entry is|entries are) not shown/,
    });

  for (const [index, { name, answer }] of chosen(dataApiAttacks).entries()) {
    it(`leave the extension host awake with ${name}`, async () => {
      editor().server.behaviour = onDataApi(answer);
      const holder = `0x${(index + 1).toString(16).padStart(40, 'c')}`;
      const { page } = workbench();
      // So that the rows that come are those of this address alone.
      const focused = page.locator('.pane', { hasText: 'Addresses' }).locator('.monaco-list:focus');
      await actUntil(() => workbench().runCommand('Chainside: Focus on Addresses View'), focused);
      await page.keyboard.press('Control+ArrowLeft');
      await answered().first().waitFor({ state: 'detached' });
      await editor().probe.watch(async () => {
        await workbench().runCommand('Chainside: Look Up Address…');
        await workbench().answer(/^Address of an account/, holder);
        await answered().first().waitFor({ timeout: 60_000 });
      });
      assert.equal(await page.locator('.notification-list-item-message a').count(), 0);
    });
  }
});
