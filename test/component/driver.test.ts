import assert from 'node:assert/strict';
import { webviewShownBy } from '../../scripts/support/workbench/driver.ts';
import { environment } from './support/environment.ts';

describe('finding the panel that has come to the front', () => {
  const webview = (name: string) =>
    `<iframe class="webview ready" name="${name}" srcdoc="<iframe id=active-frame srcdoc='<p>${name}</p>'>"></iframe>`;

  it('waits for it while the one before is still shown', async () => {
    const page = await environment().browser.newPage();
    try {
      await page.setContent(webview('former'));
      const shown = await webviewShownBy(page, () =>
        page.evaluate(
          `setTimeout(() => document.body.setHTMLUnsafe(${JSON.stringify(webview('new'))}), 100)`,
        ),
      );
      assert.equal(await shown.locator('p').textContent(), 'new');
    } finally {
      await page.close();
    }
  });
});
