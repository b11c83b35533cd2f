import { readFile } from 'node:fs/promises';
import type * as vscode from 'vscode';
import { URI, Utils } from 'vscode-uri';
import { bundlePath, readMessages } from '../../../scripts/support/bundles.ts';
import { fromRoot } from '../../../scripts/support/paths.ts';
import { memorySecrets } from '../../support/memory.ts';
import { createConfiguration, type SettingsManifest, type SettingValues } from './editorConfiguration.ts';
import { createDialogs, type User } from './editorDialogs.ts';
import { createEditorFiles } from './editorFiles.ts';
import {
  CancellationTokenSource,
  Disposable,
  EventEmitter,
  FileSystemError,
  MarkdownString,
  Position,
  Range,
  RelativePattern,
  Selection,
  type Tab,
  ThemeColor,
  ThemeIcon,
} from './editorTypes.ts';
import { environment } from './environment.ts';
import { WebviewPanel } from './webviewPanel.ts';

export interface EditorOptions {
  /** User settings, before the extension is activated. */
  readonly settings: SettingValues;
  /** Folder that is open. */
  readonly folder: string;
  /** What {@link Editor.storage} of an earlier window holds, to begin with. */
  readonly storage?: EditorStorage;
  /** Functions for agents as this editor has them; undefined for one that it lacks. */
  readonly lm?: Readonly<Partial<Record<keyof typeof vscode.lm, unknown>>>;
  readonly secrets?: vscode.SecretStorage;
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
export interface EditorStorage {
  readonly global: Map<string, unknown>;
  readonly workspace: Map<string, unknown>;
  readonly secrets: Map<string, string>;
}

/**
 * The part of VS Code's API that panels use, in memory: the built extension runs on it in the process of the tests, and
 * its webviews in a page of their own. What is only VS Code's (hovers, lenses, notebooks) is registered and
 * ignored: host tests and end-to-end tests are for that.
 */
export class Editor {
  readonly user: User;
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
  /** Texts that were shown in editors, the last one last. */
  readonly texts: string[] = [];
  clipboard = '';
  readonly api: typeof vscode;
  readonly #commands = new Map<string, (...args: readonly unknown[]) => unknown>();
  readonly #serializers = new Map<string, vscode.WebviewPanelSerializer>();
  readonly #contentProviders = new Map<string, vscode.TextDocumentContentProvider>();
  readonly #fileSystems = new Map<string, vscode.FileSystemProvider>();
  readonly #didCreatePanel = new EventEmitter<WebviewPanel>();
  readonly #configuration: ReturnType<typeof createConfiguration>;
  readonly #manifest: SettingsManifest;
  readonly #folder: URI;
  readonly #secrets: vscode.SecretStorage;
  readonly #language: string;

  private constructor(options: EditorOptions, manifest: SettingsManifest) {
    this.#manifest = manifest;
    this.#folder = URI.file(options.folder).with({ scheme: options.isWeb ? 'vscode-vfs' : 'file' });
    this.#configuration = createConfiguration(manifest, options.settings);
    this.storage = options.storage ?? { global: new Map(), workspace: new Map(), secrets: new Map() };
    const { user, window } = createDialogs();
    this.user = user;
    this.#secrets = options.secrets ?? memorySecrets(this.storage.secrets);
    this.#language = options.language ?? 'en';
    this.api = this.#createApi(window, options.lm);
  }

  static async open(options: EditorOptions): Promise<Editor> {
    return new Editor(options, JSON.parse(await readFile(fromRoot('package.json'), 'utf8')));
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
      extensionUri: URI.file(environment().extension),
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

  updateSettings(settings: SettingValues): void {
    this.#configuration.update(settings);
  }

  closePanels(): void {
    for (const panel of [...this.panels]) panel.dispose();
  }

  #createPanel(viewType: string, title: string): WebviewPanel {
    for (const other of this.panels) other.deactivate();
    const panel = new WebviewPanel(viewType, title, {
      onDidActivate: () => {
        for (const other of this.panels) if (other !== panel) other.deactivate();
      },
      onDidDispose: () => this.panels.splice(this.panels.indexOf(panel), 1),
    });
    this.panels.push(panel);
    this.#didCreatePanel.fire(panel);
    return panel;
  }

