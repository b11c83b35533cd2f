import assert from 'node:assert/strict';
import { type Theme, themes } from '../../scripts/support/workbench/driver.ts';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { BESIDE_CODE } from '../component/support/panelPage.ts';
import { themeColors } from '../component/support/themes.ts';
import { useLogWindow } from './support/logWindow.ts';

describe('pages of component tests', () => {
  const { workbench, openPanel } = useLogWindow();

  it('have the colours that the editor gives a webview', async () => {
    const opened = await openPanel();
    for (const theme of Object.keys(themes) as Theme[]) {
      await workbench().setTheme(theme);
      const { kind, variables } = themeColors[theme];
      const body = opened.frame.locator(`body[data-vscode-theme-kind="${kind}"]`);
      const style = (await body.locator('xpath=..').getAttribute('style')) ?? '';
      const given = new Map(
        Array.from(style.matchAll(/(--[\w-]+): *([^;]*);/g), ([, name, value]) => [name, value]),
      );
      const expected = Object.fromEntries(
        Object.keys(variables).map((name) => [name, given.get(name)?.trim()]),
      );
      assert.deepEqual(variables, expected, theme);
    }
  });

  it('have the room beside the code and the mark of a screen reader that the editor gives a webview', async () => {
    await workbench().page.setViewportSize({ width: 1000, height: 700 });
    await workbench().runCommand('File: New Untitled Text File');
    const { frame } = await openPanel();
    await waitUntil(`a panel has ${Object.values(BESIDE_CODE).join(' by ')} beside the code`, () =>
      frame.locator('body').evaluate((_, { width, height }) => {
        const view = globalThis as unknown as { innerWidth: number; innerHeight: number };
        return view.innerWidth >= width && view.innerWidth < 500 && view.innerHeight >= height;
      }, BESIDE_CODE),
    );
    await workbench().updateSettings({ 'editor.accessibilitySupport': 'on' });
    await frame.locator('body.vscode-using-screen-reader').waitFor();
  });
});
