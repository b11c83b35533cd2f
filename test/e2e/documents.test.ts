import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import type { Theme } from '../../scripts/support/workbench/driver.ts';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { questionsInDocument } from '../../src/core/index.ts';
import { accessibilityFindings } from './support/accessibility.ts';
import { logPanelShownBy } from './support/logPanel.ts';
import { focusIsOn, gridPanel, says } from './support/panel.ts';
import { useSampleWindow } from './support/sampleProject.ts';

const DOCUMENT = 'payouts.chain.md';

describe('a document with queries', () => {
  const { workbench } = useSampleWindow();
  const onDisk = () => readFile(join(workbench().folder, DOCUMENT), 'utf8');
  const cells = () => workbench().page.locator('.notebookOverlay .code-cell-row');

  /** The page that has the outputs of the notebook. */
  function outputs(): FrameLocator {
    return workbench().page.frameLocator('iframe.webview.ready').first().frameLocator('iframe#active-frame');
  }
  const lens = () =>
    workbench().page.locator('.codelens-decoration').getByRole('button', { name: 'Run query' });
  /** The editor opens a file again as it was opened last. */
  async function openAsNotebook(name = DOCUMENT): Promise<void> {
    await workbench().openFile(name);
    await cells().or(lens()).first().waitFor();
    if (await lens().first().isVisible()) await workbench().runCommand('Chainside: Open as Notebook');
    await cells().first().waitFor();
  }
  const runAll = () => workbench().page.getByRole('button', { name: 'Run All' }).first().click();
  async function runAsNotebook() {
    await openAsNotebook();
    await runAll();
    const answer = gridPanel<'block' | 'argument0'>(outputs(), 'Logs');
    await says(answer.status.first(), /^Complete · 4 logs/);
    return answer;
  }
  async function save(): Promise<void> {
    await workbench().runCommand('File: Save');
  }
  const tabIsDirty = () => workbench().page.locator('.tab.dirty');

  afterEach(() => workbench().closeEditors());

  it('is run from its text, over each query', async () => {
    await workbench().openFile(DOCUMENT);
    const panel = await logPanelShownBy(workbench(), () => lens().first().click());
    await says(panel.status, /^(Complete|Partial).* · 4 logs/);
  });

  it('is run as a notebook, whose rows are filtered, moved in and copied as those of a panel are', async () => {
    const { page } = workbench();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const before = await onDisk();
    const answer = await runAsNotebook();
    for (const theme of ['dark', 'light', 'highContrast'] satisfies readonly Theme[]) {
      await workbench().setTheme(theme);
      await workbench().screenshot(`document-${theme}`);
      assert.deepEqual(await accessibilityFindings(outputs(), { shadowOnly: true }), [], theme);
    }

    await outputs().getByLabel('Filter rows').first().fill('Bob');
    await outputs().getByText('2 of 4 loaded').waitFor();
    await answer.button('Copy as Markdown').first().click();
    await waitUntil('the rows that are shown are copied', async () => {
      const copied = String(await page.evaluate('navigator.clipboard.readText()'));
      return /^\| Block \|/.test(copied) && copied.trim().split('\n').length === 4;
    });
    await answer.cell(0, 'block').first().click();
    await page.keyboard.press('ArrowDown');
    await focusIsOn(answer, 1, 'block');
    await page.keyboard.press('Enter');
    const details = outputs().getByRole('region', { name: /^Details of log/ });
    await details.getByText('Paid').first().waitFor();
    await workbench().screenshot('document-details');
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });

    assert.equal(await tabIsDirty().count(), 0);
    await save();
    assert.equal(await onDisk(), before);

    const panel = await logPanelShownBy(workbench(), () => answer.button('Open in Panel').first().click());
    await says(panel.status, /^(Complete|Partial).* · 4 logs/);
  });

  it('says of which chain nobody can be asked', async () => {
    const name = 'elsewhere.chain.md';
    await writeFile(join(workbench().folder, name), '```chainlog\n{ "chainId": 5, "event": "Paid" }\n```\n');
    await openAsNotebook(name);
    await runAll();
    await outputs().getByText('No network with the chain id 5 is set up.').waitFor();
  });

  it('keeps, where that is wanted, one line for each complete answer, and nothing else', async () => {
    const before = await onDisk();
    await workbench().updateSettings({ 'chainside.documents.verdicts': true });
    await runAsNotebook();
    const saved = async () =>
      questionsInDocument(await onDisk()).every(({ verdict }) => verdict !== undefined);
    await waitUntil('each query has its verdict on the disk', async () => {
      await save();
      return saved();
    });
    const after = await onDisk();
    assert.deepEqual(
      questionsInDocument(after).map(({ verdict }) => verdict?.count),
      [4, 2],
    );
    assert.equal(after.replace(/^<!-- .*, sha256 [0-9a-f]{64} -->\n/gm, ''), before);
  });
});
