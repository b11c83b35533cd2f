import { access, constants, lstat, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import {
  AppError,
  badInput,
  englishMessage,
  findDiskPlace,
  MAX_QUERY_FILE_CHARS,
  PlaceError,
  type PlaceErrorReason,
  replaceFile,
} from '../core/index.ts';
import { disk, readNamedFile } from './disk.ts';
import { findMarkedFolder, findProjectFolder } from './projectFolder.ts';

/** A file, and its name for people. */
interface NamedFile {
  readonly file: string;
  readonly path: string;
}

/**
 * Reads the text of a query file, with its byte order mark, or returns why it cannot be read.
 *
 * @param mustStay whether a link that leads out of the project of the file is refused. The user may name one.
 */
export async function readQueryText(
  { file, path }: NamedFile,
  { mustStay = false } = {},
): Promise<string | AppError> {
  let bytes: Uint8Array;
  try {
    const target = await realpath(path);
    if (mustStay && (await leavesProject(path, target)))
      return badInput(
        'file',
        englishMessage`${file} is a link to a file outside of its project. It was not read.`,
      );
    bytes = await readNamedFile(target, MAX_FILE_BYTES);
  } catch (cause) {
    return describeFileError(file, 'read', cause);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return badInput('file', englishMessage`${file} is not UTF-8.`);
  }
}

/** Of a query, or a file with some. */
export const MAX_FILE_BYTES = 4 * MAX_QUERY_FILE_CHARS;

/** Why a file or folder cannot be read or written, by the code of the operating system. */
export function describeFileError(file: string, doing: 'read' | 'written', cause: unknown): AppError {
  if (cause instanceof PlaceError)
    return badInput('file', englishMessage`${file} cannot be ${doing}: ${PLACE_REASONS[cause.reason]}.`);
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  const reason = code !== undefined && Object.hasOwn(ERROR_REASONS, code) ? ERROR_REASONS[code] : undefined;
  const detail = reason !== undefined ? `: ${reason} (${code})` : code !== undefined ? ` (${code})` : '';
  const done = `${doing}${detail}`;
  return badInput('file', englishMessage`${file} cannot be ${done}.`);
}

const PLACE_REASONS: Readonly<Record<PlaceErrorReason, string>> = {
  folder: 'it is a folder',
  notFolder: 'a part of its path is not a folder',
  special: 'it is not a regular file',
  link: 'it is a symbolic link, or in a folder that is one. Replace the link, or name another file',
  links: 'its links lead nowhere',
  outside: 'its path leads out of its folder',
  protected: 'it is write-protected',
  name: 'the file system does not allow its name',
  same: 'two names lead to it',
  appeared: 'another program created it in the meantime',
  changed: 'another program replaced it in the meantime',
  full: 'the disk is almost full',
  large: `it is too large. ${MAX_FILE_BYTES} bytes are the most`,
};

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
  try {
    const target = await realpath(path);
    if (await leavesProject(path, target))
      return badInput(
        'file',
        englishMessage`${file} is a link to a file outside of its project. Nothing was written.`,
      );
    // A rename would ignore that the file is read-only.
    await access(target, constants.W_OK);
    const place = await findDiskPlace(disk, target, { followsLinks: false });
    await replaceFile(disk, place, new TextEncoder().encode(text), async () => {
      if ((await readQueryText({ file, path: target })) !== old)
        throw badInput('file', englishMessage`${file} has changed since it was read. Nothing was written.`);
    });
    return undefined;
  } catch (cause) {
    return cause instanceof AppError ? cause : describeFileError(file, 'written', cause);
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
