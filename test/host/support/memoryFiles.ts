import {
  type Disposable,
  EventEmitter,
  type FileChangeEvent,
  FileSystemError,
  FileType,
  Uri,
  workspace,
} from 'vscode';

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
