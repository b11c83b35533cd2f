import type { Page } from 'playwright-core';

/** Where the editor shows words that it makes links and icons of; each with what in it the words alone can have made. */
const surfaces = [
  ['.notification-list-item-message', 'a:not(.label-name), .codicon, img'],
  ['.monaco-dialog-box .dialog-message-container', 'a:not(.label-name), .codicon, img'],
  ['.quick-input-title, .quick-input-message, .quick-input-description', 'a:not(.label-name), .codicon, img'],
  [
    '.quick-input-list .label-name, .quick-input-list .label-description',
    'a:not(.label-name), .codicon, img',
  ],
  ['.quick-input-list .quick-input-list-label-meta', 'a:not(.label-name), .codicon, img'],
  ['.pane .monaco-tl-contents .monaco-icon-label-container', 'a[href], .codicon, img'],
  ['.statusbar-item[id^="chainside"]', 'img, .codicon-alert, .codicon-check, .codicon-sync'],
  [
    '.monaco-hover',
    'img, .codicon-alert, .codicon-check, .codicon-sync, a[href*="example.test"], a[data-href*="example.test"], ' +
      'a[data-href^="file:"], a[data-href*="workbench."], a[data-href*="runCommands"], a[data-href^="vscode:"]',
  ],
  ['body', 'script[src*="example.test"], img[src*="example.test"], iframe[src*="example.test"]'],
] as const;

/** What of the words on the screen the editor acts on: markup of links, icons and pictures; none where all is well. */
export function findShownMarkup(page: Page): Promise<readonly string[]> {
  return page.evaluate((places) => {
    const { document } = globalThis as unknown as { readonly document: Searched };
    return places.flatMap(([surface, harm]) =>
      [...document.querySelectorAll(surface)].flatMap((place) =>
        [...place.querySelectorAll(harm)].map(({ outerHTML }) => `${surface}: ${outerHTML.slice(0, 300)}`),
      ),
    );
  }, surfaces);
}

interface Searched {
  readonly outerHTML: string;
  querySelectorAll(selector: string): Iterable<Searched>;
}

export interface Reach {
  /** What the window has opened, asked or let run since the last look. */
  taken(): readonly string[];
}

/** Watches for what words could make the window do by themselves. */
export function watchReach(page: Page): Reach {
  let taken: string[] = [];
  page.on('dialog', (dialog) => {
    taken.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', (popup) => taken.push(`popup: ${popup.url()}`));
  page.on('request', (request) => {
    if (/example\.test|etc\/passwd/.test(request.url())) taken.push(`request: ${request.url()}`);
  });
  return {
    taken() {
      const all = taken;
      taken = [];
      return all;
    },
  };
}

/**
 * What the window and its panels show of a canary (`canary.ts`) that acts: links, icons, pictures and HTML made of it, and
 * characters of it that hide or turn others. The text of files is the file's own.
 */
export async function findTraps(page: Page): Promise<readonly string[]> {
  const found = await Promise.all(
    page.frames().map((frame) => frame.evaluate(findTrapsIn, TRAPS).catch(() => [])),
  );
  return found.flat();
}

const TRAPS =
  '[href^="command:trap"], [data-href^="command:trap"], [href*="//trap."], [data-href*="//trap."], [src*="//trap."], ' +
  '.codicon-squirrel, trap';

function findTrapsIn(traps: string): readonly string[] {
  const { document } = globalThis as unknown as { readonly document: SearchedDocument };
  const hidden = /[^\P{Cc}\n\r\t]|[\u202a-\u202e\u2066-\u2069]/u;
  const files = '.view-lines, .tabs-container, .breadcrumbs-control, .explorer-folders-view';
  const roots: SearchedDocument[] = [document];
  for (const root of roots) {
    for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) roots.push(shadowRoot);
  }
  const findAll = (selector: string) => roots.flatMap((root) => [...root.querySelectorAll(selector)]);
  const made = findAll(traps).map(({ outerHTML }) => `made: ${outerHTML.slice(0, 300)}`);
  const turned = findAll(':not(head, head *, script, style)').filter(
    (element) =>
      !element.closest(files) &&
      ([...element.childNodes].some(({ nodeType, data }) => nodeType === 3 && hidden.test(data ?? '')) ||
        ['title', 'aria-label', 'placeholder'].some((name) => hidden.test(element.getAttribute(name) ?? ''))),
  );
  return [...made, ...turned.map(({ outerHTML }) => `hidden: ${JSON.stringify(outerHTML.slice(0, 300))}`)];
}

interface SearchedDocument {
  querySelectorAll(selector: string): Iterable<SearchedElement>;
}

interface SearchedElement {
  readonly shadowRoot: SearchedDocument | null;
  readonly outerHTML: string;
  readonly childNodes: Iterable<{ readonly nodeType: number; readonly data?: string }>;
  closest(selector: string): unknown;
  getAttribute(name: string): string | null;
}
