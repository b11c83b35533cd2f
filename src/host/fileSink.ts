import * as vscode from 'vscode';

/** A file in the making. Until it is whole it stands beside its place under a name of its own. */
export interface FileSink {
  /** @throws FileError when it cannot be written, or has grown too large to be held. */
  write(chunk: Uint8Array): Promise<void>;
  /** Gives the file its name, in place of one that has it. @throws FileError */
  commit(): Promise<void>;
  /** Removes what was written, if it was not committed. Never throws. */
  discard(): Promise<void>;
}

/** A file that could not be written; the message is the file system's. */
export class FileError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'FileError';
  }
}

/**
 * `workspace.fs` writes only whole files, so a file on a file system of the editor is held in memory until it is
 * committed, and this is the most of it.
 */
export const mostHeldBytes = 256 * 1024 * 1024;

/** The writing of the unfinished file, which differs; naming and removing go through `workspace.fs` for all. */
interface Draft {
  append(chunk: Uint8Array): Promise<void>;
  /** Everything that was appended is in the file. */
  finish(): Promise<void>;
  /** Lets go of the file; what is not written is dropped. */
  close(): Promise<void>;
}

/** @throws FileError when no file can be made beside `target`. */
export async function openFileSink(target: vscode.Uri): Promise<FileSink> {
  const unfinished = target.with({ path: `${target.path}.${crypto.randomUUID().slice(0, 8)}.part` });
  const draft = await mended(async () => (await draftOnDisk(unfinished)) ?? draftInMemory(unfinished));
  let committed = false;
  return {
    write: (chunk) => mended(() => draft.append(chunk)),
    commit: () =>
      mended(async () => {
        await draft.finish();
        await vscode.workspace.fs.rename(unfinished, target, { overwrite: true });
        committed = true;
      }),
    async discard() {
      if (committed) return;
      await draft.close().catch(() => undefined);
      await vscode.workspace.fs.delete(unfinished).then(undefined, () => undefined);
    },
  };
}

async function mended<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw error instanceof FileError ? error : new FileError(error);
  }
}

/**
 * Written as it comes, in memory of one chunk. This is the one place that reaches for Node: a million logs are half a
 * gigabyte of JSON, and held until the end they take more than twice that. Undefined where the file is not on this
 * machine's disk or there is no Node.
 */
async function draftOnDisk(uri: vscode.Uri): Promise<Draft | undefined> {
  if (uri.scheme !== 'file') return undefined;
  const fs = await import('node:fs/promises').catch(() => undefined);
  if (!fs) return undefined;
  const file = await fs.open(uri.fsPath, 'wx');
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= file.close();
    return closing;
  };
  return { append: (chunk) => file.appendFile(chunk), finish: close, close };
}

function draftInMemory(uri: vscode.Uri): Draft {
  let chunks: Uint8Array[] = [];
  let length = 0;
  return {
    async append(chunk) {
      length += chunk.length;
      if (length > mostHeldBytes) throw new FileError(tooLarge());
      chunks.push(chunk);
    },
    async finish() {
      const whole = new Uint8Array(length);
      let offset = 0;
      for (const chunk of chunks) {
        whole.set(chunk, offset);
        offset += chunk.length;
      }
      chunks = [];
      await vscode.workspace.fs.writeFile(uri, whole);
    },
    async close() {
      chunks = [];
    },
  };
}

function tooLarge(): string {
  return vscode.l10n.t(
    'Files of more than {0} MiB can only be written to a local disk.',
    mostHeldBytes / 1024 / 1024,
  );
}
