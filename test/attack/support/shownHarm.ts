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
