import * as vscode from 'vscode';
import {
  type Clock,
  type ContractIndex,
  createContractIndex,
  createProjectIndexer,
  createTimeSlices,
  type FolderEntry,
  isAppError,
  type ProjectFiles,
  type ProjectIndexer,
} from '../../core/index.ts';
import { Disposables } from '../disposables.ts';
import { loadNodeFiles } from '../files/nodeFiles.ts';
import { createTextStore } from '../files/storage.ts';
import { formatErrorForLog } from '../log.ts';
import type { Changes } from '../timing.ts';
import { createDiskProjectFiles, isContractFileChange } from '../workspace/walkFolders.ts';
import type { WorkspaceFiles } from '../workspace/workspaceFiles.ts';

/** How far the index is; `off` in a workspace that is not trusted. */
export type IndexState =
  | { readonly kind: 'idle' | 'off' | 'ready' }
  /** Files looked at, of those that may tell something. */
  | { readonly kind: 'reading'; readonly looked: number; readonly found: number };

export interface WorkspaceContractsDeps {
  readonly files: WorkspaceFiles;
  readonly clock: Clock;
  readonly log: vscode.LogOutputChannel;
  /** Where the facts of files are kept between sessions; undefined in a window without a folder. */
  readonly storageUri: vscode.Uri | undefined;
  /** Of the extension. */
  readonly version: string;
}

export interface IndexedWorkspace extends vscode.Disposable {
  index(): Promise<ContractIndex>;
  readonly known: ContractIndex;
  readonly state: IndexState;
  uriOf(path: string): vscode.Uri | undefined;
  pathOf(uri: vscode.Uri): string | undefined;
}

/** The folders that are open, and what reads them. */
interface Opened {
  readonly roots: WorkspaceRoots;
  readonly indexer: ProjectIndexer;
  readonly stop: AbortController;
}

const PROGRESS_INTERVAL_MS = 200;
/** What has changed is kept when nothing has changed for so long. */
const STORE_DELAY_MS = 30_000;
/** Facts of files; more bytes than are ever kept. */
const INDEX_STORE = { name: 'contracts.ndjson', most: 128 * 1024 * 1024 };

