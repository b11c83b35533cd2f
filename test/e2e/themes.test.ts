import assert from 'node:assert/strict';
import { type Theme, themes } from '../../scripts/support/workbench/driver.ts';
import { themeColors } from '../component/support/themes.ts';
import { useLogWindow } from './support/logWindow.ts';

describe('themes of component tests', () => {
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
});
