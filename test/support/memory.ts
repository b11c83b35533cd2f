import type { SecretStorage, SecretStorageChangeEvent } from 'vscode';
import type { FileStat, FolderEntry, ProjectFiles, TextStore } from '../../src/core/index.ts';
import type { BookFiles } from '../../src/features/addresses/bookEntries.ts';

export interface MemoryProject extends ProjectFiles {
  /** Writes a file, at a time of its own; undefined takes it away. */
  write(path: string, text: string | undefined): void;
  /** Writes a file without its time becoming another, as where a file system counts seconds. */
  writeAtOnce(path: string, text: string): void;
  /** Writes a file anew with the content that it has. */
  touch(path: string): void;
  /** Paths of the files that were read, since the last time this was asked for. */
  takeReads(): readonly string[];
}

/** A workspace in memory. */
export function memoryProject(
  texts: Readonly<Record<string, string | Uint8Array | undefined>>,
): MemoryProject {
  const files = new Map<string, { readonly bytes: Uint8Array; readonly modified: number }>();
  let time = 0;
  let reads: string[] = [];
  const write = (path: string, text: string | Uint8Array | undefined) => {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    if (bytes === undefined) files.delete(path);
    else files.set(path, { bytes, modified: ++time });
  };
  for (const [path, text] of Object.entries(texts)) write(path, text);
  return {
    write,
    writeAtOnce(path, text) {
      const { modified = 0 } = files.get(path) ?? {};
      files.set(path, { bytes: new TextEncoder().encode(text), modified });
    },
    touch(path) {
      write(path, new TextDecoder().decode(files.get(path)?.bytes));
    },
    takeReads() {
      const before = reads;
      reads = [];
      return before.sort();
    },
    async list(folder) {
      const start = folder === '' ? '' : `${folder}/`;
      const entries = new Map<string, FolderEntry>();
      for (const path of files.keys()) {
        if (!path.startsWith(start)) continue;
        const [name = '', ...below] = path.slice(start.length).split('/');
        entries.set(name, { name, kind: below.length > 0 ? 'folder' : 'file' });
      }
      return [...entries.values()];
    },
    async stat(path): Promise<FileStat | undefined> {
      const file = files.get(path);
      if (file) return { kind: 'file', size: file.bytes.length, modified: file.modified };
      const isFolder = [...files.keys()].some((other) => other.startsWith(`${path}/`));
      return isFolder ? { kind: 'folder', size: 0, modified: 0 } : undefined;
    },
    async read(path, most) {
      const bytes = files.get(path)?.bytes;
      if (!bytes || bytes.length > most) return undefined;
      reads.push(path);
      return bytes;
    },
  };
}

/** What is kept, in memory. */
export function memoryTextStore(): TextStore & { text: string | undefined } {
  const kept: TextStore & { text: string | undefined } = {
    text: undefined,
    load: async () => kept.text,
    save: async (text) => {
      kept.text = text;
    },
  };
  return kept;
}

export interface MemoryBookFiles extends BookFiles {
  readonly contents: Map<string, string>;
  watch(changed: () => void): { dispose(): void };
}

/** Files of address books in memory. `beforeStep` is waited for before each thing done with them. */
export function memoryBookFiles(
  contents = new Map<string, string>(),
  beforeStep: () => Promise<void> = async () => undefined,
): MemoryBookFiles {
  return {
    contents,
    async list(prefix) {
      await beforeStep();
      return [...contents.keys()].filter((name) => name.startsWith(prefix));
    },
    async read(name) {
      await beforeStep();
      return contents.get(name);
    },
    async write(name, content) {
      await beforeStep();
      // As a disk does: it is there before it is whole.
      contents.set(name, content.slice(0, content.length / 2));
      await beforeStep();
      contents.set(name, content);
    },
    async remove(name) {
      await beforeStep();
      if (!contents.delete(name)) throw new Error('ENOENT');
    },
    watch: () => ({ dispose() {} }),
  };
}

/** Secrets for as long as a test runs: what one window stores in them, all hear of. */
export function memorySecrets(values = new Map<string, string>()): SecretStorage {
  const listeners = new Set<(event: SecretStorageChangeEvent) => void>();
  const changed = (key: string) => {
    for (const listener of listeners) listener({ key });
  };
  return {
    get: async (key) => values.get(key),
    async store(key, value) {
      values.set(key, value);
      changed(key);
    },
    async delete(key) {
      values.delete(key);
      changed(key);
    },
    onDidChange: (listener) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  };
}

/** Secret storages as on Linux without a keyring, or in a sandbox. */
export const failingSecrets: Readonly<Record<'rejects' | 'forgets', () => SecretStorage>> = {
  rejects: () => {
    const reject = () => Promise.reject(new Error('No keyring answers.'));
    return { ...memorySecrets(), get: reject, store: reject, delete: reject };
  },
  forgets: () => ({ ...memorySecrets(), get: async () => undefined }),
};
