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
  /** Makes every write fail, as a full disk does. */
  full: boolean;
  uri(name: string): Uri;
}

/** A file system of the editor that is no disk: one folder in memory, under a scheme of its own. */
export function registerMemoryFiles(scheme: string): MemoryFiles {
  const files = new Map<string, Uint8Array>();
  const changed = new EventEmitter<FileChangeEvent[]>();
  const existing = (uri: Uri) => {
    const content = files.get(uri.path);
    if (!content) throw FileSystemError.FileNotFound(uri);
    return content;
  };
  const memory: MemoryFiles = {
    files,
    full: false,
    uri: (name) => Uri.from({ scheme, path: `/${name}` }),
    dispose: () => registration.dispose(),
  };
  const registration = workspace.registerFileSystemProvider(scheme, {
    onDidChangeFile: changed.event,
    watch: () => ({ dispose() {} }),
    stat: (uri) =>
      uri.path === '/'
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
      existing(uri);
      files.delete(uri.path);
    },
    rename(from, to) {
      files.set(to.path, existing(from));
      files.delete(from.path);
    },
  });
  return memory;
}
