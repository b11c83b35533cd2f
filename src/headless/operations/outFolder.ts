import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, badInput, type EventFiles } from '../../core/index.ts';

/** A name without a folder, a dot at its start, or anything that a shell or a file system reads otherwise. */
const PLAIN_NAME = /^[A-Za-z0-9][\w-]{0,99}(?:\.[a-z]{2,8}){1,2}$/;

/**
 * Writes files into one folder that the user has named, and nowhere else; what is there stays.
 *
 * @throws AppError `badInput` where there is no such folder.
 */
export async function openOutFolder(folder: string): Promise<EventFiles> {
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory()) throw badInput('out', `There is no folder ${folder} for --out.`);
  const root = await realpath(folder);

  return {
    async write(name, content, record) {
      const path = placeOf(root, name);
      const file = await reserve(path);
      const beside = `${path}.json`;
      const made = [path];
      const part = join(root, `.${randomUUID()}.part`);
      try {
        await (await reserve(beside)).close();
        made.push(beside);
        const { bytes, sha256 } = await writeAll(await open(part, 'wx'), content);
        const { name: recordName, content: recorded } = record();
        if (placeOf(root, recordName) !== beside)
          throw badInput('file', 'The record stands beside its file.');
        const recordPart = `${part}.json`;
        made.push(recordPart);
        await writeAll(await open(recordPart, 'wx'), [recorded]);
        // Each takes the place of an empty file that was made for it above.
        await rename(recordPart, beside);
        await rename(part, path);
        return { path, bytes, sha256 };
      } catch (error) {
        await Promise.all([...made, part].map((left) => rm(left, { force: true })));
        throw error;
      } finally {
        await file.close();
      }
    },
  };
}

function placeOf(root: string, name: string): string {
  if (!PLAIN_NAME.test(name)) {
    throw badInput('file', 'A file name has letters, digits, _ and -, and no folder.');
  }
  return join(root, name);
}

/** Makes an empty file, so that nobody else does. */
async function reserve(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx');
  } catch (cause) {
    const isTaken = (cause as { readonly code?: unknown }).code === 'EEXIST';
    if (isTaken)
      throw badInput(
        'file',
        'There is a file of this name already, and none is overwritten: give another name.',
      );
    throw new AppError('badInput', 'The file cannot be written there.', { field: 'file', cause });
  }
}

async function writeAll(
  file: FileHandle,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of content) {
      hash.update(chunk);
      bytes += chunk.length;
      await file.writeFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}
