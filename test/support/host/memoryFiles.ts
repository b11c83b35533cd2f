import {
  type Disposable,
  EventEmitter,
  type FileChangeEvent,
  FileSystemError,
  FileType,
  type Memento,
  Uri,
  workspace,
} from 'vscode';
import { type ContractIndex, createContractIndex } from '../../../src/core/index.ts';
import type { IndexState } from '../../../src/host/contracts/indexedWorkspace.ts';
import type { WorkspaceContracts } from '../../../src/host/contracts/workspaceContracts.ts';

export interface MemoryFiles extends Disposable {
  readonly files: Map<string, Uint8Array>;
  /** Paths of folders beside the root. */
  readonly folders: Set<string>;
  /** Makes every write fail, as a full disk does. */
  full: boolean;
  uri(name: string): Uri;
}

/** A file system of the editor that is no disk: folders in memory, under a scheme of their own. */
export function registerMemoryFiles(scheme: string): MemoryFiles {
  const files = new Map<string, Uint8Array>();
  const folders = new Set<string>();
  const changed = new EventEmitter<FileChangeEvent[]>();
  const existing = (uri: Uri) => {
    const content = files.get(uri.path);
    if (!content) throw FileSystemError.FileNotFound(uri);
    return content;
  };
  const memory: MemoryFiles = {
    files,
    folders,
    full: false,
    uri: (name) => Uri.from({ scheme, path: `/${name}` }),
    dispose: () => registration.dispose(),
  };
  const registration = workspace.registerFileSystemProvider(scheme, {
    onDidChangeFile: changed.event,
    watch: () => ({ dispose() {} }),
    stat: (uri) =>
      uri.path === '/' || folders.has(uri.path)
        ? { type: FileType.Directory, ctime: 0, mtime: 0, size: 0 }
        : { type: FileType.File, ctime: 0, mtime: 0, size: existing(uri).length },
    readDirectory: () => [...files.keys()].map((path) => [path.slice(1), FileType.File]),
    createDirectory() {},
    readFile: existing,
    writeFile(uri, content) {
      if (memory.full) throw FileSystemError.NoPermissions('The disk is full.');
      files.set(uri.path, content);
    },
    delete(uri) {
      if (folders.delete(uri.path)) return;
      existing(uri);
      files.delete(uri.path);
    },
    rename(from, to, { overwrite }) {
      if (!overwrite && (files.has(to.path) || folders.has(to.path))) throw FileSystemError.FileExists(to);
      folders.delete(to.path);
      files.set(to.path, existing(from));
      files.delete(from.path);
    },
  });
  return memory;
}

type FileFacts = NonNullable<Parameters<ContractIndex['put']>[1]>;

/** Contracts of a workspace that is in memory alone: what its files tell is put in by a test. */
export interface MemoryContracts extends WorkspaceContracts {
  put(path: string, facts: Partial<FileFacts> | undefined): void;
  become(state: IndexState): void;
}

export function memoryContracts(root = Uri.file('/workspace')): MemoryContracts {
  const index = createContractIndex();
  const changed = new EventEmitter<void>();
  const read = new EventEmitter<void>();
  let state: IndexState = { kind: 'ready' };
  return {
    index: async () => index,
    settle(chainId, checks) {
      index.settleDeployments(chainId, checks);
      changed.fire();
      read.fire();
    },
    known: index,
    get state() {
      return state;
    },
    onDidChange: changed.event,
    onDidRead: read.event,
    uriOf: (path) => Uri.joinPath(root, path),
    pathOf: ({ path }) => (path.startsWith(`${root.path}/`) ? path.slice(root.path.length + 1) : undefined),
    files: undefined,
    put(path, facts) {
      index.put(path, facts && { contracts: [], deployments: [], labels: [], ...facts });
      changed.fire();
      if (state.kind !== 'reading') read.fire();
    },
    become(other) {
      const wasReading = state.kind === 'reading';
      state = other;
      changed.fire();
      if (wasReading && other.kind !== 'reading') read.fire();
    },
    dispose() {
      changed.dispose();
      read.dispose();
    },
  };
}

/** Storage of the editor, in memory. */
export function memoryMemento(values = new Map<string, unknown>()): Memento {
  return {
    keys: () => [...values.keys()],
    get: <T>(key: string) => values.get(key) as T,
    update: async (key, value) => void values.set(key, value),
  };
}
