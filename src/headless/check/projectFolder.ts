import { readdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** What lies in the folder of a project or a repository. */
const MARKS = /^(?:\.git|foundry\.toml|(?:hardhat\.|truffle-|ape-)config\.\w+)$/;
/** Folders above a file. */
const MOST_FOLDERS = 64;

/** The folder of the project that a file lies in: the nearest above it that looks like one, else that of the file. */
export async function projectFolder(file: string): Promise<string> {
  const own = dirname(resolve(file));
  let folder = own;
  for (let seen = 0; seen < MOST_FOLDERS; seen++) {
    const names = await readdir(folder).catch(() => []);
    if (names.some((name) => MARKS.test(name))) return folder;
    const above = dirname(folder);
    if (above === folder) break;
    folder = above;
  }
  return own;
}
