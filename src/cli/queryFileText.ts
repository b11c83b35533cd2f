import { randomUUID } from 'node:crypto';
import { access, constants, lstat, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { type AppError, badInput, MAX_QUERY_FILE_CHARS } from '../core/index.ts';
import { findMarkedFolder, findProjectFolder } from './projectFolder.ts';

/** A file, and its name for people. */
interface NamedFile {
  readonly file: string;
  readonly path: string;
}

/** Reads the text of a query file, with its byte order mark, or returns why it cannot be read. */
export async function readQueryText({ file, path }: NamedFile): Promise<string | AppError> {
  let bytes: Uint8Array;
  try {
    const stats = await stat(path);
    if (!stats.isFile()) return badInput('file', `${file} cannot be read: it is not a file.`);
    if (stats.size > MAX_FILE_BYTES)
      return badInput(
        'file',
        `${file} cannot be read: it is too large. ${MAX_FILE_BYTES} bytes are the most.`,
      );
    bytes = await readFile(path);
  } catch (cause) {
    return describeFileError(file, 'read', cause);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return badInput('file', `${file} is not UTF-8.`);
  }
}

const MAX_FILE_BYTES = 4 * MAX_QUERY_FILE_CHARS;

/** Why a file or folder cannot be read or written, by the code of the operating system. */
export function describeFileError(file: string, doing: 'read' | 'written', cause: unknown): AppError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  const reason = code !== undefined && Object.hasOwn(ERROR_REASONS, code) ? ERROR_REASONS[code] : undefined;
  const detail = reason !== undefined ? `: ${reason} (${code})` : code !== undefined ? ` (${code})` : '';
  return badInput('file', `${file} cannot be ${doing}${detail}.`);
}

const ERROR_REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied',
  EBUSY: 'another program uses it',
  EISDIR: 'it is a folder',
  ELOOP: 'its links form a circle',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
  ENOENT: 'it does not exist',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is not a folder',
  EPERM: 'permission is denied',
  EROFS: 'the file system is read-only',
};

/**
 * Replaces the text of a file atomically. Resolves to the error if it was not replaced, as when the file has
 * changed since it was read, or is a link that leaves its project.
 */
export async function replaceQueryText(
  { file, path }: NamedFile,
  { old, text }: { readonly old: string; readonly text: string },
): Promise<AppError | undefined> {
  let part: string | undefined;
  try {
    const target = await realpath(path);
    if (await leavesProject(path, target))
      return badInput('file', `${file} is a link to a file outside of its project. Nothing was written.`);
    // A rename would ignore that the file is read-only.
    await access(target, constants.W_OK);
    part = join(dirname(target), `.${randomUUID()}.part`);
    await writePartFile(part, { text, mode: (await stat(target)).mode });
    if ((await readQueryText({ file, path: target })) !== old)
      return badInput('file', `${file} has changed since it was read. Nothing was written.`);
    await rename(part, target);
    return undefined;
  } catch (cause) {
    return describeFileError(file, 'written', cause);
  } finally {
    if (part !== undefined) await rm(part, { force: true });
  }
}

/** Whether a file, or a link on the way to it, leads out of its project. The target may be in another project. */
async function leavesProject(path: string, target: string): Promise<boolean> {
  const projects = [await findProjectFolder(path)];
  for (let at = resolve(path); at !== dirname(at); at = dirname(at)) {
    const project = (await lstat(at)).isSymbolicLink() ? await findMarkedFolder(at) : undefined;
    if (project !== undefined) projects.push(project);
  }
  const folders = await Promise.all(projects.map((project) => realpath(project)));
  return folders.some((folder) => !isInside(target, folder));
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !/^\.\.[\\/]/.test(way) && !isAbsolute(way);
}

async function writePartFile(
  part: string,
  { text, mode }: { readonly text: string; readonly mode: number },
): Promise<void> {
  const handle = await open(part, 'wx', mode);
  try {
    await handle.chmod(mode);
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
