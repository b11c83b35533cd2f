import { randomUUID } from 'node:crypto';
import { access, constants, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type AppError, badInput, MAX_QUERY_FILE_CHARS } from '../../core/index.ts';

const MOST_BYTES = 4 * MAX_QUERY_FILE_CHARS;

/** The text of a file of questions, a byte order mark included, or why it cannot be read. */
export async function readText(file: string): Promise<string | AppError> {
  let bytes: Uint8Array;
  try {
    const stats = await stat(file);
    if (!stats.isFile()) return badInput('file', `${file} is no file.`);
    if (stats.size > MOST_BYTES) return badInput('file', `${file} is longer than a file of questions.`);
    bytes = await readFile(file);
  } catch {
    return badInput('file', `${file} cannot be read.`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return badInput('file', `${file} is not UTF-8.`);
  }
}

/**
 * Puts a text in the place of the one that a file had when it was read, at once: the file is the old one or the new one.
 * Resolves to why it was not done, as where the file has another text by now.
 */
export async function replaceText(
  file: string,
  { old, text }: { readonly old: string; readonly text: string },
): Promise<AppError | undefined> {
  let part: string | undefined;
  try {
    const target = await realpath(file);
    // A rename would go past what the file itself forbids.
    await access(target, constants.W_OK);
    part = join(dirname(target), `.${randomUUID()}.part`);
    await writePart(part, { text, mode: (await stat(target)).mode });
    if ((await readText(target)) !== old)
      return badInput('file', `${file} has changed since it was read: nothing was written.`);
    await rename(part, target);
    return undefined;
  } catch {
    return badInput('file', `${file} cannot be written.`);
  } finally {
    if (part !== undefined) await rm(part, { force: true });
  }
}

async function writePart(
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