/** Reads the projects of the workspace when first asked, and from then on what changes in them. */
export function openIndexedWorkspace(deps: WorkspaceContractsDeps, changed: () => void): IndexedWorkspace {
  const { files, clock, log } = deps;
  const disposables = new Disposables();
  const nothing = createContractIndex();
  const skippedLog = createSkippedFilesLog(log);
  let opened: Opened | undefined;
  let waiting: 'all' | Set<string> | undefined = 'all';
  let running: Promise<void> | undefined;
  let keeping = new AbortController();
  let state: IndexState = { kind: 'idle' };
  let shownVersion = 0;

  /** Tells of nothing where nothing is new: who is told asks for the index again. */
  function show(now: IndexState): void {
    const version = opened?.indexer.index.version ?? 0;
    const isNew = now.kind === 'reading' || now.kind !== state.kind || version !== shownVersion;
    state = now;
    shownVersion = version;
    if (isNew) changed();
  }

  function open(): Opened {
    const roots = createWorkspaceRoots(vscode.workspace.workspaceFolders ?? []);
    let shown = clock.elapsed();
    const indexer = createProjectIndexer({
      files: createWorkspaceProjectFiles(roots),
      roots: roots.paths,
      clock,
      ...(deps.storageUri && {
        store: { store: createTextStore(deps.storageUri, INDEX_STORE), version: deps.version },
      }),
      onProgress(looked, found) {
        if (clock.elapsed() - shown < PROGRESS_INTERVAL_MS) return;
        shown = clock.elapsed();
        show({ kind: 'reading', looked, found });
      },
    });
    return { roots, indexer, stop: new AbortController() };
  }

  async function run(): Promise<void> {
    while (waiting) {
      if (!vscode.workspace.isTrusted) return show({ kind: 'off' });
      const changes = waiting;
      waiting = undefined;
      opened ??= open();
      await update(opened, changes);
    }
    show({ kind: 'ready' });
  }

  async function update(
    { indexer, stop, roots }: Opened,
    changes: 'all' | ReadonlySet<string>,
  ): Promise<void> {
    const { signal } = stop;
    keeping.abort();
    keeping = new AbortController();
    try {
      await indexer.update(changes === 'all' ? 'all' : pathsOf(changes, roots), { signal });
      const slices = createTimeSlices(clock);
      while (!indexer.index.prepare(slices.isOver)) await slices.rest({ signal });
      skippedLog.tell(indexer);
      void keep(indexer, changes === 'all' ? 0 : STORE_DELAY_MS, AbortSignal.any([signal, keeping.signal]));
    } catch (error) {
      if (!signal.aborted)
        log.warn(`The contracts of the workspace could not be read. ${formatErrorForLog(error)}`);
    }
  }

  async function keep(indexer: ProjectIndexer, afterMs: number, signal: AbortSignal): Promise<void> {
    try {
      await clock.sleep(afterMs, { signal });
      await indexer.save({ signal });
    } catch (error) {
      if (!signal.aborted && !isAppError(error, 'aborted')) {
        log.warn(`What is known of the workspace's contracts could not be kept. ${formatErrorForLog(error)}`);
      }
    }
  }

  function settled(): Promise<void> {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  }

  function follow({ names, cut }: Changes): void {
    if (waiting !== 'all') waiting = cut ? 'all' : new Set([...(waiting ?? []), ...names]);
    void settled();
  }

  function reopen(): void {
    opened?.stop.abort();
    opened = undefined;
    waiting = 'all';
    void settled();
  }

  disposables.add(files.watch(isContractFileChange, follow));
  disposables.add(vscode.workspace.onDidChangeWorkspaceFolders(reopen));
  return {
    async index() {
      do await settled();
      while (waiting && vscode.workspace.isTrusted);
      return opened?.indexer.index ?? nothing;
    },
    get known() {
      return opened?.indexer.index ?? nothing;
    },
    get state() {
      return state;
    },
    uriOf: (path) => opened?.roots.uriOf(path),
    pathOf: (uri) => opened?.roots.pathOf(uri),
    dispose() {
      opened?.stop.abort();
      keeping.abort();
      disposables.dispose();
    },
  };
}

function pathsOf(names: ReadonlySet<string>, roots: WorkspaceRoots): readonly string[] {
  return [...names].flatMap((name) => roots.pathOf(vscode.Uri.parse(name, true)) ?? []);
}

/** Lines of one update: what is over is counted. */
const MAX_LOG_LINES = 50;

/** Tells in the output which files were left out, each reason once. */
function createSkippedFilesLog(log: vscode.LogOutputChannel) {
  let told = new Map<string, string>();
  return {
    tell({ skipped, skippedCount }: ProjectIndexer): void {
      const fresh = skipped.filter(({ path, reason }) => told.get(path) !== reason);
      for (const { path, reason: why } of fresh.slice(0, MAX_LOG_LINES))
        log.warn(`${path || 'Workspace'}: ${why}`);
      const more = fresh.length - MAX_LOG_LINES + Math.max(0, skippedCount - skipped.length);
      if (fresh.length > MAX_LOG_LINES) log.warn(`${more} more files are left out.`);
      told = new Map(skipped.map(({ path, reason: why }) => [path, why]));
    },
  };
}

/** The folders of the workspace as one tree: of several, each below a name of its own. */
interface WorkspaceRoots {
  /** Paths of the folders; the empty one where there is one folder only. */
  readonly paths: readonly string[];
  uriOf(path: string): vscode.Uri | undefined;
  pathOf(uri: vscode.Uri): string | undefined;
}

