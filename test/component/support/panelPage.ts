import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { cacheFolder } from '../../../scripts/support/paths.ts';
import type { Theme } from '../../../scripts/support/workbench/driver.ts';
import { PATIENCE_MS } from '../../../scripts/support/workbench/waitUntil.ts';
import { accessibilityFindings } from '../../e2e/support/accessibility.ts';
import { type PageTheme, pageTheme, themeColors } from './themes.ts';
import { PAGE_ORIGIN, type WebviewPanel } from './webviewPanel.ts';

/** What a panel has of a window of 1280 by 800. */
const SIZE = { width: 1000, height: 720 };
/** What it has at least beside the code in a window of 1000 by 700; an end-to-end test holds the editor to it. */
export const BESIDE_CODE = { width: 321, height: 598 };

/** The browser profile of a suite, which shows each panel in a page of its own. */
export async function openPages(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: SIZE, reducedMotion: 'reduce' });
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

/** Shows a panel in a page, as the editor does in a frame. */
export async function showPanel(
  context: BrowserContext,
  panel: WebviewPanel,
  { onError }: { readonly onError: (error: string) => void },
): Promise<Page> {
  const page = await context.newPage();
  page.on('pageerror', (error) => onError(String(error.stack)));
  page.on('console', (message) => message.type() === 'error' && onError(message.text()));
  await page.exposeFunction('postToExtension', (message: unknown) => panel.receive(message));
  await page.exposeFunction('storeState', (state: unknown) => {
    panel.state = state;
  });
  await page.addInitScript(connectPage, { state: panel.state, theme: pageTheme('dark') });
  const posts = panel.onDidPost((message) => {
    // A page that is closed hears nothing, as a webview that is gone.
    void page
      .evaluate((data) => (globalThis as unknown as WebviewWindow).postMessage(data, '*'), message)
      .catch(() => undefined);
  });
  page.once('close', () => posts.dispose());
  panel.onDidDispose(() => void page.close());
  const html = await panel.html;
  const address = `${PAGE_ORIGIN}/panel`;
  await page.route(`${PAGE_ORIGIN}/**`, async (route) => {
    const { href, pathname } = new URL(route.request().url());
    if (href === address) return route.fulfill({ contentType: 'text/html', body: html });
    const type = pathname.endsWith('.css') ? 'text/css' : 'text/javascript';
    return route.fulfill({ contentType: type, body: await readFile(pathname) });
  });
  await page.goto(address);
  return page;
}

/**
 * Holds that axe finds nothing wrong in a page in any theme; takes a picture `NAME-THEME` of each, once what comes later
 * than the colours of the theme `isDrawn`.
 */
export async function isReadableInEveryTheme(
  page: Page,
  name: string,
  isDrawn: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  for (const [index, theme] of (Object.keys(themeColors) as Theme[]).entries()) {
    await setTheme(page, theme);
    await isDrawn();
    await takePicture(page, `${name}-${theme}`);
    // Only colours differ between themes.
    const rules = index === 0 ? 'all' : 'colors';
    assert.deepEqual(await accessibilityFindings(page, { rules }), [], theme);
  }
}

/** Writes `.cache/screenshots/NAME.png`, to be looked at; not where all tests of the project run. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env.CHAINSIDE_PICTURES === 'none') return;
  await page.screenshot({ path: join(cacheFolder, 'screenshots', `${name}.png`) });
}

/** Draws a page in a theme. */
async function setTheme(page: Page, theme: Theme): Promise<void> {
  await page.evaluate((drawn) => {
    (globalThis as unknown as { drawTheme(theme: PageTheme): void }).drawTheme(drawn);
  }, pageTheme(theme));
}

/** Gives a page what a webview has from the editor before its own program runs. Runs in the page. */
function connectPage({ state, theme }: { readonly state: unknown; readonly theme: PageTheme }): void {
  const page = globalThis as unknown as WebviewWindow;
  const { document } = page;
  let stored = state;
  page.acquireVsCodeApi = () => ({
    postMessage: (message) => page.postToExtension(message),
    getState: () => stored,
    setState(next) {
      stored = next;
      page.storeState(next);
    },
  });
  page.drawTheme = ({ kind, variables, style }) => {
    const { documentElement, body } = document;
    documentElement.removeAttribute('style');
    for (const [name, value] of variables) documentElement.style.setProperty(name, value);
    body.className = `${kind} vscode-reduce-motion`;
    body.dataset.vscodeThemeKind = kind;
    const sheet = new page.CSSStyleSheet();
    sheet.replaceSync(style);
    document.adoptedStyleSheets = [sheet];
  };
  // Before the program, which is deferred until then.
  document.addEventListener('readystatechange', () => page.drawTheme(theme), { once: true });
}

interface WebviewWindow {
  readonly document: {
    readonly documentElement: StyledElement;
    readonly body: StyledElement;
    adoptedStyleSheets: readonly unknown[];
    addEventListener(name: string, listen: () => void, options: { readonly once: boolean }): void;
  };
  readonly CSSStyleSheet: new () => { replaceSync(text: string): void };
  postMessage(message: unknown, origin: string): void;
  postToExtension(message: unknown): void;
  storeState(state: unknown): void;
  acquireVsCodeApi: () => {
    postMessage(message: unknown): void;
    getState(): unknown;
    setState(state: unknown): void;
  };
  drawTheme(theme: PageTheme): void;
}

interface StyledElement {
  className: string;
  readonly dataset: Record<string, string>;
  readonly style: { setProperty(name: string, value: string): void };
  removeAttribute(name: string): void;
}
