import { EventEmitter, type SecretStorage, type SecretStorageChangeEvent } from 'vscode';

/** Secrets for as long as a test runs. */
export function memorySecrets(): SecretStorage {
  const values = new Map<string, string>();
  const changed = new EventEmitter<SecretStorageChangeEvent>();
  return {
    onDidChange: changed.event,
    get: async (key) => values.get(key),
    async store(key, value) {
      values.set(key, value);
      changed.fire({ key });
    },
    async delete(key) {
      values.delete(key);
      changed.fire({ key });
    },
  };
}
