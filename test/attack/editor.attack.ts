import assert from 'node:assert/strict';
import { openLogPanel } from '../e2e/support/logPanel.ts';
import { serverAttacks } from './support/behaviours.ts';
import { chosen } from './support/campaign.ts';
import { fileAttacks } from './support/files.ts';
import { useHostileEditor } from './support/hostileEditor.ts';
import { CONTRACT } from './support/hostileServer.ts';

describe('the packaged extension against those who mean harm', () => {
  const editor = useHostileEditor();
  const workbench = () => editor().workbench;

  for (const { name, behaviour, mayBeComplete } of chosen(serverAttacks)) {
    it(`ends a query of all logs, and says how, against ${name}`, async () => {
      const panel = await openLogPanel(workbench());
      await panel.field('Address').fill(CONTRACT);
      editor().server.behaviour = behaviour();
      await editor().probe.watch(async () => {
        await panel.button('Run Query').click();
        const ended = panel.status.filter({ hasText: ENDED }).or(panel.frame.getByRole('alert'));
        const more = panel.button('Load All');
        await ended.or(more).first().waitFor({ timeout: 60_000 });
        if (await more.isVisible()) {
          await more.click();
          await ended.first().waitFor({ timeout: 60_000 });
        }
      });
      const status = (await panel.status.textContent()) ?? '';
      if (!mayBeComplete) assert.doesNotMatch(status, /^Complete\b/);
      assert.deepEqual(await panel.frame.getByRole('link').count(), 0);
    });
  }

  for (const { name, file } of chosen(fileAttacks)) {
    it(`stays awake while a file is open with ${name}`, async () => {
      await editor().probe.watch(async () => {
        await workbench().openFile(file);
        // Watched for so long: the editor asks extensions about a file at moments of its own.
        await workbench().page.waitForTimeout(1500);
        await workbench().runCommand('Show or Focus Hover');
        await workbench().page.waitForTimeout(500);
      });
    });
  }
});

const ENDED = /^(Complete|May be incomplete|Stopped by an error)\b/;
