import { chmod, cp, readdir, symlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fromRoot, projectRoot } from './paths.ts';

const notSources = new Set(['node_modules', '.git', '.cache', 'dist']);

/** Copies what a clone holds into a new `folder`, with a link to the packages and no git; each file gets `mode`. */
export async function copySources(folder: string, mode = 0o644): Promise<void> {
  await cp(projectRoot, folder, {
    recursive: true,
    filter: (file) => !notSources.has(relative(projectRoot, file)),
  });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  await Promise.all(files.map(({ parentPath, name }) => chmod(join(parentPath, name), mode)));
  await symlink(fromRoot('node_modules'), join(folder, 'node_modules'), 'junction');
}
