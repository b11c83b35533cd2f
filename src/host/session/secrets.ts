import type * as vscode from 'vscode';
import type { KeyPlace } from '../../core/index.ts';

const PREFIX = 'apiKey:';
/** Stands before a key that the server takes in the query only. No key has a space. */
const IN_QUERY = 'query ';

interface StoredKey {
  readonly key: string;
  /** Where the server takes it, as found when it was tried: in the header unless told otherwise. */
  readonly place: KeyPlace;
}

/**
 * Data API keys in the editor's secret storage, one for each origin: a key is read back only for the origin that it
 * was typed for, whatever a setting says later.
 */
export interface KeyStore {
  get(dataApiUrl: string): Promise<StoredKey | undefined>;
  set(dataApiUrl: string, key: string, place?: KeyPlace): Promise<void>;
  forget(dataApiUrl: string): Promise<void>;
  /** Fires in every window with the origin whose key is set or forgotten. */
  readonly onDidChange: (listener: (origin: string) => void) => vscode.Disposable;
}

export function createKeyStore(secrets: vscode.SecretStorage): KeyStore {
  return {
    get: async (url) => readKey(await secrets.get(secretId(url))),
    // One secret for both, so that no window ever reads a key with the place of another.
    set: async (url, key, place = 'header') =>
      secrets.store(secretId(url), place === 'query' ? `${IN_QUERY}${key}` : key),
    forget: async (url) => secrets.delete(secretId(url)),
    onDidChange: (listener) =>
      secrets.onDidChange(({ key }) => {
        if (key.startsWith(PREFIX)) listener(key.slice(PREFIX.length));
      }),
  };
}

function secretId(dataApiUrl: string): string {
  return `${PREFIX}${new URL(dataApiUrl).origin}`;
}

function readKey(secret: string | undefined): StoredKey | undefined {
  if (secret === undefined) return undefined;
  return secret.startsWith(IN_QUERY)
    ? { key: secret.slice(IN_QUERY.length), place: 'query' }
    : { key: secret, place: 'header' };
}
