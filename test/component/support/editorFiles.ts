import type { Dirent } from 'node:fs';
import { cp, glob, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type URI, Utils } from 'vscode-uri';
import { FileSystemError } from './editorTypes.ts';

/** The file system of the editor, on this machine's disk. */
export function createEditorFiles(folder: URI) {
  return {
    fs: {
      isWritableFileSystem: () => true,
      async stat(uri: URI) {
        const found = await orFileError(uri, stat(uri.fsPath));
        return { type: typeOf(found), ctime: found.ctimeMs, mtime: found.mtimeMs, size: found.size };
      },
      async readDirectory(uri: URI): Promise<readonly (readonly [string, number])[]> {
        const entries = await orFileError(uri, readdir(uri.fsPath, { withFileTypes: true }));
        return entries.map((entry) => [entry.name, typeOf(entry)]);
      },
      readFile: async (uri: URI) => new Uint8Array(await orFileError(uri, readFile(uri.fsPath))),
      async writeFile(uri: URI, content: Uint8Array) {
        await mkdir(dirname(uri.fsPath), { recursive: true });
        await orFileError(uri, writeFile(uri.fsPath, content));
      },
      createDirectory: async (uri: URI) => void (await mkdir(uri.fsPath, { recursive: true })),
      delete: (uri: URI, { recursive = false } = {}) => orFileError(uri, rm(uri.fsPath, { recursive })),
      rename: (from: URI, to: URI) => orFileError(from, rename(from.fsPath, to.fsPath)),
      copy: (from: URI, to: URI) => orFileError(from, cp(from.fsPath, to.fsPath, { recursive: true })),
    },
    async findFiles(include: string | { readonly pattern: string }): Promise<readonly URI[]> {
      const pattern = typeof include === 'string' ? include : include.pattern;
      const found: URI[] = [];
      for await (const path of glob(pattern, { cwd: folder.fsPath }))
        found.push(Utils.joinPath(folder, path));
      return found;
    },
  };
}

function typeOf(entry: Pick<Dirent, 'isDirectory' | 'isFile' | 'isSymbolicLink'>): number {
  const kind = entry.isDirectory() ? 2 : entry.isFile() ? 1 : 0;
  return entry.isSymbolicLink() ? kind | 64 : kind;
}

async function orFileError<T>(uri: URI, done: Promise<T>): Promise<T> {
  try {
    return await done;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'ENOENT' || code === 'ENOTDIR' ? FileSystemError.FileNotFound(uri) : error;
  }
}
