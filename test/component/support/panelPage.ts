import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { cacheFolder } from '../../../scripts/support/paths.ts';
import type { Theme } from '../../../scripts/support/workbench/driver.ts';
import { PATIENCE_MS } from '../../../scripts/support/workbench/waitUntil.ts';
import { lazy } from '../../../src/core/base/concurrency.ts';
import { accessibilityFindings } from '../../e2e/support/accessibility.ts';
import { isFullRun } from '../../support/fullRun.ts';
import { PAGE_ORIGIN, type WebviewPanel } from '../../support/vscode/webviewPanel.ts';
import { environment } from './environment.ts';
import { startPanelServer } from './panelServer.ts';
import { type PageTheme, pageTheme, themeColors } from './themes.ts';

/** What a panel has of a window of 1280 by 800. */
const SIZE = { width: 1000, height: 720 };
/** What it has at least beside the code in a window of 1000 by 700; an end-to-end test holds the editor to it. */
export const BESIDE_CODE = { width: 321, height: 598 };

interface ShownPanel {
  readonly panel: WebviewPanel;
  readonly html: string;
  readonly onError: (error: string) => void;
}

/** By their paths. */
const panels = new Map<string, ShownPanel>();
/** Pages whose panels are closed. They show the next panels: a new page costs more than most panels do. */
const freePages: Page[] = [];
const getProfile = lazy(openProfile);
let opened = 0;

async function openProfile() {
  const origin = await startPanelServer((path) => panels.get(path)?.html);
  const context = await environment().browser.newContext({ viewport: SIZE, reducedMotion: 'reduce' });
  context.setDefaultTimeout(PATIENCE_MS);
  const panelIn = (page: Page | null) => panels.get(new URL(page?.url() ?? '').pathname);
  context.on('weberror', (met) => panelIn(met.page())?.onError(String(met.error().stack)));
  context.on('console', (message) => {
    if (message.type() === 'error') panelIn(message.page())?.onError(message.text());
  });
  await context.exposeBinding('postToExtension', (_, path: string, message: string) =>
    panels.get(path)?.panel.receive(JSON.parse(message)),
  );
  await context.exposeBinding('storeState', (_, path: string, state: string) => {
    const shown = panels.get(path);
    if (shown) shown.panel.state = JSON.parse(state);
  });
  return { context, origin };
}

/** Shows a panel in a page, as the editor does in a frame. */
export async function showPanel(
  panel: WebviewPanel,
  { onError }: { readonly onError: (error: string) => void },
): Promise<Page> {
  const { context, origin } = await getProfile();
  const path = `/panel/${opened++}`;
  const connection = JSON.stringify({ path, state: panel.state, theme: pageTheme('dark') });
  const script = `<script>(${connectPage})(${connection.replaceAll('<', '\\u003c')})</script>`;
  const html = (await panel.html).replaceAll(PAGE_ORIGIN, origin).replace('<head>', (head) => head + script);
  const page = freePages.pop() ?? (await context.newPage());
  await resetPage(page);
  panels.set(path, { panel, html, onError });
  const loading = page.goto(`${origin}${path}`);
  panel.onDidPost(async (message) => {
    // As the editor does: what comes early is kept until the page can hear it; a page that is closed hears nothing.
    await loading.catch(() => undefined);
    if (panels.has(path)) await page.evaluate(postToPage, message).catch(() => undefined);
  });
  panel.onDidDispose(() => {
    panels.delete(path);
    freePages.push(page);
  });
  await loading;
  return page;
}

/** Takes back what tests change of a page beside its document. */
async function resetPage(page: Page): Promise<void> {
  const { width, height } = page.viewportSize() ?? SIZE;
  if (width !== SIZE.width || height !== SIZE.height) await page.setViewportSize(SIZE);
  await page.emulateMedia({ forcedColors: 'none' });
  await page.mouse.move(0, 0);
}

/**
 * Holds that axe finds nothing wrong in a page in any theme, in a short run in the first; takes a picture `NAME-THEME` of
 * each, once what comes later than the colours of the theme `isDrawn`.
 */
export async function isReadableInEveryTheme(
  page: Page,
  name: string,
  isDrawn: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  const [first = assert.fail(), ...others] = Object.keys(themeColors) as Theme[];
  for (const theme of takesPictures || isFullRun ? [first, ...others] : [first]) {
    await setTheme(page, theme);
    await isDrawn();
    await takePicture(page, `${name}-${theme}`);
    // Only colours differ between themes.
    const rules = theme === first ? 'all' : 'colors';
    assert.deepEqual(await accessibilityFindings(page, { rules }), [], theme);
  }
}

/** Not where all tests of the project run, as nobody looks at them there. */
const takesPictures = process.env.CHAINSIDE_PICTURES !== 'none';

/** Writes `.cache/screenshots/NAME.png`, to be looked at; not where all tests of the project run. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (!takesPictures) return;
  await page.screenshot({ path: join(cacheFolder, 'screenshots', `${name}.png`) });
}

/** Draws a page in a theme. */
async function setTheme(page: Page, theme: Theme): Promise<void> {
  await page.evaluate((drawn) => {
    (globalThis as unknown as { drawTheme(theme: PageTheme): void }).drawTheme(drawn);
  }, pageTheme(theme));
}

interface Connection {
  readonly path: string;
  readonly state: unknown;
  readonly theme: PageTheme;
}

/** Gives a page what a webview has from the editor before its own program runs. Runs in the page. */
function connectPage({ path, state, theme }: Connection): void {
  const page = globalThis as unknown as WebviewWindow;
  const { document } = page;
  let stored = state;
  page.acquireVsCodeApi = () => ({
    postMessage: (message) => page.postToExtension(path, JSON.stringify(message)),
    getState: () => stored,
    setState(next) {
      stored = next;
      page.storeState(path, JSON.stringify(next));
    },
  });
  page.drawTheme = ({ kind, variables, style }) => {
    const { documentElement, body } = document;
    documentElement.removeAttribute('style');
    for (const [name, value] of variables) documentElement.style.setProperty(name, value);
    body.classList.remove(body.dataset.vscodeThemeKind ?? kind);
    body.classList.add(kind, 'vscode-reduce-motion');
    body.dataset.vscodeThemeKind = kind;
    const sheet = new page.CSSStyleSheet();
    sheet.replaceSync(style);
    document.adoptedStyleSheets = [sheet];
  };
  // Before the program, which is deferred until then.
  document.addEventListener('readystatechange', () => page.drawTheme(theme), { once: true });
}

/** Runs in the page. */
function postToPage(message: string): void {
  (globalThis as unknown as WebviewWindow).postMessage(JSON.parse(message), '*');
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
  postToExtension(path: string, message: string): void;
  storeState(path: string, state: string): void;
  acquireVsCodeApi: () => {
    postMessage(message: unknown): void;
    getState(): unknown;
    setState(state: unknown): void;
  };
  drawTheme(theme: PageTheme): void;
}

interface StyledElement {
  readonly classList: { add(...names: readonly string[]): void; remove(name: string): void };
  readonly dataset: Record<string, string>;
  readonly style: { setProperty(name: string, value: string): void };
  removeAttribute(name: string): void;
}
