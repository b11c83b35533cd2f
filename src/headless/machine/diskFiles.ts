import type { Dirent, Stats } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileStat, FolderEntry, ProjectFiles } from '../../core/index.ts';

/** The files below a folder of the disk. What cannot be read is not there. */
export function diskFiles(root: string): ProjectFiles {
  const at = (path: string) => join(root, path);
  return {
    async list(folder): Promise<readonly FolderEntry[]> {
      try {
        const entries = await readdir(at(folder), { withFileTypes: true });
        return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
      } catch {
        return [];
      }
    },
    async stat(path): Promise<FileStat | undefined> {
      try {
        const stats = await lstat(at(path));
        return { kind: kindOf(stats), size: stats.size, modified: stats.mtimeMs };
      } catch {
        return undefined;
      }
    },
    read: (path, most) => readStart(at(path), most).catch(() => undefined),
  };
}

async function readStart(path: string, most: number): Promise<Uint8Array | undefined> {
  await using file = await open(path);
  const stats = await file.stat();
  if (!stats.isFile() || stats.size > most) return undefined;
  const bytes = await file.readFile();
  return bytes.length > most ? undefined : bytes;
}

function kindOf(entry: Dirent | Stats): FolderEntry['kind'] {
  return entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : 'other';
}
