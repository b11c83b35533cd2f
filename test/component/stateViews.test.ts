import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { Utils } from 'vscode-uri';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { type Address, toChecksumAddress } from '../../src/core/index.ts';
import { accessibilityFindings } from '../e2e/support/accessibility.ts';
import { gridPanel, waitForText } from '../e2e/support/panel.ts';
import { menuOpenedBy } from './support/contextMenu.ts';
import { environment } from './support/environment.ts';
import { BESIDE_CODE, isReadableInEveryTheme, takePicture } from './support/panelPage.ts';
import { usePanelWindow } from './support/panels.ts';

describe('State panel', () => {
  const localnet = () => environment().localnet;
  const husd = () => localnet().chain.contracts.usd.address;
  const alice = () => toChecksumAddress(localnet().chain.accounts.alice as Address);
  const { editor, pageShownBy, reload } = usePanelWindow(() => ({
    settings: {
      'chainside.network': 'node',
      'chainside.networks': {
        node: { name: 'Test Node', chainId: 31337, rpcUrl: localnet().anvilUrl },
        other: { name: 'Other Node', chainId: 31338, rpcUrl: localnet().anvilUrl },
      },
    },
    fillFolder: writeProject,
  }));

  async function writeProject(folder: string): Promise<void> {
    const labels = { labels: [{ address: localnet().chain.accounts.alice, name: 'Treasury' }] };
    const path = join(folder, '.chainside/labels.json');
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, JSON.stringify(labels));
  }

  const SILENT = `0x${'51e7'.padStart(40, '0')}`;

  /** A token whose supply no log explains, in the state of the shared chain, which gets no block by it. */
  async function placeSilentToken(): Promise<void> {
    const { node } = localnet();
    await node.call('anvil_setCode', [SILENT, await node.call('eth_getCode', [husd(), 'latest'])]);
    for (let slot = 0; slot < 8; slot++) {
      const place = `0x${slot.toString(16).padStart(64, '0')}`;
      await node.call('anvil_setStorageAt', [SILENT, place, `0x${'5'.padStart(64, '0')}`]);
    }
  }

  const open = (kind: 'Holders' | 'Roles' | 'Allowances', address: unknown = husd()) =>
    pageShownBy(() => editor().runCommand(`chainside.show${kind}`, address));
  const status = (page: Page) => page.getByRole('status').first();
  const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const rows = (page: Page) => gridPanel(page, 'Rows');
  const CONFIRMED =
    /^(\d+) holders in block \d+\. \1 of \1 rows confirmed; the total supply is equal\. Balances outside of the total supply are not seen\.$/;
  const treasury = (page: Page) => page.getByRole('row').filter({ hasText: 'Treasury' });
  async function openHolders(): Promise<Page> {
    const page = await open('Holders', { kind: 'account', account: husd(), chainId: 31337 });
    await waitForText(status(page), CONFIRMED);
    await treasury(page).waitFor();
    return page;
  }

  it('shows holders with names and shares, sorts and filters them by keyboard, and copies them', async () => {
    const page = await openHolders();
    await waitForText(treasury(page), /^Treasury[\d,.]+ HUSD\d+\.\d\d%$/);
    await isReadableInEveryTheme(page, 'state-holders');
    await rows(page).grid.getByRole('columnheader', { name: 'Balance' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('[role=columnheader][aria-sort=descending]').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('[role=columnheader][aria-sort=ascending]').waitFor();
    await field(page, 'Filter Rows').fill('treas');
    await waitForText(page.locator('.verdict .words'), /^1 of \d+ rows shown$/);
    await treasury(page).getByRole('gridcell').nth(1).focus();
    await page.keyboard.press('Control+C');
    await waitUntil('the exact balance is copied', () => /^\d{9,}$/.test(editor().clipboard));
    await field(page, 'Filter Rows').fill('');
    await waitUntil('all rows are back', async () => (await page.getByRole('row').count()) > 5);
    await rows(page).cell(0, 'key0').focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Control+C');
    await waitUntil('the rows are copied', () => editor().clipboard.startsWith('Holder\tBalance\r\n0x'));
    editor().user.picks.push('JSON');
    await button(page, 'Copy All…').click();
    await waitUntil('they are copied as JSON', () => editor().clipboard.startsWith('[\n{"holder":"0x'));
    await page.setViewportSize(BESIDE_CODE);
    assert.deepEqual(await accessibilityFindings(page), []);
    await field(page, 'Filter Rows').fill('nobody at all');
    await page.getByText('No row matches the filter.').waitFor();
  });

  it('has a menu on each cell, with the address in it', async () => {
    const page = await openHolders();
    const menu = await menuOpenedBy(editor(), page, () =>
      treasury(page).getByRole('gridcell').first().click({ button: 'right' }),
    );
    assert.deepEqual(menu.entries, [
      'Look Up Address…',
      'Watch Address',
      'Label Address…',
      'Use as a Deployment of…',
      'Show Holders…',
      'Show Roles…',
      'Show Allowances…',
      'Copy Value',
      'Copy Rows As…',
    ]);
    await menu.choose('Copy Value');
    await waitUntil('the address is copied', () => editor().clipboard === alice());
    editor().user.picks.push('CSV');
    await menu.choose('Copy Rows As…');
    await waitUntil('the row is copied', () =>
      new RegExp(`^Holder,Balance\\r\\n${alice()},\\d+\\r\\n$`).test(editor().clipboard),
    );
    const allowances = await pageShownBy(() => menu.choose('Show Allowances…'));
    await allowances.getByRole('heading', { name: 'Allowances of Treasury' }).waitFor();
    await waitForText(
      status(allowances),
      /^\d+ allowances?.* in block \d+\. \d+ of \d+ rows confirmed; that there are no others/,
    );
  });

  it('is restored after a reload as it was typed, loads when asked, and exports', async () => {
    const page = await openHolders();
    await field(page, 'Block').fill('latest-1');
    await field(page, 'Filter Rows').fill('treas');
    await waitUntil('the page has stored its filter', () =>
      JSON.stringify(editor().panels[0]?.state ?? '').includes('treas'),
    );
    const restored = await reload(page);
    await waitForText(status(restored), /^Nothing is loaded yet\./);
    assert.equal(await field(restored, 'Block').inputValue(), 'latest-1');
    assert.equal(await field(restored, 'Filter Rows').inputValue(), 'treas');
    await button(restored, 'Load').click();
    await waitForText(status(restored), CONFIRMED);
    await waitForText(restored.locator('.verdict .words'), /^1 of \d+ rows shown$/);
    await field(restored, 'Filter Rows').fill('');
    await waitUntil('all rows are back', async () => (await restored.getByRole('row').count()) > 5);
    const { user, api } = editor();
    const [folder = assert.fail('No folder is open.')] = api.workspace.workspaceFolders ?? [];
    user.saveAs = Utils.joinPath(folder.uri, 'holders.csv');
    user.picks.push('CSV');
    await button(restored, 'Export…').click();
    await waitUntil('the rows are written', () =>
      user.told.some((message) => /^Exported \d+ rows to holders\.csv\.$/.test(message)),
    );
    const lines = (await readFile(user.saveAs.fsPath, 'utf8')).trimEnd().split('\r\n');
    assert.equal(lines[0], 'Holder,Balance');
    assert.equal(lines.length, Number(await rows(restored).grid.getAttribute('aria-rowcount')));
  });

  it('compares two blocks, shows only what changed, and drops the rows of a network that is left', async () => {
    const page = await openHolders();
    await field(page, 'Compare with Block').fill('latest+1');
    await button(page, 'Load').click();
    await page.locator('.compare .problem').waitFor();
    assert.equal(await field(page, 'Compare with Block').getAttribute('aria-invalid'), 'true');
    await field(page, 'Compare with Block').fill('3');
    await page.keyboard.press('Enter');
    await waitForText(
      status(page),
      /rows confirmed; .* Compared with: \d+ holders in block 3\. \d+ of \d+ rows confirmed; /,
    );
    await waitForText(page.locator('.verdict .words'), /^\d+ added, \d+ removed, \d+ changed$/);
    await waitForText(treasury(page), /^ChangedTreasury[\d,.]+ HUSD[\d,.]+ HUSD[-+][\d,.]+ HUSD$/);
    const all = Number(await rows(page).grid.getAttribute('aria-rowcount'));
    await page.getByLabel('Only changes').check();
    await waitUntil(
      'fewer rows are shown',
      async () => Number(await rows(page).grid.getAttribute('aria-rowcount')) < all,
    );
    await isReadableInEveryTheme(page, 'state-compared');
    await page.setViewportSize({ width: 460, height: 700 });
    await waitUntil('the difference is in sight', async () => {
      const place = await page.getByRole('columnheader', { name: 'Difference' }).boundingBox();
      return place !== null && place.x + place.width <= 460;
    });
    await takePicture(page, 'state-compared-narrow');
    editor().updateSettings({ 'chainside.network': 'other' });
    await waitForText(status(page), /^Nothing is loaded yet\./);
    assert.equal(await page.getByRole('row').count(), 0);
    editor().updateSettings({ 'chainside.network': 'node' });
  });

  it('warns of a token whose supply no log explains', async () => {
    await placeSilentToken();
    const page = await open('Holders', SILENT);
    await waitForText(
      status(page),
      /^0 holders found in block \d+\. 0 of 0 rows confirmed; the total supply differs\.$/,
    );
    await page.getByText('Rows may be missing: they are rebuilt from logs only.').waitFor();
    await isReadableInEveryTheme(page, 'state-unconfirmed');
  });

  it('shows allowances of an owner by name, what is wrong with one, and that a contract has no roles', async () => {
    const page = await open('Allowances');
    await field(page, 'Owner').fill('Nobody');
    await button(page, 'Load').click();
    await waitForText(page.locator('.owner .problem'), /Nobody/);
    await field(page, 'Owner').fill('Treasury');
    await button(page, 'Load').click();
    await waitForText(status(page), /^1 allowance in block \d+\. 1 of 1 rows confirmed; /);
    assert.deepEqual(await accessibilityFindings(page), []);
    const roles = await open('Roles');
    await waitForText(status(roles), /^No roles found in block \d+\. 0 of 0 rows confirmed; /);
    await roles.getByRole('listitem').filter({ hasText: 'The contract logs no roles' }).waitFor();
  });

  it('is cancelled, and closed while it loads', async () => {
    const page = await openHolders();
    await button(page, 'Load').click();
    await page.getByRole('button', { name: /^(Cancel|Load)$/ }).click();
    editor().closePanels();
    await editor().runCommand('chainside.showHolders', '0x12');
    assert.match(editor().user.told.at(-1) ?? '', /0x and 40 hex digits/);
    assert.equal(editor().errors.splice(0).length, 1);
  });
});
