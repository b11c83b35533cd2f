import assert from 'node:assert/strict';
import { NOWHERE } from '../../scripts/support/workbench/testSettings.ts';
import { accessibilityFindings } from '../e2e/support/accessibility.ts';
import { waitForText } from '../e2e/support/panel.ts';
import { environment } from './support/environment.ts';
import { TRANSFER, useLogPanels } from './support/logPanels.ts';
import { BESIDE_CODE, takePicture } from './support/panelPage.ts';

describe('in German', () => {
  const { editor, pageShownBy } = useLogPanels(() => ({
    language: 'de',
    settings: {
      'chainside.networks': {
        explorer: { name: 'Explorer', chainId: 31337, rpcUrl: environment().localnet.rpcUrl },
        node: { name: 'Knoten', chainId: 31337, rpcUrl: environment().localnet.anvilUrl },
        nowhere: { name: 'Nirgends', chainId: 31337, rpcUrl: NOWHERE },
      },
    },
  }));
  const openPanel = () => pageShownBy(() => editor().runCommand('chainside.queryLogs'));

  it('a panel has its fields, its verdict and its numbers', async () => {
    const page = await openPanel();
    await page.getByRole('combobox', { name: 'Event oder Topic' }).fill(TRANSFER);
    await page.getByRole('button', { name: 'Abfrage ausführen' }).click();
    const status = page.getByRole('status').first();
    await waitForText(status, /^Teilweise: Blöcke [\d.]+ bis [\d.]+ von/);
    await page.getByRole('button', { name: 'Nächste Seite laden' }).waitFor();
    assert.deepEqual(await accessibilityFindings(page), []);
    await page.setViewportSize(BESIDE_CODE);
    const width = await page.locator('html').evaluate(({ scrollWidth }) => scrollWidth);
    assert.ok(width <= BESIDE_CODE.width, `${width} pixels`);
    await takePicture(page, 'german-narrow');
  });

  it('an error says what happened and what to do', async () => {
    await editor().runCommand('chainside.selectNetwork', 'nowhere');
    const page = await openPanel();
    await page.getByRole('combobox', { name: 'Event oder Topic' }).fill(TRANSFER);
    await page.getByRole('button', { name: 'Abfrage ausführen' }).click();
    await page
      .getByText(/^Kein Knoten bei 127\.0\.0\.1:1\. anvil oder hardhat node starten\.$/)
      .first()
      .waitFor();
  });

  it('a read says why the contract refuses it', async () => {
    const { node } = environment().localnet;
    const closed = `0x${'c105ed'.padStart(40, '0')}`;
    // Panic(0x11): the selector before the code, in memory.
    await node.call('anvil_setCode', [closed, '0x634e487b7160e01b600052601160045260246000fd']);
    await editor().runCommand('chainside.selectNetwork', 'node');
    const page = await pageShownBy(() => editor().runCommand('chainside.readContract', closed));
    const other = page.getByLabel('Andere Funktion', { exact: true });
    await other.fill('isOpen() view returns (bool)');
    await other.press('Enter');
    await page.getByText('Der Aufruf wurde revertiert: Überlauf oder Unterlauf einer Ganzzahl.').waitFor();
    // STOP
    await node.call('anvil_setCode', [closed, '0x00']);
    await page.getByRole('button', { name: 'Lesen', exact: true }).click();
    await page.getByText(/^Der Contract hat nichts zurückgegeben\. .* isOpen\(\)\.$/).waitFor();
    await takePicture(page, 'german-read');
  });
});
