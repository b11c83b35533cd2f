import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser, FrameLocator, Locator, Page } from 'playwright-core';
import type { Localnet } from '../../../localnet/start.ts';
import { cacheFolder } from '../../../scripts/support/paths.ts';
import { describeFailure, keepMessages } from '../../../scripts/support/workbench/describeWindow.ts';
import * as driver from '../../../scripts/support/workbench/driver.ts';
import type { InstalledWorkbench } from '../../../scripts/support/workbench/install.ts';
import { openWorkbench } from '../../../scripts/support/workbench/page.ts';
import {
  type Settings,
  startWorkbenchServer,
  type WorkbenchServerOptions,
} from '../../../scripts/support/workbench/server.ts';
import { NOWHERE, testSettings } from '../../../scripts/support/workbench/testSettings.ts';
import { waitFor, waitUntil } from '../../../scripts/support/workbench/waitUntil.ts';
import { collectErrors } from './consoleErrors.ts';

export interface Workbench extends AsyncDisposable {
  readonly page: Page;
  /** Folder that is open. */
  readonly folder: string;
  /** Folder of what the extension keeps beyond a window. */
  readonly storage: string;
  /** Errors since the start, of the page, its webviews and its extension host. */
  readonly errors: readonly string[];
  /** @param asked a part of the question that the command asks, if it asks one. */
  runCommand(title: string, asked?: Locator): Promise<void>;
  openView(container: string): Promise<void>;
  closeEditors(): Promise<void>;
  openFile(path: string): Promise<void>;
  /** The first line with this text, in the editor that was opened last. */
  editorLine(text: string): Locator;
  quickPickRow(label: string): Locator;
  notification(text: string | RegExp): Locator;
  /** The question of an input box or a list that has this prompt. */
  question(prompt: RegExp): Locator;
  /** Types into the input box that asks with this prompt, and confirms. */
  answer(prompt: RegExp, text: string): Promise<void>;
  /** Picks a network by its name, in the list that the command opens, and waits until it is the active one. */
  selectNetwork(name: string): Promise<void>;
  /** Types into the input box that is open, in place of what stands there. */
  fillInput(text: string): Promise<void>;
  /** The document of the webview panel that `show` brings to the front. */
  webviewShownBy(show: () => Promise<unknown>): Promise<FrameLocator>;
  updateSettings(change: Settings): Promise<void>;
  setTheme(theme: driver.Theme): Promise<void>;
  /** Resolves once a file that the extension keeps for all windows holds all of these texts. */
  keeps(...texts: readonly string[]): Promise<void>;
  /** Loads the page again, as after a restart. */
  reload(): Promise<void>;
  /** Reloads the window by its command, which keeps its editors. */
  reloadWindow(): Promise<void>;
  /** Folder of what its server, windows and extensions log. */
  readonly logs: string;
  /** Writes `.cache/screenshots/NAME.png`, to be looked at; not where all tests of the project run. */
  screenshot(name: string): Promise<void>;
}

export interface WorkbenchOptions extends WorkbenchServerOptions {
  readonly size?: { readonly width: number; readonly height: number };
  /** Whether no network is chosen, as when the extension is new; else one is: by default `mainnet`, at no address. */
  readonly isFirstLaunch?: boolean;
  /** Opens the folder in a file system that only `workspace.fs` reads, and nobody writes. */
  readonly isVirtual?: boolean;
  /** Puts files into the folder before it is opened. */
  readonly fillFolder?: (folder: string) => Promise<void>;
}

