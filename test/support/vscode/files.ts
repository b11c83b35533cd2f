import { type Dirent, existsSync } from 'node:fs';
import { cp, glob, lstat, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, matchesGlob, relative } from 'node:path';
import type * as vscode from 'vscode';
import { type URI, Utils } from 'vscode-uri';
import { Disposable, EventEmitter, FileSystemError, type RelativePattern } from './classes.ts';

type FileSystem = typeof vscode.workspace.fs;

type ChangeKind = 'created' | 'changed' | 'deleted';

interface FileChange {
  readonly uri: vscode.Uri;
  readonly kind: ChangeKind;
}

/**
 * The file systems of the editor: this machine's disk, and those that are registered. Its watchers report what is
 * changed by its own functions, and nothing that another program does.
 */
export function createEditorFiles(folder: URI) {
  const providers = new Map<string, vscode.FileSystemProvider>();
  const changes = new EventEmitter<FileChange>();
  const fileSystemOf = (uri: vscode.Uri) => {
    const provider = providers.get(uri.scheme);
    return (provider ? toFileSystem(provider) : disk) as FileSystem;
  };
  /** Reports later, as the editor does. */
  const notify = (kind: ChangeKind, ...uris: readonly vscode.Uri[]) =>
    void setImmediate(() => {
      for (const uri of uris) changes.fire({ uri, kind });
    });
  const exists = async (uri: vscode.Uri) => {
    try {
      return Boolean(await fileSystemOf(uri).stat(uri));
    } catch {
      return false;
    }
  };
  /** The folders that are missing above a file, and what it becomes. */
  async function create(uri: vscode.Uri, write: () => Thenable<void>): Promise<void> {
    const created: vscode.Uri[] = [];
    for (let at: URI = uri; !(await exists(at)); at = Utils.dirname(at)) created.unshift(at);
    await write();
    if (created.length > 0) notify('created', ...created);
    else notify('changed', uri);
  }
  return {
    providers,
    onDidChange: changes.event,
    api: {
      registerFileSystemProvider(scheme: string, provider: vscode.FileSystemProvider) {
        providers.set(scheme, provider);
        return new Disposable(() => providers.delete(scheme));
      },
      fs: {
        isWritableFileSystem: (scheme) => scheme === folder.scheme || providers.has(scheme) || undefined,
        stat: async (uri) => fileSystemOf(uri).stat(uri),
        readDirectory: async (uri) => fileSystemOf(uri).readDirectory(uri),
        readFile: async (uri) => fileSystemOf(uri).readFile(uri),
        writeFile: (uri, content) => create(uri, () => fileSystemOf(uri).writeFile(uri, content)),
        createDirectory: (uri) => create(uri, () => fileSystemOf(uri).createDirectory(uri)),
        async delete(uri, options) {
          await fileSystemOf(uri).delete(uri, options);
          notify('deleted', uri);
        },
        async rename(from, to, options) {
          await fileSystemOf(from).rename(from, to, options);
          notify('deleted', from);
          notify('created', to);
        },
        copy: (from, to, options) => create(to, () => fileSystemOf(from).copy(from, to, options)),
      } satisfies FileSystem,
      async findFiles(include: string | { readonly pattern: string }): Promise<readonly URI[]> {
        const pattern = typeof include === 'string' ? include : include.pattern;
        const found: URI[] = [];
        for await (const path of glob(pattern, { cwd: folder.fsPath }))
          found.push(Utils.joinPath(folder, path));
        return found;
      },
      createFileSystemWatcher(watched: string | RelativePattern) {
        const { pattern, base } =
          typeof watched === 'string'
            ? { pattern: watched, base: folder }
            : { pattern: watched.pattern, base: watched.baseUri };
        const subscriptions: Disposable[] = [];
        const eventOf = (wanted: ChangeKind) => (listener: (uri: vscode.Uri) => unknown) => {
          const subscription = changes.event(({ uri, kind }) => {
            const path = relative(base.fsPath, uri.fsPath);
            // Node's own patterns leave out names that begin with a dot, the editor's do not.
            const isMatch = pattern === '**/*' || matchesGlob(path, pattern);
            if (kind === wanted && !path.startsWith('..') && isMatch) listener(uri);
          });
          subscriptions.push(subscription);
          return subscription;
        };
        return {
          onDidCreate: eventOf('created'),
          onDidChange: eventOf('changed'),
          onDidDelete: eventOf('deleted'),
          dispose: () => Disposable.from(...subscriptions).dispose(),
        };
      },
    },
  };
}

function toFileSystem(provider: vscode.FileSystemProvider) {
  return {
    stat: (uri: vscode.Uri) => provider.stat(uri),
    readDirectory: (uri: vscode.Uri) => provider.readDirectory(uri),
    readFile: (uri: vscode.Uri) => provider.readFile(uri),
    writeFile: (uri: vscode.Uri, content: Uint8Array) =>
      provider.writeFile(uri, content, { create: true, overwrite: true }),
    createDirectory: (uri: vscode.Uri) => provider.createDirectory(uri),
    delete: (uri: vscode.Uri, { recursive = false } = {}) => provider.delete(uri, { recursive }),
    rename: (from: vscode.Uri, to: vscode.Uri, { overwrite = false } = {}) =>
      provider.rename(from, to, { overwrite }),
  };
}

const disk = {
  async stat(uri: vscode.Uri) {
    const link = await orFileError(uri, lstat(uri.fsPath));
    const found = link.isSymbolicLink() ? await stat(uri.fsPath).catch(() => link) : link;
    return {
      type: typeOf(found) | (typeOf(link) & SYMBOLIC_LINK),
      ctime: found.ctimeMs,
      mtime: found.mtimeMs,
      size: found.size,
    };
  },
  async readDirectory(uri: vscode.Uri): Promise<readonly (readonly [string, number])[]> {
    const entries = await orFileError(uri, readdir(uri.fsPath, { withFileTypes: true }));
    return entries.map((entry) => [entry.name, typeOf(entry)]);
  },
  readFile: async (uri: vscode.Uri) => new Uint8Array(await orFileError(uri, readFile(uri.fsPath))),
  async writeFile(uri: vscode.Uri, content: Uint8Array) {
    await mkdir(dirname(uri.fsPath), { recursive: true });
    await orFileError(uri, writeFile(uri.fsPath, content));
  },
  createDirectory: async (uri: vscode.Uri) => void (await mkdir(uri.fsPath, { recursive: true })),
  delete: (uri: vscode.Uri, { recursive = false } = {}) => orFileError(uri, rm(uri.fsPath, { recursive })),
  async rename(from: vscode.Uri, to: vscode.Uri, { overwrite = false } = {}) {
    if (!overwrite && existsSync(to.fsPath)) throw FileSystemError.FileExists(to);
    await orFileError(from, rename(from.fsPath, to.fsPath));
  },
  copy: (from: vscode.Uri, to: vscode.Uri) =>
    orFileError(from, cp(from.fsPath, to.fsPath, { recursive: true })),
};

/** As `FileType` of the editor. */
const SYMBOLIC_LINK = 64;

function typeOf(entry: Pick<Dirent, 'isDirectory' | 'isFile' | 'isSymbolicLink'>): number {
  const kind = entry.isDirectory() ? 2 : entry.isFile() ? 1 : 0;
  return entry.isSymbolicLink() ? kind | SYMBOLIC_LINK : kind;
}

async function orFileError<T>(uri: vscode.Uri, done: Promise<T>): Promise<T> {
  try {
    return await done;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'ENOENT' || code === 'ENOTDIR' ? FileSystemError.FileNotFound(uri) : error;
  }
}
