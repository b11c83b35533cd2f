import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { PanelFrame } from './panel.ts';

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe finds wrong in a webview, one line a finding. Of a page that is the editor's, as that of a notebook's outputs,
 * only what lies in the shadow trees of extensions is looked at. `colors` are what differs between themes.
 */
export async function accessibilityFindings(
  webview: PanelFrame,
  {
    shadowOnly = false,
    rules = 'all',
  }: { readonly shadowOnly?: boolean; readonly rules?: 'all' | 'colors' } = {},
): Promise<readonly string[]> {
  const root = await webview.locator(':root').elementHandle();
  const frame = await root?.ownerFrame();
  if (!frame) throw new Error('The webview is gone.');
  // Evaluated by the debugger, which the content policy of the page does not bind.
  if (await frame.evaluate(() => !('axe' in globalThis))) await frame.evaluate(await axeSource);
  const options: RunOptions = rules === 'all' ? {} : { runOnly: ['color-contrast', 'link-in-text-block'] };
  const results = await frame.evaluate(runAxe, options);
  return results.violations.flatMap(({ id, impact, nodes }) =>
    nodes
      // Landmarks of the page are the editor's, too.
      .filter(({ target: [place] }) => !shadowOnly || (Array.isArray(place) && id !== 'region'))
      .map((node) => `${id} (${impact}): ${node.html}`),
  );
}

/** Checks rows that differ only in texts and numbers once. Runs in the page. */
function runAxe(options: RunOptions): Promise<AxeResults> {
  const { axe, document } = globalThis as unknown as {
    readonly axe: { run(context: object, options: RunOptions): Promise<AxeResults> };
    readonly document: { querySelectorAll(rows: string): Iterable<{ readonly outerHTML: string }> };
  };
  const shapes = new Set<string>();
  const exclude = [...document.querySelectorAll('[data-row]')].filter(({ outerHTML }) => {
    const shape = outerHTML.replace(/>[^<]+</g, '><').replace(/="[^"]*\d[^"]*"/g, '=""');
    return shapes.size === shapes.add(shape).size;
  });
  return axe.run({ exclude }, { resultTypes: ['violations'], ...options });
}
