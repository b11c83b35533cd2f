import * as fs from 'node:fs/promises';
import { sep } from 'node:path';
import { type Disk, PlaceError } from '../core/index.ts';

/** The disk, for the writers of core. */
export const disk: Disk = { fs, separator: sep };

/** Windows has neither flag. */
const { O_RDONLY, O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;

/**
 * Reads a file that the user has named. The links on the way are the user's own; a pipe is refused, not waited for.
 *
 * @throws PlaceError `special` for what is no regular file, `large` for one of more than `maxBytes`; the error of the
 *   file system.
 */
export async function readNamedFile(path: string, maxBytes: number): Promise<Uint8Array> {
  await using file = await fs.open(path, O_RDONLY | O_NONBLOCK);
  const stats = await file.stat();
  if (stats.isDirectory()) throw new PlaceError('folder');
  if (!stats.isFile()) throw new PlaceError('special');
  if (stats.size > maxBytes) throw new PlaceError('large');
  const bytes = new Uint8Array(stats.size);
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}

/**
 * Appends to a file that the runner of a workflow has named, through no link.
 *
 * @throws PlaceError `special` for what is no regular file; the error of the file system.
 */
export async function appendToFile(path: string, text: string): Promise<void> {
  await using file = await fs.open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
  if (!(await file.stat()).isFile()) throw new PlaceError('special');
  await file.appendFile(text);
}
