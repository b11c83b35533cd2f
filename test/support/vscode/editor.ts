import { readFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { URI, Utils } from 'vscode-uri';
import { bundlePath, readMessages } from '../../../scripts/support/bundles.ts';
import { fromRoot } from '../../../scripts/support/paths.ts';
import { memorySecrets } from '../memory.ts';
import {
  CancellationTokenSource,
  Disposable,
  EventEmitter,
  FileSystemError,
  Location,
  MarkdownString,
  Position,
  Range,
  RelativePattern,
  records,
  Selection,
  ThemeColor,
  ThemeIcon,
  WorkspaceEdit,
} from './classes.ts';
import { createConfiguration, type SettingsManifest, type SettingValues } from './configuration.ts';
import { createDialogs, User } from './dialogs.ts';
import { createDocuments } from './documents.ts';
import { createEditorFiles } from './files.ts';
import { createLanguages } from './languages.ts';
import { WebviewPanel } from './webviewPanel.ts';

export interface EditorOptions {
  /** User settings, before the extension is activated. */
  readonly settings: SettingValues;
  /** Folder that is open. */
  readonly folder: string;
  /** Folder of the extension. */
  readonly extension: string;
  /** What {@link Editor.storage} of an earlier window holds, to begin with. */
  readonly storage?: EditorStorage;
  /** Functions for agents as this editor has them; undefined for one that it lacks. */
  readonly lm?: Readonly<Partial<Record<keyof typeof vscode.lm, unknown>>>;
  /** The language of the editor; English by default. */
  readonly language?: string;
  /** As in a browser without a server: there is no Node, and the folder is on no disk. Default: false. */
  readonly isWeb?: boolean;
}

interface StatusItem {
  readonly text: string;
  readonly command: string;
}

/** What the editor stores for the extension beyond a window. */
interface EditorStorage {
  readonly global: Map<string, unknown>;
  readonly workspace: Map<string, unknown>;
  readonly secrets: Map<string, string>;
}

/**
 * The part of VS Code's API that the extension uses, in memory. The built extension runs on it in component tests, with
 * its webviews in a page of their own; unit tests have it as the module `vscode`. What is only VS Code's (notebooks,
 * terminals) is registered and ignored: host tests and end-to-end tests are for that.
 */
export class Editor {
  readonly user = new User();
  readonly panels: WebviewPanel[] = [];
  readonly storage: EditorStorage;
  /** Errors that the extension has logged. */
  readonly errors: string[] = [];
  readonly warnings: string[] = [];
  /** Context keys that `when` clauses read. */
  readonly contextKeys = new Map<string, unknown>();
  /** Items that are shown in it. */
  readonly statusBar = new Set<StatusItem>();
  /** What has the rows of a view, which nothing draws. */
  readonly trees = new Map<string, vscode.TreeDataProvider<unknown>>();
  clipboard = '';
  readonly api: typeof vscode;
  readonly #commands = new Map<string, (...args: readonly unknown[]) => unknown>();
  readonly #serializers = new Map<string, vscode.WebviewPanelSerializer>();
  readonly #contentProviders: {
    readonly scheme: string;
    readonly provider: vscode.TextDocumentContentProvider;
  }[] = [];
  readonly #files: ReturnType<typeof createEditorFiles>;
  readonly #documents = createDocuments({
    readText: (uri) => this.#readText(uri),
    writeText: (uri, text) => this.#files.api.fs.writeFile(uri, new TextEncoder().encode(text)),
  });
  readonly #languages = createLanguages((uri) => this.#documents.workspace.openTextDocument(uri));
  readonly #didCreatePanel = new EventEmitter<WebviewPanel>();
  readonly #configuration: ReturnType<typeof createConfiguration>;
  readonly #manifest: SettingsManifest;
  readonly #folder: URI;
  readonly #secrets: vscode.SecretStorage;
  readonly #language: string;
  readonly #extension: string;

  constructor(options: EditorOptions) {
    this.#manifest = JSON.parse(readFileSync(fromRoot('package.json'), 'utf8'));
    this.#extension = options.extension;
    this.#folder = URI.file(options.folder).with({ scheme: options.isWeb ? 'vscode-vfs' : 'file' });
    this.#files = createEditorFiles(this.#folder);
    this.#configuration = createConfiguration(this.#manifest, options.settings);
    this.storage = options.storage ?? { global: new Map(), workspace: new Map(), secrets: new Map() };
    this.#secrets = memorySecrets(this.storage.secrets);
    this.#language = options.language ?? 'en';
    this.api = this.#createApi(createDialogs(this.user), options);
  }

  /** Texts that are shown in editors, the last one last. */
  get texts(): readonly string[] {
    return this.#documents.shown.map(({ document }) => document.getText());
  }

  /** What `activate` gets. */
  createContext(): vscode.ExtensionContext {
    const { global, workspace } = this.storage;
    const storageUri = Utils.joinPath(this.#folder, '.storage');
    return {
      subscriptions: [],
      secrets: this.#secrets,
      globalState: memento(global),
      workspaceState: memento(workspace),
      globalStorageUri: Utils.joinPath(storageUri, 'global'),
      storageUri: Utils.joinPath(storageUri, 'workspace'),
      extensionUri: URI.file(this.#extension),
      extension: { packageJSON: this.#manifest },
    } as unknown as vscode.ExtensionContext;
  }

  hasCommand(id: string): boolean {
    return this.#commands.has(id);
  }

  async runCommand(id: string, ...args: readonly unknown[]): Promise<unknown> {
    const run = this.#commands.get(id);
    if (!run) throw new Error(`No command ${id} is registered.`);
    return run(...args);
  }

  /** The panel that `show` opens. */
  async panelOpenedBy(show: () => Promise<unknown>): Promise<WebviewPanel> {
    const opened = new Promise<WebviewPanel>((resolve) => {
      const listening = this.#didCreatePanel.event((panel) => {
        listening.dispose();
        resolve(panel);
      });
    });
    // What runs in the panel may take longer than the panel needs to open.
    const shown = show();
    return Promise.race([opened, shown.then(() => opened)]);
  }

  /** Brings a panel back as after a reload of the window, with what its page stored. */
  async restorePanel(viewType: string, state: unknown): Promise<WebviewPanel> {
    const panel = this.#createPanel(viewType, '');
    panel.state = state;
    await this.#serializers.get(viewType)?.deserializeWebviewPanel(panel.asApi(), state);
    return panel;
  }

  /** Empties the folder and the storage; fails where settings are not as at the start. */
  async reset(): Promise<void> {
    this.closeTabs();
    for (const name of await readdir(this.#folder.fsPath))
      await rm(join(this.#folder.fsPath, name), { recursive: true, force: true });
    for (const stored of Object.values(this.storage)) stored.clear();
    this.#configuration.assertUnchanged();
  }

  updateSettings(settings: SettingValues): void {
    this.#configuration.update(settings);
  }

  closeTabs(): void {
    this.closePanels();
    this.#documents.close();
  }

  closePanels(): void {
    for (const panel of [...this.panels]) panel.dispose();
  }

  #createPanel(viewType: string, title: string): WebviewPanel {
    for (const other of this.panels) other.deactivate();
    const panel = new WebviewPanel(viewType, title, {
      onDidActivate: () => {
        this.#documents.deactivate();
        for (const other of this.panels) if (other !== panel) other.deactivate();
      },
      onDidDispose: () => this.panels.splice(this.panels.indexOf(panel), 1),
    });
    this.panels.push(panel);
    this.#documents.deactivate();
    this.#didCreatePanel.fire(panel);
    return panel;
  }

  #createApi(dialogs: object, options: EditorOptions): typeof vscode {
    const api = {
      ...{ Uri: Object.assign(URI, { joinPath: Utils.joinPath }), Disposable, EventEmitter },
      ...{ CancellationTokenSource, FileSystemError, MarkdownString, Position, Range, Selection },
      ...{ Location, RelativePattern, ThemeColor, ThemeIcon, WorkspaceEdit },
      ...enums,
      ...records,
      l10n: { t: createLocalizer(this.#language), bundle: undefined, uri: undefined },
      env: this.#createEnv(),
      commands: this.#createCommands(),
      window: this.#createWindow(dialogs),
      workspace: this.#createWorkspace(),
      languages: ignoring(this.#languages.api),
      lm: ignoring(options.lm ?? {}),
      notebooks: ignoring({}),
      extensions: { getExtension: () => ({ packageJSON: this.#manifest }) },
    };
    return api as unknown as typeof vscode;
  }

  #createEnv() {
    return {
      language: this.#language,
      clipboard: {
        readText: async () => this.clipboard,
        writeText: async (text: string) => {
          this.clipboard = text;
        },
      },
      openExternal: async (uri: URI) => this.user.opened.push(uri.toString()) > 0,
    };
  }

  #createCommands() {
    return {
      registerCommand: (id: string, run: (...args: readonly unknown[]) => unknown) => {
        this.#commands.set(id, run);
        return new Disposable(() => this.#commands.delete(id));
      },
      executeCommand: async (id: string, ...args: readonly unknown[]) => {
        if (id === 'setContext') this.contextKeys.set(String(args[0]), args[1]);
        else if (id === 'workbench.action.closeAllEditors') this.closeTabs();
        // Most of the editor's own commands change what no test sees.
        else if (this.hasCommand(id) || id.startsWith('chainside.')) return this.runCommand(id, ...args);
        return this.#languages.commands[id]?.(...(args as never[]));
      },
    };
  }

  #createWindow(dialogs: object) {
    const documents = this.#documents;
    const { panels } = this;
    const tabGroup = () => {
      const others = panels.map(({ title: label, viewType, active: isActive }) => ({
        ...{ label, isActive, input: new records.TabInputWebview(`mainThreadWebview-${viewType}`) },
      }));
      const tabs = [...documents.tabs(), ...others];
      return { activeTab: tabs.find(({ isActive }) => isActive), tabs, viewColumn: 1 };
    };
    return ignoring({
      ...dialogs,
      ...documents.window,
      get activeTextEditor() {
        return documents.active;
      },
      get visibleTextEditors() {
        return documents.active ? [documents.active] : [];
      },
      state: { focused: true, active: true },
      tabGroups: {
        get all() {
          return [tabGroup()];
        },
        get activeTabGroup() {
          return tabGroup();
        },
        ...{ onDidChangeTabs: noEvent, close: async () => true },
      },
      createOutputChannel: () => ({
        ...{ error: (text: string) => this.errors.push(text), logLevel: 1, name: 'Chainside' },
        ...{
          warn: (text: string) => this.warnings.push(text),
          trace: ignore,
          debug: ignore,
          info: ignore,
          show: ignore,
          dispose: ignore,
        },
        ...{ append: ignore, appendLine: ignore, clear: ignore, onDidChangeLogLevel: noEvent },
      }),
      createStatusBarItem: () => {
        const hide = () => this.statusBar.delete(item);
        const item = { text: '', command: '', show: () => this.statusBar.add(item), hide, dispose: hide };
        return item;
      },
      createTreeView: (id: string, { treeDataProvider }: vscode.TreeViewOptions<unknown>) => {
        this.trees.set(id, treeDataProvider);
        return {
          ...{ visible: false, selection: [], badge: undefined, reveal: async () => undefined },
          ...{ onDidChangeVisibility: noEvent, onDidExpandElement: noEvent, onDidCollapseElement: noEvent },
          ...{ onDidChangeSelection: noEvent, onDidChangeCheckboxState: noEvent, dispose: ignore },
        };
      },
      registerWebviewPanelSerializer: (viewType: string, serializer: vscode.WebviewPanelSerializer) => {
        this.#serializers.set(viewType, serializer);
        return new Disposable(() => this.#serializers.delete(viewType));
      },
      async showTextDocument(...shown: Parameters<typeof documents.window.showTextDocument>) {
        for (const panel of panels) panel.deactivate();
        return documents.window.showTextDocument(...shown);
      },
      createWebviewPanel: (viewType: string, title: string) => this.#createPanel(viewType, title).asApi(),
    });
  }

  async #readText(uri: URI): Promise<string> {
    const { provider } = this.#contentProviders.findLast(({ scheme }) => scheme === uri.scheme) ?? {};
    if (!provider) return new TextDecoder().decode(await this.#files.api.fs.readFile(uri));
    const { token } = new CancellationTokenSource();
    return (
      (await provider.provideTextDocumentContent(uri, token as unknown as vscode.CancellationToken)) ?? ''
    );
  }

  #createWorkspace() {
    const folder = { uri: this.#folder, name: 'workspace', index: 0 };
    const isInside = (uri: URI) => `${uri.path}/`.startsWith(`${folder.uri.path}/`);
    const reload = (uri: URI) => void this.#documents.reload(uri);
    const { registerFileSystemProvider, ...files } = this.#files.api;
    this.#files.onDidChange(({ uri, kind }) => kind === 'changed' && reload(uri));
    return ignoring({
      ...this.#configuration.api,
      ...files,
      ...this.#documents.workspace,
      registerTextDocumentContentProvider: (scheme: string, provider: vscode.TextDocumentContentProvider) => {
        const registered = { scheme, provider };
        this.#contentProviders.push(registered);
        const changes = provider.onDidChange?.(reload);
        const all = this.#contentProviders;
        return Disposable.from({ dispose: () => all.splice(all.indexOf(registered), 1) }, changes ?? nothing);
      },
      registerFileSystemProvider: (scheme: string, provider: vscode.FileSystemProvider) => {
        const changes = provider.onDidChangeFile((events) => {
          for (const { uri } of events) reload(uri);
        });
        return Disposable.from(registerFileSystemProvider(scheme, provider), changes);
      },
      isTrusted: true,
      workspaceFolders: [folder],
      notebookDocuments: [],
      getWorkspaceFolder: (uri: URI) => (isInside(uri) ? folder : undefined),
      asRelativePath: (uri: URI | string) => {
        const path = typeof uri === 'string' ? uri : uri.path;
        return path.startsWith(`${folder.uri.path}/`) ? path.slice(folder.uri.path.length + 1) : path;
      },
    });
  }
}

function ignore(): void {}

const nothing = new Disposable(ignore);
const noEvent = () => nothing;

/** `members`, and for every `register…`, `create…` and `onDid…` beside them one that does nothing. */
function ignoring<T extends object>(members: T): T {
  return new Proxy(members, {
    get: (target, name) =>
      name in target || typeof name === 'symbol' || !/^(register|create|on(Did|Will))[A-Z]/.test(name)
        ? Reflect.get(target, name)
        : () => ignoring({ dispose: ignore, set: ignore, delete: ignore, clear: ignore }),
  });
}

function memento(values: Map<string, unknown>) {
  return {
    keys: () => [...values.keys()],
    get: (key: string, fallback?: unknown) => values.get(key) ?? fallback,
    update: async (key: string, value: unknown) => {
      if (value === undefined) values.delete(key);
      else values.set(key, JSON.parse(JSON.stringify(value)));
    },
    setKeysForSync: ignore,
  };
}

type Localize = (
  text: string | { readonly message: string; readonly args?: unknown },
  ...args: unknown[]
) => string;

/** Translates as the editor does, by the bundle of the language; a message without a translation stays English. */
function createLocalizer(language: string): Localize {
  const bundle = language === 'en' ? {} : readMessages(bundlePath(language));
  const localize: Localize = (text, ...args) => {
    if (typeof text !== 'string')
      return localize(text.message, ...(Array.isArray(text.args) ? text.args : [text.args]));
    const [first] = args;
    const values = (typeof first === 'object' && first !== null ? first : args) as Record<string, unknown>;
    return (bundle[text] ?? text).replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole));
  };
  return localize;
}

const enums = {
  CodeActionKind: { QuickFix: {} },
  CompletionItemKind: { Constant: 20 },
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  NotebookCellKind: { Markup: 1, Code: 2 },
  ConfigurationTarget: { Global: 1, Workspace: 2, WorkspaceFolder: 3 },
  FileChangeType: { Changed: 1, Created: 2, Deleted: 3 },
  FilePermission: { Readonly: 1 },
  FileType: { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 },
  InputBoxValidationSeverity: { Info: 1, Warning: 2, Error: 3 },
  ProgressLocation: { SourceControl: 1, Window: 10, Notification: 15 },
  QuickInputButtons: { Back: {} },
  QuickPickItemKind: { Separator: -1, Default: 0 },
  StatusBarAlignment: { Left: 1, Right: 2 },
  TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
  ViewColumn: { Active: -1, Beside: -2, One: 1 },
} as const;
