import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { cacheFolder } from '../../../scripts/support/paths.ts';
import type { Editor, EditorOptions } from '../../support/vscode/editor.ts';
import { environment } from './environment.ts';
import { type ActivatedEditor, activateExtension } from './extension.ts';
import { showPanel } from './panelPage.ts';

/** An activated extension whose panels are shown in pages of a browser. */
export interface PanelWindow {
  editor(): Editor;
  /** The page of the panel that `show` opens. */
  pageShownBy(show: () => Promise<unknown>): Promise<Page>;
  /** Closes a panel's page, as a reload of the window does, and shows it again by what the page stored. */
  reload(page: Page): Promise<Page>;
  /** Closes the window, and with it the extension; nothing can be done in it then. */
  close(): Promise<void>;
}

export interface PanelWindowOptions extends Partial<EditorOptions> {
  readonly settings: EditorOptions['settings'];
  /** Puts files into the folder before it is opened. */
  readonly fillFolder?: (folder: string) => Promise<void>;
}

/** Of a test's report. */
const MAX_ERRORS = 5;

/** For a suite: such a window, without panels after each test. An error of a page or of the extension fails the test. */
export function usePanelWindow(options: () => PanelWindowOptions): PanelWindow {
  let folder = '';
  let activated: ActivatedEditor | undefined;
  const errors: string[] = [];
  const shown = new Map<Page, Editor['panels'][number]>();
  let closed = false;
  const editor = () => activated?.editor ?? assert.fail('The extension is not activated.');

  async function show(panel: Editor['panels'][number]): Promise<Page> {
    const page = await showPanel(panel, { onError: (error) => errors.push(error) });
    shown.set(page, panel);
    return page;
  }

  async function close(): Promise<void> {
    closed = true;
    await activated?.[Symbol.asyncDispose]();
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chainside-component-'));
    const { fillFolder, ...settings } = options();
    await fillFolder?.(folder);
    activated = await activateExtension({ folder, ...settings });
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed')
      await takePictures(this.currentTest.fullTitle(), [...shown.keys()]);
    environment().localnet.explorer.setIntercept(undefined);
    editor().closePanels();
    shown.clear();
    const met = [...errors.splice(0), ...editor().errors.splice(0)];
    // No diff: of thousands of errors it takes gigabytes.
    if (met.length > 0) assert.fail([`Errors: ${met.length}`, ...met.slice(0, MAX_ERRORS)].join('\n'));
  });
  after(async () => {
    if (!closed) await close();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    editor,
    close,
    pageShownBy: async (open) => show(await editor().panelOpenedBy(open)),
    async reload(page) {
      const panel = shown.get(page) ?? assert.fail('The page shows no panel.');
      const { viewType, state } = panel;
      panel.dispose();
      return show(await editor().restorePanel(viewType, state));
    },
  };
}

/** Takes pictures of a failed test, and says where they are as reports of windows do. */
async function takePictures(title: string, pages: readonly Page[]): Promise<void> {
  const folder = join(cacheFolder, 'screenshots');
  await mkdir(folder, { recursive: true });
  for (const [number, page] of pages.entries()) {
    const path = join(folder, `component-${title.replaceAll(/\W+/g, '-').slice(0, 80)}-${number}.png`);
    await page.screenshot({ path }).then(
      () => console.error(`On the screen when it failed: ${title}\n  Picture: ${path}`),
      () => undefined,
    );
  }
}
