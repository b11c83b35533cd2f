import type * as vscode from 'vscode';

const PREFIX = 'endpointSecret:';

/**
 * Secrets of endpoints in the editor's secret storage, one for each origin: a secret is read back only for the scheme,
 * host and port that it was typed for, whatever a setting says later.
 */
export interface EndpointSecrets {
  get(rpcUrl: string): Promise<string | undefined>;
  set(rpcUrl: string, secret: string): Promise<void>;
  forget(rpcUrl: string): Promise<void>;
  /** Fires in every window with the origin whose secret is set or forgotten. */
  readonly onDidChange: (listener: (origin: string) => void) => vscode.Disposable;
}

export function createEndpointSecrets(storage: vscode.SecretStorage): EndpointSecrets {
  const idOf = (rpcUrl: string) => `${PREFIX}${new URL(rpcUrl).origin}`;
  return {
    get: async (rpcUrl) => storage.get(idOf(rpcUrl)),
    set: async (rpcUrl, secret) => storage.store(idOf(rpcUrl), secret),
    forget: async (rpcUrl) => storage.delete(idOf(rpcUrl)),
    onDidChange: (listener) =>
      storage.onDidChange(({ key }) => {
        if (key.startsWith(PREFIX)) listener(key.slice(PREFIX.length));
      }),
  };
}
