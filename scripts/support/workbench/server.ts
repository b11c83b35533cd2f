import type { ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { run, startProcess, stopProcess } from '../childProcess.ts';
import { cacheFolder, fromRoot } from '../paths.ts';
import { doing } from '../progress.ts';
import { removeFolder } from '../script.ts';
import type { InstalledWorkbench } from './install.ts';
import { PATIENCE_MS } from './waitUntil.ts';

export interface WorkbenchServerOptions {
  /** User settings. */
  readonly settings?: Settings;
  /** Keys by the commands that they run, beside those of the editor: `{ 'editor.action.selectAll': 'ctrl+alt+f1' }`. */
  readonly keys?: Readonly<Record<string, string>>;
  /** VSIX files to install. */
  readonly extensions?: readonly string[];
  /** A folder of {@link installExtensions}, to begin with what is in it. */
  readonly installed?: string;
  /** A folder of {@link linkBuiltIns}, in place of all that are built in. */
  readonly builtIn?: string;
  /** Added to the environment of the extension host. */
  readonly env?: Readonly<Record<string, string>>;
  /** Reads `payload` of the page's address: extension development path, tests path. */
  readonly acceptPayload?: boolean;
  /** Display language, by a language pack that has no texts of the editor itself; default `en`. */
  readonly language?: string;
  /** Asks for trust in the workspace, as the desktop does. */
  readonly workspaceTrust?: boolean;
}

export interface WorkbenchServer extends AsyncDisposable {
  readonly origin: string;
  /** Host and port as `vscode-remote:` addresses name this server. */
  readonly authority: string;
  /** Changes settings of the user in their file. A workbench that is open reads it when it next writes to it. */
  updateSettings(change: Settings): Promise<void>;
  /** Where the user's settings are on the disk. */
  readonly settingsFile: string;
  /** Where extensions have their files, a folder each by their ids. */
  readonly storageFolder: string;
  /** Where windows and extensions log. */
  readonly logsFolder: string;
}

export type Settings = Readonly<Record<string, unknown>>;

/** Starts a VS Code server with a data folder of its own; ready when it resolves. */
export async function startWorkbenchServer(
  workbench: InstalledWorkbench,
  options: WorkbenchServerOptions = {},
): Promise<WorkbenchServer> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'chainside-workbench-'));
  await writeSettings(dataFolder, { ...quietSettings, ...trustSetting(options), ...options.settings });
  await writeKeys(dataFolder, options.keys ?? {});
  if (options.installed !== undefined) {
    await cp(options.installed, extensionsFolder(dataFolder), { recursive: true });
  }
  for (const file of options.extensions ?? []) await installExtension(workbench, dataFolder, file);
  if (options.language !== undefined) await writeLanguagePack(dataFolder, options.language);
  const logFile = join(cacheFolder, 'logs', `workbench-${workbench.version.vscode}.log`);
  const child = spawnServer(workbench, dataFolder, options);
  try {
    const port = await doing('Starting VS Code', () => listeningPort(child, logFile));
    return {
      origin: `http://127.0.0.1:${port}`,
      authority: `127.0.0.1:${port}`,
      updateSettings: async (change) =>
        writeSettings(dataFolder, { ...(await readSettings(dataFolder)), ...change }),
      settingsFile: settingsFile(dataFolder),
      storageFolder: join(dirname(settingsFile(dataFolder)), 'globalStorage'),
      logsFolder: join(dataFolder, 'data', 'logs'),
      [Symbol.asyncDispose]: () => stop(child, dataFolder),
    };
  } catch (error) {
    await stop(child, dataFolder);
    throw error;
  }
}

/** A workbench that reads an empty file on the way would take all defaults, and ask to be reloaded for some of them. */
async function writeSettings(dataFolder: string, settings: Settings): Promise<void> {
  const file = settingsFile(dataFolder);
  const whole = `${file}.whole`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(whole, JSON.stringify(settings, undefined, 2));
  await rename(whole, file);
}

async function writeKeys(dataFolder: string, keys: Readonly<Record<string, string>>): Promise<void> {
  const bindings = Object.entries(keys).map(([command, key]) => ({ key: key.toLowerCase(), command }));
  await writeFile(join(dirname(settingsFile(dataFolder)), 'keybindings.json'), JSON.stringify(bindings));
}

