import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Clock } from '../../core/index.ts';
import { isAlive, ownProcess } from './processes.ts';

/** What an export makes beside a place, and what it sets aside there until it is whole. */
export interface UnfinishedFile {
  readonly part: vscode.Uri;
  readonly setAside?: { readonly old: vscode.Uri; readonly place: vscode.Uri };
}

/** Notes what is about to be made. */
export type RegisterWork = (file: UnfinishedFile) => Promise<void>;

interface Work {
  readonly register: RegisterWork;
  /** `leaving`: something could not be put back, which a later sweep tries again. */
  end(leaving: boolean): Promise<void>;
}

export interface UnfinishedFiles {
  /** Begins a piece of work, which is known to be alive until it ends. */
  begin(): Work;
  /** Removes what work left behind that ended with its window. Never throws. */
  sweep(remove: (file: UnfinishedFile) => Promise<void>): Promise<void>;
}

/** Milliseconds between two signs of life of a piece of work. */
const SIGN_EVERY_MS = 10_000;
/** Work without a sign of life for so long is over, if its process is too. */
const SILENT_AFTER_MS = 60_000;
/** The same where processes cannot be asked about: a computer may have slept. */
const LONG_SILENT_AFTER_MS = 24 * 60 * 60_000;
const LONGEST_ENTRY = 64 * 1024;

const Entry = z.object({
  process: z.optional(z.int().check(z.minimum(1))),
  files: z.array(
    z.object({
      part: z.string(),
      setAside: z.optional(z.object({ old: z.string(), place: z.string() })),
    }),
  ),
});

/**
 * Keeps a list of unfinished files in `folder`, an entry for each piece of work in whatever window. A list that cannot
 * be written keeps no work from being done; what that leaves behind after a crash is then not found.
 */
export function createUnfinishedFiles(folder: vscode.Uri, clock: Clock): UnfinishedFiles {
  const { fs } = vscode.workspace;
  return {
    begin() {
      const entry = vscode.Uri.joinPath(folder, `${crypto.randomUUID()}.json`);
      const over = new AbortController();
      const files: unknown[] = [];
      let writing: Promise<unknown> = Promise.resolve();
      const write = () => {
        const content = new TextEncoder().encode(JSON.stringify({ process: ownProcess(), files }));
        writing = writing.then(() => fs.writeFile(entry, content)).catch(() => undefined);
        return writing;
      };
      const giveSigns = async () => {
        for (;;) {
          await clock.sleep(SIGN_EVERY_MS, { signal: over.signal });
          await write();
        }
      };
      return {
        async register({ part, setAside }) {
          const aside = setAside && { old: String(setAside.old), place: String(setAside.place) };
          files.push({ part: String(part), ...(aside && { setAside: aside }) });
          await write();
          if (files.length === 1) void giveSigns().catch(() => undefined);
        },
        async end(leaving) {
          over.abort();
          await writing;
          if (files.length > 0 && !leaving) await fs.delete(entry).then(undefined, () => undefined);
        },
      };
    },
    async sweep(remove) {
      const found = await fs.readDirectory(folder).then(undefined, () => []);
      for (const [name] of found) {
        if (name.endsWith('.json'))
          await sweepEntry(vscode.Uri.joinPath(folder, name), remove).catch(() => undefined);
      }
    },
  };

  async function sweepEntry(uri: vscode.Uri, remove: (file: UnfinishedFile) => Promise<void>): Promise<void> {
    const { mtime, size } = await fs.stat(uri);
    if (size > LONGEST_ENTRY) return;
    const entry = z.parse(Entry, JSON.parse(new TextDecoder().decode(await fs.readFile(uri))));
    const silentFor = Math.abs(clock.now() - mtime);
    const alive = isAlive(entry.process);
    const allowed = alive === undefined ? LONG_SILENT_AFTER_MS : SILENT_AFTER_MS;
    if (alive || silentFor < allowed) return;
    for (const { part, setAside } of entry.files) {
      const parse = (text: string) => vscode.Uri.parse(text, true);
      const aside = setAside && { old: parse(setAside.old), place: parse(setAside.place) };
      await remove({ part: parse(part), ...(aside && { setAside: aside }) });
    }
    await fs.delete(uri);
  }
}
