import * as vscode from 'vscode';
import {
  type Clock,
  type ContractIndex,
  createContractIndex,
  createProjectIndexer,
  createTimeSlices,
  isAppError,
  type ProjectFiles,
  type ProjectIndexer,
} from '../../core/index.ts';
import { Disposables } from '../disposables.ts';
import { createTextStore } from '../files/storage.ts';
import { formatErrorForLog } from '../log.ts';
import type { Changes } from '../timing.ts';
import { getFolderFiles } from '../workspace/folderFiles.ts';
import { isContractFileChange } from '../workspace/walkFolders.ts';
import { isVirtualWorkspace, type WorkspaceFiles } from '../workspace/workspaceFiles.ts';

export interface WorkspaceContractsDeps {
  readonly files: WorkspaceFiles;
  readonly clock: Clock;
  readonly log: vscode.LogOutputChannel;
  /** Where parsed files are cached between sessions; undefined in a window without a folder. */
  readonly storageUri: vscode.Uri | undefined;
  readonly version: string;
}

export interface IndexedWorkspace extends vscode.Disposable {
  index(): Promise<ContractIndex>;
  readonly known: ContractIndex;
  readonly state: IndexState;
  uriOf(path: string): vscode.Uri | undefined;
  pathOf(uri: vscode.Uri): string | undefined;
  /** Undefined before the index is first requested. */
  readonly files: ProjectFiles | undefined;
}

/** The state of the index; `off` in an untrusted workspace. */
export type IndexState =
  | { readonly kind: 'idle' | 'off' | 'ready' }
  /** Files that were read, of the relevant ones. */
  | { readonly kind: 'reading'; readonly looked: number; readonly found: number };

/** Indexes the projects of the workspace on first use, and their changes from then on. */
export function openIndexedWorkspace(deps: WorkspaceContractsDeps, changed: () => void): IndexedWorkspace {
  const { files, clock, log } = deps;
  const disposables = new Disposables();
  const emptyIndex = createContractIndex();
  const skippedLog = createSkippedFilesLog(log);
  let opened: Opened | undefined;
  let pendingChanges: 'all' | Set<string> | undefined = 'all';
  let running: Promise<void> | undefined;
  let saving = new AbortController();
  let state: IndexState = { kind: 'idle' };
  let notifiedVersion = 0;
  let updateStart = 0;
  let lastProgress = 0;

  /** Notifies only if something is new: listeners request the index again. */
  function setState(next: IndexState): void {
    const version = opened?.indexer.index.version ?? 0;
    const isNew = next.kind === 'reading' || next.kind !== state.kind || version !== notifiedVersion;
    state = next;
    notifiedVersion = version;
    if (isNew) changed();
  }

  function open(): Opened {
    const roots = createWorkspaceRoots(vscode.workspace.workspaceFolders ?? []);
    const projectFiles = createWorkspaceProjectFiles(roots);
    const indexer = createProjectIndexer({
      files: projectFiles,
      roots: roots.paths,
      clock,
      ...(deps.storageUri && {
        store: { store: createTextStore(deps.storageUri, INDEX_STORE), version: deps.version },
      }),
      onProgress(looked, found) {
        const now = clock.elapsed();
        const interval = Math.max(PROGRESS_INTERVAL_MS, (now - updateStart) * PROGRESS_SHARE);
        if (now - lastProgress < interval) return;
        lastProgress = now;
        setState({ kind: 'reading', looked, found });
      },
    });
    return { roots, files: projectFiles, indexer, stop: new AbortController() };
  }

  async function run(): Promise<void> {
    while (pendingChanges) {
      if (!vscode.workspace.isTrusted) return setState({ kind: 'off' });
      const changes = pendingChanges;
      pendingChanges = undefined;
      opened ??= open();
      await update(opened, changes);
    }
    setState({ kind: 'ready' });
  }

  async function update(
    { indexer, stop, roots }: Opened,
    changes: 'all' | ReadonlySet<string>,
  ): Promise<void> {
    const { signal } = stop;
    saving.abort();
    saving = new AbortController();
    updateStart = clock.elapsed();
    lastProgress = updateStart;
    try {
      await indexer.update(changes === 'all' ? 'all' : listPaths(changes, roots), { signal });
      const slices = createTimeSlices(clock);
      while (!indexer.index.prepare(slices.isOver)) await slices.rest({ signal });
      skippedLog.log(indexer);
      void saveLater(
        indexer,
        changes === 'all' ? 0 : STORE_DELAY_MS,
        AbortSignal.any([signal, saving.signal]),
      );
    } catch (error) {
      if (!signal.aborted)
        log.warn(`The contracts of the workspace could not be read. ${formatErrorForLog(error)}`);
    }
  }

  async function saveLater(indexer: ProjectIndexer, afterMs: number, signal: AbortSignal): Promise<void> {
    try {
      await clock.sleep(afterMs, { signal });
      await indexer.save({ signal });
    } catch (error) {
      if (!signal.aborted && !isAppError(error, 'aborted')) {
        log.warn(`The index of the workspace's contracts could not be stored. ${formatErrorForLog(error)}`);
      }
    }
  }

  function settle(): Promise<void> {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  }

  function onFileChanges({ names, cut }: Changes): void {
    if (pendingChanges !== 'all')
      pendingChanges = cut ? 'all' : new Set([...(pendingChanges ?? []), ...names]);
    void settle();
  }

  function reopen(): void {
    opened?.stop.abort();
    opened = undefined;
    pendingChanges = 'all';
    void settle();
  }

  disposables.add(files.watch(isContractFileChange, onFileChanges));
  disposables.add(vscode.workspace.onDidChangeWorkspaceFolders(reopen));
  return {
    async index() {
      do await settle();
      while (pendingChanges && vscode.workspace.isTrusted);
      return opened?.indexer.index ?? emptyIndex;
    },
    get known() {
      return opened?.indexer.index ?? emptyIndex;
    },
    get state() {
      return state;
    },
    uriOf: (path) => opened?.roots.uriOf(path),
    pathOf: (uri) => opened?.roots.pathOf(uri),
    get files() {
      return opened?.files;
    },
    dispose() {
      opened?.stop.abort();
      saving.abort();
      disposables.dispose();
    },
  };
}