/** Starts a VS Code of its own with the packaged extension and opens it in a browser of its own. */
export async function startWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const { browser, workbench, installed, builtIn } = environment();
  const folder = await mkdtemp(join(tmpdir(), 'chainside-workspace-'));
  await options.fillFolder?.(folder);
  const choice = options.isFirstLaunch ? {} : usualNetwork;
  const settings = { ...testSettings, ...noTooltips, ...choice, ...options.settings };
  const server = await startWorkbenchServer(workbench, { ...options, settings, keys, installed, builtIn });
  let errors: readonly string[] = [];
  const page = await openWorkbench(browser, server, {
    workspace: options.isVirtual ? `memfs:${folder}` : folder,
    ...(options.size === undefined ? {} : { size: options.size }),
    prepare: async (page) => {
      errors = collectErrors(page);
      await keepMessages(page);
    },
  });
  const press = (command: keyof typeof keys) => page.keyboard.press(keys[command].replace('Ctrl', 'Control'));
  async function updateSettings(change: Settings): Promise<void> {
    await server.updateSettings(change);
    // code-server does not watch the user's settings; writing one through the workbench makes it read them all. It
    // refuses to write over what it has not read, and then has read it.
    const settings = () => readFile(server.settingsFile, 'utf8');
    const before = await settings();
    const isWritten = async () => (await settings()) !== before;
    for (let tries = 1; !(await isWritten()); tries++) {
      await press('editor.action.toggleMinimap');
      const written = waitUntil('the workbench has read the settings and written one', isWritten, {
        seconds: 3,
      });
      // It refuses to write over what it has not read yet.
      await written.catch((error) => (tries < 5 ? undefined : Promise.reject(error)));
    }
  }
  const quickPickRow = (label: string) => driver.quickPickRow(page, label);
  const question = (prompt: RegExp) => driver.questionAsked(page, prompt);
  return {
    page,
    folder,
    storage: join(dirname(server.settingsFile), 'globalStorage', 'chainside.chainside'),
    errors,
    logs: server.logsFolder,
    runCommand: (title, asked) =>
      asked ? driver.runCommandAsking(page, title, asked) : driver.runCommand(page, title),
    async closeEditors() {
      await driver.actUntil(
        () => press('workbench.action.closeAllEditors'),
        page.locator('.editor-group-container.empty'),
      );
    },
    openView: (container) => driver.openView(page, container),
    openFile: (path) => driver.openFile(page, path),
    editorLine: (text) =>
      page.locator('.editor-instance').last().locator('.view-line').filter({ hasText: text }).first(),
    quickPickRow,
    notification: (text) => driver.notification(page, text),
    question,
    answer: (prompt, text) => driver.answerInput(page, question(prompt), text),
    async selectNetwork(name) {
      await driver.runCommandAsking(page, 'Chainside: Select Network…', quickPickRow(name));
      await quickPickRow(name).click();
      const active = page.locator('.statusbar-item[id$="chainside.network"]').filter({ hasText: name });
      await waitFor(`${name} is the active network`, active.waitFor());
    },
    fillInput: (text) => driver.fillInput(page, text),
    webviewShownBy: (show) => driver.webviewShownBy(page, show),
    updateSettings,
    async setTheme(theme) {
      await updateSettings({ 'workbench.colorTheme': driver.themes[theme].id });
      await waitFor(
        `the workbench is drawn in the theme ${driver.themes[theme].id}`,
        page.locator(`.monaco-workbench.${driver.themes[theme].kind}`).waitFor(),
      );
    },
    async keeps(...texts) {
      const kept = join(server.storageFolder, 'chainside.chainside');
      const holds = async (name: string) => {
        const content = await readFile(join(kept, name), 'utf8').catch(() => '');
        return texts.every((text) => content.includes(text));
      };
      await waitUntil(`a file of the extension holds ${texts.join(' and ')}`, async () => {
        const names = await readdir(kept).catch(() => []);
        return (await Promise.all(names.map(holds))).includes(true);
      });
    },
    async reload() {
      await page.reload();
      await driver.workbenchReady(page);
    },
    async reloadWindow() {
      const loaded = page.waitForEvent('load');
      await driver.runCommand(page, 'Developer: Reload Window');
      await loaded;
    },
    async screenshot(name) {
      if (process.env.CHAINSIDE_PICTURES === 'none') return;
      await mkdir(screenshots, { recursive: true });
      await page.screenshot({ path: join(screenshots, `${name}.png`) });
    },
    async [Symbol.asyncDispose]() {
      await page.context().close();
      await server[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Of what tests do often: the palette looks through all commands each time. */
const keys = {
  'workbench.action.closeAllEditors': 'Ctrl+Alt+Shift+F1',
  'editor.action.toggleMinimap': 'Ctrl+Alt+Shift+F2',
} as const;
const usualNetwork: Settings = {
  'chainside.network': 'mainnet',
  'chainside.networks': { mainnet: { rpcUrl: NOWHERE } },
};
const screenshots = join(cacheFolder, 'screenshots');
/** One that the pointer was left on would lie over the rows below it. */
const noTooltips: Settings = { 'workbench.hover.delay': 600_000 };

const isWebStage = process.env.CHAINSIDE_EXTENSION_HOST === 'web';

/** For a suite: one workbench for all its tests, and beside every failure what it showed, told and logged. */
export function useWorkbench(options: () => WorkbenchOptions = () => ({})): () => Workbench {
  let started: Workbench | undefined;
  const workbench = () => {
    if (started === undefined) throw new Error('The workbench has not been started.');
    return started;
  };
  before(async () => {
    started = await startWorkbench(options());
    // In a browser no node of this machine is requested before the user has chosen it.
    if (isWebStage && options().settings?.['chainside.network'] !== undefined)
      await started.runCommand('Chainside: Refresh');
  });
  showFailures(workbench);
  after(() => started?.[Symbol.asyncDispose]());
  return workbench;
}

/** For a suite: beside every failure what the workbench showed, told and logged. */
export function showFailures(workbench: () => Workbench): void {
  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    console.error(await failureReport(workbench(), this.currentTest.fullTitle()));
  });
}

/** What the window of a failed test showed, said and logged, with the errors in its console. */
export async function failureReport(workbench: Workbench, title: string): Promise<string> {
  const { page, logs, errors } = workbench;
  const report = await describeFailure(page, { title, logs, picture: title });
  return [report, ...errors.slice(-5).map((error) => `  Error in the console: ${error}`)].join('\n');
}

/** What all end-to-end tests of a run share. `scripts/testE2e.ts` provides it before it loads them. */
export interface Environment {
  readonly browser: Browser;
  readonly workbench: InstalledWorkbench;
  /** The packaged extension. */
  readonly vsix: string;
  /** Folder that it is installed in, with which every workbench begins. */
  readonly installed: string;
  /** Folder of the built-in extensions that every workbench has. */
  readonly builtIn: string;
  readonly localnet: Localnet;
}

let provided: Environment | undefined;

export function provideEnvironment(environment: Environment): void {
  provided = environment;
}

export function environment(): Environment {
  if (provided === undefined) throw new Error('End-to-end tests are run by npm run test:e2e.');
  return provided;
}
