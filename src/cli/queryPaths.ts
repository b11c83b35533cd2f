import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, posix, relative, resolve, sep } from 'node:path';
import { type AppError, badInput, englishMessage, isAppError, isQueryFile } from '../core/index.ts';
import { describeFileError } from './queryFileText.ts';
import type { Env } from './terminal.ts';

/** A query file to check, or why there is none. */
export interface QueryPath {
  /** As people know it: relative to the folder in which they typed the command. */
  readonly file: string;
  readonly path: string;
  readonly error?: AppError;
  /** Whether an argument names the file itself. Others were found in a folder, and may be links that nobody chose. */
  readonly isNamed?: true;
}

/**
 * Finds the query files that arguments name: files, folders with all query files below them, and patterns such as
 * `queries/*.chain.md`, which a shell has not expanded. Each file comes once. `node_modules`, `.git` and linked
 * folders are skipped.
 */
export async function findQueryPaths(
  args: readonly string[],
  startFolders: readonly string[],
): Promise<readonly QueryPath[]> {
  const found = new Map<string, QueryPath>();
  for (const arg of args)
    for (const one of await findArgument(arg, startFolders))
      if (!found.has(one.path)) found.set(one.path, one);
  return [...found.values()];
}

/**
 * The folders that relative arguments start from. npm runs a script in the folder of its package, and gives the one in
 * which it was started as INIT_CWD: https://docs.npmjs.com/cli/v11/commands/npm-run. The arguments of our own script
 * are typed there; those of another package's script are written for its folder.
 */
export function listStartFolders({ INIT_CWD: typedIn, npm_lifecycle_event: script }: Env): readonly string[] {
  const current = getCurrentFolder();
  if (!typedIn) return [current];
  return script === 'headless' ? [typedIn, current] : [current, typedIn];
}

function getCurrentFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw badInput('folder', 'The current folder no longer exists. Go to another folder.');
  }
}

/** The path of an argument in the first start folder that has it, else in the first one. */
export async function resolveArgument(arg: string, startFolders: readonly string[]): Promise<string> {
  const paths = startFolders.map((folder) => resolve(folder, arg));
  for (const path of paths) if (await stat(path).catch(() => undefined)) return path;
  return paths[0] ?? resolve(arg);
}

/** The path of a file in its repository, with slashes. The absolute path of a file outside of it. */
export async function toRepositoryPath(path: string, repository: string): Promise<string> {
  // The folder of a process has its real path, also where GITHUB_WORKSPACE is a link.
  const inside =
    findInside(repository, path) ?? findInside(await realpath(repository).catch(() => repository), path);
  return (inside ?? path).replaceAll(sep, '/');
}

function findInside(root: string, path: string): string | undefined {
  const inside = relative(root, path);
  const isInside = inside !== '' && !isAbsolute(inside) && inside.split(sep)[0] !== '..';
  return isInside ? inside : undefined;
}

async function findArgument(arg: string, startFolders: readonly string[]): Promise<readonly QueryPath[]> {
  // As of a variable that is not set: it would stand for the current folder.
  if (arg === '') throw badInput('file', 'The name of a file is empty. Name files, folders or patterns.');
  const path = await resolveArgument(arg, startFolders);
  const stats = await stat(path).catch(() => undefined);
  if (stats?.isDirectory()) return findInFolder({ folder: path, name: arg }, isQueryFile, arg);
  if (stats || !MAGIC.test(arg)) return [{ file: arg, path, isNamed: true }];
  // Windows separates by backslashes, which elsewhere escape a character of a pattern.
  const parts = (process.platform === 'win32' ? arg.replaceAll('\\', '/') : arg).split('/');
  const fixed = parts.findIndex((part) => MAGIC.test(part));
  const name = parts.slice(0, fixed).join('/') || (arg.startsWith('/') ? '/' : '.');
  const pattern = parts.slice(fixed).join('/');
  const isNamed = pattern.toLowerCase().endsWith('.json') ? () => true : isQueryFile;
  const matches = (file: string) => isNamed(file) && posix.matchesGlob(file, pattern);
  let notFound: readonly QueryPath[] | undefined;
  for (const start of startFolders) {
    const found = await findInFolder({ folder: resolve(start, name), name }, matches, arg);
    if (found.some(({ error }) => !error)) return found;
    notFound ??= found;
  }
  return notFound ?? [];
}

const MAGIC = /[*?[\]{}]|[@+!]\(/;

async function findInFolder(
  { folder, name }: { readonly folder: string; readonly name: string },
  matches: (file: string) => boolean,
  arg: string,
): Promise<readonly QueryPath[]> {
  try {
    const { files, errors } = await walk(folder, { matches, skipsPackages: !arg.includes(PACKAGES) });
    const toPath = (file: string) => ({
      file: name === '.' ? file : join(name, file),
      path: join(folder, file),
    });
    const found = [...files.map(toPath), ...errors.map(({ file, error }) => ({ ...toPath(file), error }))];
    if (found.length > 0) return found;
    const message = englishMessage`There is no query file in ${arg}. Query files are named *.chainlog.json or *.chain.md.`;
    return [{ file: arg, path: folder, error: badInput('file', message) }];
  } catch (error) {
    if (isAppError(error, 'badInput')) return [{ file: arg, path: folder, error }];
    throw error;
  }
}

interface FoundFiles {
  /** Relative to the folder, with slashes, in order. */
  readonly files: readonly string[];
  /** Folders that cannot be read. */
  readonly errors: readonly { readonly file: string; readonly error: AppError }[];
}

/** @throws AppError `badInput` where there are too many folders or files. */
async function walk(
  root: string,
  {
    matches,
    skipsPackages,
  }: { readonly matches: (file: string) => boolean; readonly skipsPackages: boolean },
): Promise<FoundFiles> {
  const files: string[] = [];
  const errors: FoundFiles['errors'][number][] = [];
  const folders = [''];
  for (const folder of folders) {
    if (folders.length > MAX_FOLDERS || files.length > MAX_FILES)
      throw badInput(
        'file',
        englishMessage`${root} has too many files or folders to search. Name a folder inside of it.`,
      );
    let entries: readonly Dirent[];
    try {
      entries = await readdir(join(root, folder), { withFileTypes: true });
    } catch (cause) {
      errors.push({ file: folder, error: describeFileError(join(root, folder), 'read', cause) });
      continue;
    }
    for (const entry of entries) {
      const { name } = entry;
      const path = folder === '' ? name : `${folder}/${name}`;
      const isSkipped = name === '.git' || (skipsPackages && name === PACKAGES);
      if (entry.isDirectory() && !isSkipped) folders.push(path);
      else if (!entry.isDirectory() && matches(path)) files.push(path);
    }
  }
  return { files: files.sort(), errors };
}

const PACKAGES = 'node_modules';
const MAX_FOLDERS = 20_000;
const MAX_FILES = 10_000;
