import type { SecretStorage, SecretStorageChangeEvent } from 'vscode';

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