interface Opened {
  readonly files: ProjectFiles;
  readonly roots: WorkspaceRoots;
  readonly indexer: ProjectIndexer;
  readonly stop: AbortController;
}

const PROGRESS_INTERVAL_MS = 200;
/** Of the time since the update began: each progress redraws all rows, so a long update reports less often. */
const PROGRESS_SHARE = 0.25;
/** Changes are stored after this long without another one. */
const STORE_DELAY_MS = 30_000;
/** Parsed files; the limit in bytes exceeds what is ever saved. */
const INDEX_STORE = { name: 'contracts.ndjson', most: 128 * 1024 * 1024 };

function listPaths(names: ReadonlySet<string>, roots: WorkspaceRoots): readonly string[] {
  return [...names].flatMap((name) => roots.pathOf(vscode.Uri.parse(name, true)) ?? []);
}

/** Lines per update; further files are counted. */
const MAX_LOG_LINES = 50;

/** Logs which files were skipped, each reason once. */
function createSkippedFilesLog(log: vscode.LogOutputChannel) {
  let logged = new Map<string, string>();
  return {
    log({ skipped, skippedCount }: ProjectIndexer): void {
      const newlySkipped = skipped.filter(({ path, reason }) => logged.get(path) !== reason);
      for (const { path, reason: why } of newlySkipped.slice(0, MAX_LOG_LINES))
        log.warn(`${path || 'Workspace'}: ${why}`);
      const more = newlySkipped.length - MAX_LOG_LINES + Math.max(0, skippedCount - skipped.length);
      if (newlySkipped.length > MAX_LOG_LINES) log.warn(`${more} more files are left out.`);
      logged = new Map(skipped.map(({ path, reason: why }) => [path, why]));
    },
  };
}

/** The workspace folders as one tree: several folders each have a unique name in it. */
interface WorkspaceRoots {
  /** Paths of the folders; the empty path where there is only one. */
  readonly paths: readonly string[];
  /** The folder that a path is in, and the path from there. */
  find(path: string): { readonly root: vscode.Uri; readonly path: string } | undefined;
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
  function find(path: string): ReturnType<WorkspaceRoots['find']> {
    const onlyRoot = roots.get('');
    if (onlyRoot) return { root: onlyRoot, path };
    const slash = path.indexOf('/');
    const root = roots.get(slash < 0 ? path : path.slice(0, slash));
    return root && { root, path: slash < 0 ? '' : path.slice(slash + 1) };
  }
  return {
    paths: [...roots.keys()],
    find,
    uriOf(path) {
      const found = find(path);
      return found && vscode.Uri.joinPath(found.root, found.path);
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

/** The files of the workspace. */
export function createWorkspaceProjectFiles(roots: WorkspaceRoots): ProjectFiles {
  return {
    maxFiles: isVirtualWorkspace() ? MAX_VIRTUAL_FILES : undefined,
    async list(folder) {
      const found = roots.find(folder);
      return found ? getFolderFiles(found.root).list(found.path) : [];
    },
    async stat(file) {
      const found = roots.find(file);
      return found && getFolderFiles(found.root).stat(found.path);
    },
    async read(file, most) {
      const found = roots.find(file);
      return found && getFolderFiles(found.root).read(found.path, most);
    },
  };
}

/** Each may take a request to the host of the repository. */
const MAX_VIRTUAL_FILES = 2_000;
