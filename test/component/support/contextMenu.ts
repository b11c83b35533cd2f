import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { fromRoot } from '../../../scripts/support/paths.ts';
import type { Editor } from '../../support/vscode/editor.ts';

/** The menu that the editor shows for a place in a panel. */
interface ContextMenu {
  /** Titles of its entries. */
  readonly entries: readonly string[];
  /** Runs the command of an entry as the editor does, with the context of the place. */
  choose(title: string): Promise<unknown>;
}

interface MenuManifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly menus: {
      readonly 'webview/context': readonly { readonly command: string; readonly when: string }[];
    };
  };
}

const readJson = (file: string) => JSON.parse(readFileSync(fromRoot(file), 'utf8'));
const { contributes }: MenuManifest = readJson('package.json');
const texts: Readonly<Record<string, string>> = readJson('package.nls.json');

/** The menu of the place in the page of the active panel where `open` opens one, by mouse or by key. */
export async function menuOpenedBy(
  editor: Editor,
  page: Page,
  open: () => Promise<unknown>,
): Promise<ContextMenu> {
  const opening = await page.evaluateHandle(listenForMenu);
  await open();
  const parts = await opening.evaluate(({ contexts }) => contexts);
  const context = Object.assign({}, ...parts.map((part) => JSON.parse(part)));
  const keys = { ...context, webviewId: editor.panels.find(({ active }) => active)?.viewType };
  const commands = new Map(
    contributes.menus['webview/context']
      .filter(({ when }) => holds(when, keys))
      .map(({ command }) => [titleOf(command), command]),
  );
  const entries = [...commands.keys()];
  return {
    entries,
    async choose(title) {
      const command = commands.get(title);
      if (command === undefined) throw new Error(`“${title}” is not in the menu: ${entries.join(', ')}.`);
      return editor.runCommand(command, context);
    },
  };
}

function titleOf(id: string): string {
  const title = contributes.commands.find(({ command }) => command === id)?.title ?? '';
  return texts[title.replaceAll('%', '')] ?? title;
}

/** Whether a condition holds, which is of `key` and `key == 'value'`, joined by `&&`. */
function holds(when: string, keys: Readonly<Record<string, unknown>>): boolean {
  return when.split(' && ').every((part) => {
    const [, key = '', value] = /^(\w+)(?: == '([^']*)')?$/.exec(part) ?? [];
    if (key === '') throw new Error(`This part of a condition is not read here: ${part}.`);
    return value === undefined ? Boolean(keys[key]) : keys[key] === value;
  });
}

/** Gives the contexts of the place of the next menu, the outermost first. Runs in the page. */
function listenForMenu(): { readonly contexts: Promise<readonly string[]> } {
  const { document } = globalThis as unknown as {
    document: {
      addEventListener(
        name: string,
        listen: (event: { composedPath(): readonly PlaceInPage[] }) => void,
        options: { readonly once: boolean; readonly capture: boolean },
      ): void;
    };
  };
  const contexts = new Promise<readonly string[]>((resolve) => {
    document.addEventListener(
      'contextmenu',
      (event) => {
        const places = event.composedPath().map(({ dataset }) => dataset?.vscodeContext ?? '{}');
        resolve(places.reverse());
      },
      { once: true, capture: true },
    );
  });
  return { contexts };
}

interface PlaceInPage {
  readonly dataset?: { readonly vscodeContext?: string };
}
