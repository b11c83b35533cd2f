import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import type { Theme } from '../../scripts/support/workbench/driver.ts';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { accessibilityFindings } from './support/accessibility.ts';
import { logPanelShownBy } from './support/logPanel.ts';
import { gridPanel, waitForFocus, waitForText } from './support/panel.ts';
import { useSampleWindow } from './support/sampleProject.ts';

const DOCUMENT = 'payouts.chain.md';

describe('queries in files', () => {
  const { workbench } = useSampleWindow();
  const lens = (title: string | RegExp): Locator =>
    workbench()
      .page.locator('.editor-group-container.active .codelens-decoration')
      .getByRole('button', { name: title });
  const text = (name: string) => readFile(join(workbench().folder, name), 'utf8');
  afterEach(() => workbench().closeEditors());

  it('run as a notebook, whose rows are filtered, moved in and copied as those of a panel are', async () => {
    const { page } = workbench();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const before = await text(DOCUMENT);
    await workbench().openFile(DOCUMENT);
    await lens('Run Query').first().waitFor();
    await waitUntil('the query is coloured as JSON', async () => {
      const line = page.locator('.view-line').filter({ hasText: '"chainId"' }).first();
      const colours = await line
        .locator('span[class^="mtk"]')
        .evaluateAll((tokens) => new Set(tokens.map(({ className }) => className)).size);
      return colours > 2;
    });
    await workbench().screenshot('document-text');
    await workbench().runCommand('Notifications: Clear All Notifications');
    await workbench().runCommand('Chainside: Open as Notebook');
    await page.getByRole('button', { name: 'Run All' }).first().click();
    // The page has them in the order in which they came, whatever the order of their cells.
    const output = outputs().locator('.cell_container').filter({ hasText: 'Complete · 4 logs' });
    const answer = gridPanel<'block' | 'argument0'>(output, 'Logs');
    await waitForText(answer.status, /^Complete · 4 logs/);
    for (const theme of ['dark', 'light', 'highContrast'] satisfies readonly Theme[]) {
      await workbench().setTheme(theme);
      await workbench().screenshot(`document-${theme}`);
      assert.deepEqual(await accessibilityFindings(outputs(), { shadowOnly: true }), [], theme);
    }

    await output.getByLabel('Filter rows').fill('Bob');
    await output.getByText('2 of 4 match').waitFor();
    await answer.button('Copy as Markdown').click();
    await waitUntil('the rows that are shown are copied', async () => {
      const copied = String(await page.evaluate('navigator.clipboard.readText()'));
      return /^\| Block \|/.test(copied) && copied.trim().split('\n').length === 4;
    });
    await answer.button('More Actions…').click();
    const menu = output.getByRole('menu', { name: 'More Actions…' });
    await menu.getByRole('menuitem', { name: 'Second Opinion…' }).waitFor();
    await workbench().screenshot('document-menu');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await output.getByRole('columnheader', { name: 'Topics' }).waitFor();
    await answer.button('More Actions…').press('ArrowDown');
    await menu.getByRole('menuitemcheckbox', { name: 'Raw Topics and Data', checked: true }).click();
    await answer.cell(0, 'argument0').waitFor();
    await answer.cell(0, 'block').click();
    await page.keyboard.press('ArrowDown');
    await waitForFocus(answer, 1, 'block');
    await page.keyboard.press('Enter');
    const details = output.getByRole('region', { name: /^Details of log/ });
    await details.getByText('Paid').first().waitFor();
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });

    assert.equal(await page.locator('.tab.dirty').count(), 0);
    await workbench().runCommand('File: Save');
    assert.equal(await text(DOCUMENT), before);

    const panel = await logPanelShownBy(workbench(), () => answer.button('Open in Panel').click());
    await waitForText(panel.status, /^(Complete|Partial).* · 4 logs/);
  });

  it('show groups in a document in place of rows, and in the panel that it opens', async () => {
    const { page } = workbench();
    const query = /```chainlog\n(\{[\s\S]*?\})\n```/.exec(await text(DOCUMENT))?.[1] ?? '{}';
    const grouped = JSON.stringify({ ...JSON.parse(query), groupBy: 'event' }, undefined, 2);
    const file = 'grouped.chain.md';
    await writeFile(join(workbench().folder, file), `# Grouped\n\n\`\`\`chainlog\n${grouped}\n\`\`\`\n`);
    await workbench().openFile(file);
    await workbench().runCommand('Chainside: Open as Notebook');
    await page.getByRole('button', { name: 'Run All' }).first().click();
    const groups = gridPanel<'group0' | 'count'>(outputs(), 'Groups');
    await groups.cell(0, 'group0').filter({ hasText: /\w/ }).waitFor();
    await outputs()
      .getByText(/^Counts of (?:all|[\d,]+ of)/)
      .waitFor();
    await workbench().screenshot('document-groups');
    assert.deepEqual(await accessibilityFindings(outputs(), { shadowOnly: true }), []);
    const panel = await logPanelShownBy(workbench(), () => groups.button('Open in Panel').click());
    await panel.field('Group by').waitFor();
  });

  /** The page that has the outputs of the notebook. */
  function outputs(): FrameLocator {
    return workbench().page.frameLocator('iframe.webview.ready').first().frameLocator('iframe#active-frame');
  }
});
