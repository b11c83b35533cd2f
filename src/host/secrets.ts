import type * as vscode from 'vscode';

const PREFIX = 'apiKey:';

/**
 * Data API keys in the editor's secret storage, one for each origin: a key is read back only for the origin that it
 * was typed for, whatever a setting says later.
 */
export interface KeyStore {
  get(dataApiUrl: string): Promise<string | undefined>;
  set(dataApiUrl: string, key: string): Promise<void>;
  forget(dataApiUrl: string): Promise<void>;
  /** Fires in every window when the key of any origin is set or forgotten. */
  readonly onDidChange: (listener: () => void) => vscode.Disposable;
}

export function createKeyStore(secrets: vscode.SecretStorage): KeyStore {
  return {
    get: async (url) => secrets.get(secretId(url)),
    set: async (url, key) => secrets.store(secretId(url), key),
    forget: async (url) => secrets.delete(secretId(url)),
    onDidChange: (listener) =>
      secrets.onDidChange(({ key }) => {
        if (key.startsWith(PREFIX)) listener();
      }),
  };
}

function secretId(dataApiUrl: string): string {
  return `${PREFIX}${new URL(dataApiUrl).origin}`;
}
