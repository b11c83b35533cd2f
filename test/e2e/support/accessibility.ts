import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import { type Theme, themes } from '../../../scripts/support/workbench/driver.ts';
import type { PanelFrame } from './panel.ts';
import type { Workbench } from './workbench.ts';

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Holds that axe finds nothing wrong in a webview in any theme; takes a picture `NAME-THEME` of each. `prepare` does again
 * what a change of theme undoes.
 */
export async function isReadableInEveryTheme(
  workbench: Workbench,
  webview: PanelFrame,
  name: string,
  prepare: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  for (const theme of Object.keys(themes) as Theme[]) {
    await workbench.setTheme(theme);
    await webview.locator(`body[data-vscode-theme-kind="${themes[theme].webviewKind}"]`).waitFor();
    await prepare();
    await workbench.screenshot(`${name}-${theme}`);
    assert.deepEqual(await accessibilityFindings(webview), [], theme);
  }
}

/**
 * What axe finds wrong in a webview, one line a finding. Of a page that is the editor's, as that of a notebook's outputs,
 * only what lies in the shadow trees of extensions is looked at.
 */
export async function accessibilityFindings(
  webview: PanelFrame,
  { shadowOnly = false }: { readonly shadowOnly?: boolean } = {},
): Promise<readonly string[]> {
  const root = await webview.locator(':root').elementHandle();
  const frame = await root?.ownerFrame();
  if (!frame) throw new Error('The webview is gone.');
  // Evaluated by the debugger, which the content policy of the page does not bind.
  await frame.evaluate(await axeSource);
  const results = await frame.evaluate(() => {
    const { axe } = globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } };
    return axe.run({ resultTypes: ['violations'] });
  });
  return results.violations.flatMap(({ id, impact, nodes }) =>
    nodes
      // Landmarks of the page are the editor's, too.
      .filter(({ target: [place] }) => !shadowOnly || (Array.isArray(place) && id !== 'region'))
      .map((node) => `${id} (${impact}): ${node.html}`),
  );
}