export function createWorkspaceRoots(folders: readonly vscode.WorkspaceFolder[]): WorkspaceRoots {
  const roots = new Map<string, vscode.Uri>();
  for (const { name, uri } of folders) {
    const plain = name.replaceAll('/', '_');
    let path = folders.length === 1 ? '' : plain;
    for (let nth = 2; roots.has(path); nth++) path = `${plain} (${nth})`;
    roots.set(path, uri);
  }
  return {
    paths: [...roots.keys()],
    uriOf(path) {
      const whole = roots.get('');
      if (whole) return vscode.Uri.joinPath(whole, path);
      const slash = path.indexOf('/');
      const root = roots.get(slash < 0 ? path : path.slice(0, slash));
      return root && vscode.Uri.joinPath(root, slash < 0 ? '' : path.slice(slash + 1));
    },
    pathOf(uri) {
      let found: { readonly length: number; readonly path: string } | undefined;
      for (const [path, root] of roots) {
        if (root.scheme !== uri.scheme || root.authority !== uri.authority) continue;
        const start = root.path.endsWith('/') ? root.path : `${root.path}/`;
        if (!uri.path.startsWith(start) || (found && found.length > start.length)) continue;
        const inside = uri.path.slice(start.length);
        found = { length: start.length, path: path === '' ? inside : `${path}/${inside}` };
      }
      return found?.path;
    },
  };
}

/**
 * The files of the workspace: of this machine's disk by way of Node, as the editor answers each question by way of its
 * window, which for thousands of files takes twenty times as long; all others by the editor.
 */
export function createWorkspaceProjectFiles(roots: WorkspaceRoots): ProjectFiles {
  const editor = editorProjectFiles(roots);
  let disk: Promise<ProjectFiles | undefined> | undefined;
  const at = async (path: string) => {
    const uri = roots.uriOf(path);
    if (uri?.scheme !== 'file') return { files: editor, path };
    disk ??= openDisk();
    const files = await disk;
    return files ? { files, path: uri.fsPath } : { files: editor, path };
  };
  return {
    async list(folder) {
      const { files, path } = await at(folder);
      return files.list(path);
    },
    async stat(file) {
      const { files, path } = await at(file);
      return files.stat(path);
    },
    async read(file, most) {
      const { files, path } = await at(file);
      return files.read(path, most);
    },
  };
}

/** Undefined where there is no Node. */
async function openDisk(): Promise<ProjectFiles | undefined> {
  const fs = await loadNodeFiles();
  return fs && createDiskProjectFiles(fs);
}

/** The files of the workspace by the editor's file system: in a virtual workspace too. */
function editorProjectFiles({ uriOf }: WorkspaceRoots): ProjectFiles {
  const { fs } = vscode.workspace;

  async function stat(path: string) {
    const uri = uriOf(path);
    try {
      return uri && (await fs.stat(uri));
    } catch {
      return undefined;
    }
  }

  return {
    async list(folder) {
      const uri = uriOf(folder);
      try {
        const entries = uri ? await fs.readDirectory(uri) : [];
        return entries.map(([name, type]) => ({ name, kind: kindOf(type) }));
      } catch {
        return [];
      }
    },
    async stat(path) {
      const found = await stat(path);
      return found && { kind: kindOf(found.type), size: found.size, modified: found.mtime };
    },
    async read(path, most) {
      const uri = uriOf(path);
      const found = await stat(path);
      if (!uri || !found || kindOf(found.type) !== 'file' || found.size > most) return undefined;
      try {
        const bytes = await fs.readFile(uri);
        return bytes.length > most ? undefined : bytes;
      } catch {
        return undefined;
      }
    },
  };
}

/** A symbolic link has two kinds at once, and is `other`. */
function kindOf(type: vscode.FileType): FolderEntry['kind'] {
  if (type === vscode.FileType.Directory) return 'folder';
  return type === vscode.FileType.File ? 'file' : 'other';
}
