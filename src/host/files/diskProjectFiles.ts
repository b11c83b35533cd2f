import type { FileStat, FolderEntry, ProjectFiles } from '../../core/index.ts';
import type { Kinds, NodeReading } from './nodeFiles.ts';

/** Files of this machine's disk, by their paths there. */
export function diskProjectFiles(fs: NodeReading): ProjectFiles {
  return {
    async list(folder): Promise<readonly FolderEntry[]> {
      try {
        const entries = await fs.readdir(folder, { withFileTypes: true });
        return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
      } catch {
        return [];
      }
    },
    async stat(path): Promise<FileStat | undefined> {
      try {
        const stats = await fs.lstat(path);
        return { kind: kindOf(stats), size: stats.size, modified: stats.mtimeMs };
      } catch {
        return undefined;
      }
    },
    read: (path, most) => readStart(fs, path, most).catch(() => undefined),
  };
}

async function readStart(fs: NodeReading, path: string, most: number): Promise<Uint8Array | undefined> {
  const file = await fs.open(path, 'r');
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > most) return undefined;
    const bytes = await file.readFile();
    return bytes.length > most ? undefined : bytes;
  } finally {
    await file.close();
  }
}

/** A symbolic link is neither. */
function kindOf(entry: Kinds): FolderEntry['kind'] {
  return entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : 'other';
}
