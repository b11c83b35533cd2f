import { globSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { cacheFolder } from '../paths.ts';

/** Most characters of one part that go into a report. */
const MOST = 2500;

/** Parts of the workbench that hold words, by what a person calls them. */
const parts: Readonly<Record<string, string>> = {
  'Asked or told over it':
    '.quick-input-widget, .notifications-toasts, .notifications-center, .monaco-dialog-box, .context-view',
  Hover: '.monaco-hover',
  'Side bar': '.part.sidebar',
  Tabs: '.part.editor .tabs-container .tab',
  Editor: '.part.editor .view-lines, .part.editor .watermark',
  'Panel below': '.part.panel',
  'Status bar': '.part.statusbar',
};

export interface FailureAt {
  readonly title: string;
  /** Name of the picture that is kept of it. */
  readonly picture: string;
  /** Where its windows and extensions log. */
  readonly logs: string;
}

/** What is needed to understand a failed test from its log alone: what is on the screen, was told and was logged. */
export async function describeFailure(page: Page, { title, picture, logs }: FailureAt): Promise<string> {
  const path = join(cacheFolder, 'screenshots', `failed-${picture.replaceAll(/\W+/g, '-')}.png`);
  const kept = await page.screenshot({ path }).then(() => path, String);
  const output = await lastLogLines(logs).catch(String);
  return [
    `On the screen when it failed: ${title}`,
    `  Picture: ${kept}`,
    await describeWindow(page),
    section('Output of the extension', output),
  ].join('\n');
}

/** The last lines of the extension's output channel, of the window that wrote last; a word where there are none. */
export async function lastLogLines(logsFolder: string, count = 20): Promise<string> {
  const files = globSync('**/chainside.chainside/*.log', { cwd: logsFolder }).map((file) =>
    join(logsFolder, file),
  );
  const dated = await Promise.all(files.map(async (file) => ({ file, at: (await stat(file)).mtimeMs })));
  const newest = dated.sort((a, b) => b.at - a.at)[0];
  if (newest === undefined) return 'no output of the extension';
  const lines = (await readFile(newest.file, 'utf8')).trimEnd().split('\n');
  return lines.slice(-count).join('\n') || 'nothing';
}

/** What can be read in a window just now, for where no picture can be looked at. */
async function describeWindow(page: Page): Promise<string> {
  const said: string[] = [];
  for (const [name, selector] of Object.entries(parts)) {
    said.push(section(name, await words(() => shownWords(page, selector))));
  }
  const webviews = page.locator('iframe.webview.ready').filter({ visible: true });
  for (let index = 0; index < (await webviews.count().catch(() => 0)); index++) {
    const body = webviews.nth(index).contentFrame().frameLocator('iframe#active-frame').locator('body');
    said.push(section('Panel', await words(async () => [await body.innerText({ timeout: 2000 })])));
  }
  said.push(section('Last messages', await words(() => messagesSince(page))));
  return said.filter((text) => text !== '').join('\n');
}

/** Has the page keep each message that the workbench shows, as it takes most of them away again. For a page not loaded yet. */
export async function keepMessages(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const kept: string[] = [];
    Object.assign(globalThis, { keptMessages: kept });
    const { document, MutationObserver } = globalThis as unknown as WatchedWindow;
    new MutationObserver(() => {
      for (const item of document.querySelectorAll('.notification-list-item-message')) {
        const text = item.textContent ?? '';
        if (text !== '' && !kept.slice(-5).includes(text)) kept.push(text);
      }
    }).observe(document, { childList: true, subtree: true });
  });
}

interface WatchedWindow {
  readonly document: {
    querySelectorAll(selector: string): Iterable<{ readonly textContent: string | null }>;
  };
  readonly MutationObserver: new (
    look: () => void,
  ) => { observe(target: unknown, options: { childList: boolean; subtree: boolean }): void };
}

function messagesSince(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { keptMessages = [] } = globalThis as { readonly keptMessages?: readonly string[] };
    return keptMessages.slice(-10);
  });
}

async function shownWords(page: Page, selector: string): Promise<readonly string[]> {
  return page.locator(selector).filter({ visible: true }).allInnerTexts();
}

/** A report says what it can: a page that is gone must not hide the failure itself. */
async function words(read: () => Promise<readonly string[]>): Promise<string> {
  try {
    return (await read())
      .map((text) =>
        text
          .replaceAll('\u00a0', ' ')
          .replaceAll(/\s*\n\s*/g, '\n')
          .trim(),
      )
      .filter((text) => text !== '')
      .join('\n');
  } catch (error) {
    return `not to be read: ${error instanceof Error ? error.message.split('\n')[0] : error}`;
  }
}

function section(name: string, text: string): string {
  if (text === '') return '';
  const cut = text.length > MOST ? `${text.slice(0, MOST)} …` : text;
  return `  ${name}:\n${cut.replaceAll(/^/gm, '    ')}`;
}
