import type { BookFiles } from '../../src/features/addresses/bookEntries.ts';

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
