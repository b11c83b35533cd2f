import assert from 'node:assert/strict';
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
      },
    },
  }));

  it('a panel has its fields, its verdict and its numbers', async () => {
    const page = await pageShownBy(() => editor().runCommand('chainside.queryLogs'));
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
});