/** As the installation of a language pack leaves it. */
async function writeLanguagePack(dataFolder: string, language: string): Promise<void> {
  const texts = join(dataFolder, 'data', 'texts.json');
  await writeFile(texts, JSON.stringify({ version: '1.0.0', contents: {} }));
  const id = `chainside-tests.language-pack-${language}`;
  const pack = {
    ...{ hash: language, label: language, translations: { vscode: texts } },
    extensions: [{ extensionIdentifier: { id }, version: '1.0.0' }],
  };
  await writeFile(join(dataFolder, 'data', 'languagepacks.json'), JSON.stringify({ [language]: pack }));
}

/** The workbench writes the file too: a look in the middle of that finds it cut short, and another one whole. */
async function readSettings(dataFolder: string, looks = 20): Promise<Settings> {
  try {
    return JSON.parse(await readFile(settingsFile(dataFolder), 'utf8'));
  } catch (error) {
    if (looks <= 1) throw error;
    await sleep(50);
    return readSettings(dataFolder, looks - 1);
  }
}

function settingsFile(dataFolder: string): string {
  return join(dataFolder, 'data', 'User', 'settings.json');
}

function trustSetting(options: WorkbenchServerOptions): Settings {
  return { 'security.workspace.trust.enabled': options.workspaceTrust === true };
}

/** Keeps what is not ours off the screen, and the workbench off the network. */
const quietSettings = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'extensions.ignoreRecommendations': true,
  'extensions.autoCheckUpdates': false,
  'git.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.showReleaseNotes': false,
} as const;

/** Installs VSIX files into a new folder, for servers to begin with: an installation each takes as long as their start. */
export async function installExtensions(
  workbench: InstalledWorkbench,
  files: readonly string[],
  resources: AsyncDisposableStack,
): Promise<string> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'chainside-installed-'));
  resources.defer(() => removeFolder(dataFolder));
  for (const file of files) await installExtension(workbench, dataFolder, file);
  return extensionsFolder(dataFolder);
}

function extensionsFolder(dataFolder: string): string {
  return join(dataFolder, 'extensions');
}

async function installExtension(
  workbench: InstalledWorkbench,
  dataFolder: string,
  file: string,
): Promise<void> {
  const args = ['--install-extension', file, '--force', '--server-data-dir', dataFolder];
  await doing('Installing the extension into VS Code', () =>
    run(workbench.node, [workbench.serverMain, '--accept-server-license-terms', ...args]),
  );
}

/** Without an address the workbench never asks the extension gallery. */
const noGallery = JSON.stringify({ serviceUrl: '' });

const keepLogs = `--require=${fromRoot('scripts', 'support', 'workbench', 'fileLogger.cjs')}`;

function spawnServer(
  workbench: InstalledWorkbench,
  dataFolder: string,
  options: WorkbenchServerOptions,
): ChildProcess {
  const args = [
    keepLogs,
    workbench.serverMain,
    ...['--host', '127.0.0.1', '--port', '0', '--server-data-dir', dataFolder],
    ...['--without-connection-token', '--accept-server-license-terms', '--disable-telemetry'],
    ...(options.workspaceTrust === true ? [] : ['--disable-workspace-trust']),
    ...(options.language === undefined ? [] : ['--locale', options.language]),
    ...(options.acceptPayload === true ? ['--enable-smoke-test-driver'] : []),
    ...(options.builtIn === undefined ? [] : ['--builtin-extensions-dir', options.builtIn]),
  ];
  return startProcess(workbench.node, args, {
    env: { ...process.env, EXTENSIONS_GALLERY: noGallery, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function listeningPort(child: ChildProcess, logFile: string): Promise<number> {
  await mkdir(dirname(logFile), { recursive: true });
  const log = createWriteStream(logFile);
  child.stdout?.pipe(log);
  child.stderr?.pipe(log, { end: false });
  return new Promise((resolve, reject) => {
    const fail = (why: string) =>
      reject(new Error(`The VS Code server ${why}. Its words are in ${logFile}.`));
    const timer = setTimeout(() => fail(`was not ready after ${PATIENCE_MS / 1000} s`), PATIENCE_MS);
    let seen = '';
    child.stdout?.setEncoding('utf8').on('data', function look(text: string) {
      seen += text;
      const port = /Extension host agent listening on (\d+)/.exec(seen)?.[1];
      if (port === undefined) return;
      clearTimeout(timer);
      child.stdout?.off('data', look);
      resolve(Number(port));
    });
    child.once('exit', (code) => {
      clearTimeout(timer);
      fail(`ended with ${code}`);
    });
  });
}

async function stop(child: ChildProcess, dataFolder: string): Promise<void> {
  await stopProcess(child);
  await removeFolder(dataFolder);
}
