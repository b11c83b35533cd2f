import * as vscode from 'vscode';
import {
  type Clock,
  type ContractIndex,
  createContractIndex,
  createProjectIndexer,
  createTimeSlices,
  isAppError,
  type ProjectIndexer,
} from '../../core/index.ts';
import { Disposables } from '../disposables.ts';
import { keptText } from '../files/keptText.ts';
import { errorText } from '../log.ts';
import type { Changes } from '../workspace/changeBatches.ts';
import type { WorkspaceFiles } from '../workspace/workspaceFiles.ts';
import { concernsContracts } from './contractFiles.ts';
import { createSkippedLog } from './skippedLog.ts';
import { type WorkspaceRoots, workspaceProjectFiles, workspaceRoots } from './workspaceProjectFiles.ts';

/** More than is ever kept of files. */
const MOST_KEPT_BYTES = 128 * 1024 * 1024;

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

const PROGRESS_EVERY_MS = 200;
/** What has changed is kept when nothing has changed for so long. */
const KEEP_AFTER_MS = 30_000;

/** Reads the projects of the workspace when first asked, and from then on what changes in them. */
export function openIndexedWorkspace(deps: WorkspaceContractsDeps, changed: () => void): IndexedWorkspace {
  const { files, clock, log } = deps;
  const disposables = new Disposables();
  const nothing = createContractIndex();
  const skippedLog = createSkippedLog(log);
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
    const roots = workspaceRoots(vscode.workspace.workspaceFolders ?? []);
    let shown = clock.elapsed();
    const indexer = createProjectIndexer({
      ...{ files: workspaceProjectFiles(roots), roots: roots.paths, clock },
      ...(deps.storageUri && {
        kept: {
          store: keptText(deps.storageUri, 'contracts.ndjson', MOST_KEPT_BYTES),
          version: deps.version,
        },
      }),
      onProgress(looked, found) {
        if (clock.elapsed() - shown < PROGRESS_EVERY_MS) return;
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
      void keep(indexer, changes === 'all' ? 0 : KEEP_AFTER_MS, AbortSignal.any([signal, keeping.signal]));
    } catch (error) {
      if (!signal.aborted) log.warn(`The contracts of the workspace could not be read. ${errorText(error)}`);
    }
  }

  async function keep(indexer: ProjectIndexer, afterMs: number, signal: AbortSignal): Promise<void> {
    try {
      await clock.sleep(afterMs, { signal });
      await indexer.keep({ signal });
    } catch (error) {
      if (!signal.aborted && !isAppError(error, 'aborted')) {
        log.warn(`What is known of the workspace's contracts could not be kept. ${errorText(error)}`);
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

  disposables.add(files.watch(concernsContracts, follow));
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
