import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import type { Theme } from '../../scripts/support/workbench/driver.ts';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { gridPanel, says } from './support/panel.ts';
import { useSampleWindow } from './support/sampleProject.ts';

const DOCUMENT = 'payouts.chain.md';

describe('a document with questions', () => {
  const { workbench } = useSampleWindow();
  const onDisk = () => readFile(join(workbench().folder, DOCUMENT), 'utf8');

  async function openAsNotebook(): Promise<void> {
    await workbench().openFile(DOCUMENT);
    await workbench().runCommand('Chainside: Open as Notebook');
    await workbench().page.locator('.notebookOverlay .code-cell-row').first().waitFor();
  }
  /** The page that has the outputs of the notebook. */
  function outputs(): FrameLocator {
    return workbench().page.frameLocator('iframe.webview.ready').first().frameLocator('iframe#active-frame');
  }
  async function answerOf(run: () => Promise<unknown>): Promise<ReturnType<typeof gridPanel<'block'>>> {
    await run();
    return gridPanel<'block'>(outputs(), 'Logs');
  }
  afterEach(() => workbench().closeEditors());

  it('is run as a notebook, and saved as it was', async () => {
    const before = await onDisk();
    await openAsNotebook();
    const { page } = workbench();
    await page.getByRole('button', { name: 'Run All' }).first().click();
    const answer = await answerOf(async () => undefined);
    await says(answer.status.first(), /^Complete · \d+ logs/);
    await says(answer.status.nth(1), /^Complete · \d+ logs/);
    await workbench().screenshot('documents-dark');
    await page.keyboard.press('Control+S');
    assert.equal(await onDisk(), before);
  });
});
