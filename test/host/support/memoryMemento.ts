import type { Memento } from 'vscode';

/** Storage of the editor, in memory. */
export function memoryMemento(values = new Map<string, unknown>()): Memento {
  return {
    keys: () => [...values.keys()],
    get: <T>(key: string) => values.get(key) as T,
    update: async (key, value) => void values.set(key, value),
  };
}
