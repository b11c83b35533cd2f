import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import * as driver from '../../scripts/support/workbench/driver.ts';
import { type Theme, themes } from '../../scripts/support/workbench/driver.ts';
import { saveAs } from '../../scripts/support/workbench/saveDialog.ts';
import { logPanelShownBy } from './support/logPanel.ts';
import { says } from './support/panel.ts';
import { useSampleWindow } from './support/sampleProject.ts';

const FILE = join('queries', 'bob-salaries.chainlog.json');

describe('a query file', () => {
  const { workbench, localnet } = useSampleWindow();
  const lens = (title: string | RegExp): Locator =>
    workbench()
      .page.locator('.editor-group-container.active .codelens-decoration')
      .getByRole('button', { name: title });
  const text = (name: string) => readFile(join(workbench().folder, name), 'utf8');
  afterEach(() => workbench().closeEditors());

  it('asks nobody before it is run, then shows its rows in a panel, by names', async () => {
    await workbench().openFile(FILE);
    await lens('Run on Local Network').waitFor();
    const { explorer } = localnet();
    assert.deepEqual(
      explorer.requests.filter((request) => JSON.stringify(request).includes('eth_getLogs')),
      [],
    );
    for (const theme of Object.keys(themes) as Theme[]) {
      await workbench().setTheme(theme);
      await workbench().screenshot(`query-file-${theme}`);
    }
    const panel = await logPanelShownBy(workbench(), () => lens('Run on Local Network').click());
    await says(panel.status, /^Complete\b/);
    await panel.cell(0, 'argument0').filter({ hasText: 'Bob' }).waitFor();
    await workbench().screenshot('query-file-panel');
  });

  it('is held against what it expects, which is written into it', async () => {
    const { page } = workbench();
    await workbench().openFile(FILE);
    await lens('Run and Compare').click();
    await workbench().notification('Salaries of Bob: 2 logs, complete to block').waitFor();
    await lens(/^✓ 2 logs, complete to block [\d,]+, as expected$/).waitFor();
    await workbench().screenshot('query-file-compared');
    const path = join(workbench().folder, FILE);
    await writeFile(path, (await text(FILE)).replace('"count": 2', '"count": 3'));
    const update = lens(/^✗ 2 logs, complete to block [\d,]+, but 3 expected: Update Expectation$/);
    await update.waitFor();
    await workbench().screenshot('query-file-differs');
    await update.click();
    await lens(/^✓ 2 logs/).waitFor();
    await page.locator('.view-line').filter({ hasText: 'sha256' }).waitFor();
    assert.match(
      await text(FILE),
      /"expect": \{\n {4}"count": 2,\n {4}"sha256": "[0-9a-f]{64}"\n {2}\}\n\}\n$/,
    );
  });

  it('is made of the query of a panel, opens at once and runs again', async () => {
    const { page } = workbench();
    await workbench().openFile(FILE);
    const panel = await logPanelShownBy(workbench(), () => lens('Run on Local Network').click());
    await says(panel.status, /^Complete\b/);
    await driver.runCommand(page, 'Chainside: Save Query as File…');
    const saved = join(workbench().folder, 'queries', 'saved.chainlog.json');
    await saveAs(page, saved);
    await page.getByRole('tab', { name: 'saved.chainlog.json' }).waitFor();
    const { title: _, ...query } = JSON.parse(await readFile(saved, 'utf8'));
    const { title: __, expect: ___, ...first } = JSON.parse(await text(FILE));
    assert.deepEqual(query, { ...first, args: { ...first.args, reason: '0' } });
    await lens('Run and Compare').click();
    await workbench()
      .notification(/: 2 logs, complete to block [\d,]+\./)
      .waitFor();
    await workbench().screenshot('query-file-saved');
  });

  it('says in place which name stands for nothing, and what is no part of a query', async () => {
    const { page } = workbench();
    const open = async (name: string, question: object) => {
      const text = `${JSON.stringify({ chainId: 31337, ...question }, null, 2)}\n`;
      await writeFile(join(workbench().folder, `${name}.chainlog.json`), text);
      await workbench().openFile(`${name}.chainlog.json`);
    };
    await open('slip', { adress: 'Rewards' });
    await page.locator('.squiggly-warning').first().waitFor();
    await open('broken', { address: 'Rewardz' });
    await page.locator('.squiggly-error').first().waitFor();
    await driver.runCommand(page, 'View: Toggle Problems');
    const problem = (words: RegExp) => page.locator('.markers-panel').getByText(words).first();
    await problem(/No address is called Rewardz/).waitFor();
    await problem(/Property adress is not allowed/).waitFor();
    await workbench().screenshot('query-file-problems');
  });
});