  #createApi(dialogs: Partial<typeof vscode.window>, lm: EditorOptions['lm'] = {}): typeof vscode {
    const api = {
      ...{ Uri: Object.assign(URI, { joinPath: Utils.joinPath }), Disposable, EventEmitter },
      ...{ CancellationTokenSource, FileSystemError, MarkdownString, Position, Range, Selection },
      ...{ RelativePattern, ThemeColor, ThemeIcon },
      ...enums,
      ...tabKinds,
      l10n: { t: createLocalizer(this.#language), bundle: undefined, uri: undefined },
      env: this.#createEnv(),
      commands: this.#createCommands(),
      window: this.#createWindow(dialogs),
      workspace: this.#createWorkspace(),
      languages: ignoring({ match: () => 0, getLanguages: async () => [] }),
      lm: ignoring(lm),
      notebooks: ignoring({}),
      extensions: { getExtension: () => undefined },
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
        // The editor's own commands change what no panel shows.
        else if (id.startsWith('chainside.')) return this.runCommand(id, ...args);
        return undefined;
      },
    };
  }

  #createWindow(dialogs: Partial<typeof vscode.window>) {
    return ignoring({
      ...dialogs,
      activeTextEditor: undefined,
      visibleTextEditors: [],
      state: { focused: true, active: true },
      tabGroups: {
        ...{ all: [], activeTabGroup: { activeTab: undefined, tabs: [] as Tab[], viewColumn: 1 } },
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
      createWebviewPanel: (viewType: string, title: string) => this.#createPanel(viewType, title).asApi(),
      showTextDocument: async (uri: URI) => {
        const provider = this.#contentProviders.get(uri.scheme);
        const files = this.#fileSystems.get(uri.scheme);
        const text = provider
          ? await provider.provideTextDocumentContent(uri, new CancellationTokenSource().token as never)
          : new TextDecoder().decode(await (files?.readFile(uri) ?? readFile(uri.fsPath)));
        this.texts.push(text ?? '');
        return { document: { uri }, revealRange: ignore, setDecorations: ignore };
      },
    });
  }

  #createWorkspace() {
    const folder = { uri: this.#folder, name: 'workspace', index: 0 };
    const isInside = (uri: URI) => uri.path.startsWith(`${folder.uri.path}/`);
    return ignoring({
      ...this.#configuration.api,
      ...createEditorFiles(folder.uri),
      registerTextDocumentContentProvider: (scheme: string, provider: vscode.TextDocumentContentProvider) => {
        this.#contentProviders.set(scheme, provider);
        return new Disposable(() => this.#contentProviders.delete(scheme));
      },
      registerFileSystemProvider: (scheme: string, provider: vscode.FileSystemProvider) => {
        this.#fileSystems.set(scheme, provider);
        return new Disposable(() => this.#fileSystems.delete(scheme));
      },
      isTrusted: true,
      workspaceFolders: [folder],
      textDocuments: [],
      notebookDocuments: [],
      getWorkspaceFolder: (uri: URI) => (isInside(uri) ? folder : undefined),
      asRelativePath: (uri: URI | string) => {
        const path = typeof uri === 'string' ? uri : uri.path;
        return path.startsWith(`${folder.uri.path}/`) ? path.slice(folder.uri.path.length + 1) : path;
      },
      createFileSystemWatcher: () => ({
        ...{ onDidCreate: noEvent, onDidChange: noEvent, onDidDelete: noEvent, dispose: ignore },
      }),
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
  FileType: { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 },
  InputBoxValidationSeverity: { Info: 1, Warning: 2, Error: 3 },
  ProgressLocation: { SourceControl: 1, Window: 10, Notification: 15 },
  QuickInputButtons: { Back: {} },
  QuickPickItemKind: { Separator: -1, Default: 0 },
  StatusBarAlignment: { Left: 1, Right: 2 },
  TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
  ViewColumn: { Active: -1, Beside: -2, One: 1 },
} as const;

const tabKinds = Object.fromEntries(
  ['Text', 'TextDiff', 'Custom', 'Notebook', 'NotebookDiff', 'Webview'].map((kind) => [
    `TabInput${kind}`,
    class {},
  ]),
);
