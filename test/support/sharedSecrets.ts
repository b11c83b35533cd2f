import type { SecretStorage, SecretStorageChangeEvent } from 'vscode';

/** The secrets of a machine: what one window stores, all others hear of. */
export function sharedSecrets() {
  const values = new Map<string, string>();
  const listeners = new Set<(event: SecretStorageChangeEvent) => void>();
  const changed = (key: string) => {
    for (const listener of listeners) listener({ key });
  };
  const storage: SecretStorage = {
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
  return { storage, values };
}
