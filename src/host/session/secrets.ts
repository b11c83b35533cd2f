import type * as vscode from 'vscode';
import {
  type HttpDeps,
  type KeyPlace,
  lazy,
  type SecretEndpoint,
  type StoredSecret,
  withEndpointSecret,
} from '../../core/index.ts';

/** The way to endpoints, with the secrets that are stored for them. */
export interface EndpointAccess extends vscode.Disposable {
  /** HTTP to an endpoint and to what is beside it: its secret goes along, as it is stored at the time of each request. */
  httpFor(endpoint: SecretEndpoint): HttpDeps;
  /** Whether the secret is stored that the endpoint is asked with. */
  hasSecret(endpoint: SecretEndpoint): Promise<boolean>;
  /**
   * Fires with the origin whose secret is another one, in whichever window that was changed. What was on its way with
   * the old one is cancelled by then.
   */
  onDidChange(listener: (origin: string) => void): vscode.Disposable;
}

/** Keeps a secret only as long as it is stored, and reads it when a request is to go with it. */
export function createEndpointAccess({
  http,
  secrets,
}: {
  readonly http: HttpDeps;
  readonly secrets: EndpointSecrets;
}): EndpointAccess {
  const inUse = new Map<string, StoredSecret & { readonly replaced: AbortController }>();
  const listeners = new Set<(origin: string) => void>();

  function keptFor(rpcUrl: string): StoredSecret {
    const { origin } = new URL(rpcUrl);
    const known = inUse.get(origin);
    if (known) return known;
    const replaced = new AbortController();
    const kept = { read: lazy(() => secrets.get(origin)), until: replaced.signal, replaced };
    inUse.set(origin, kept);
    return kept;
  }

  function drop(origin: string): void {
    inUse.get(origin)?.replaced.abort('secret changed');
    inUse.delete(origin);
  }

  const listening = secrets.onDidChange((origin) => {
    drop(origin);
    for (const listener of listeners) listener(origin);
  });
  return {
    httpFor: (endpoint) => withEndpointSecret(http, endpoint, () => keptFor(endpoint.rpcUrl)),
    hasSecret: async ({ rpcUrl }) => (await secrets.get(rpcUrl)) !== undefined,
    onDidChange(listener) {
      listeners.add(listener);
      return { dispose: () => void listeners.delete(listener) };
    },
    dispose() {
      listening.dispose();
      for (const origin of inUse.keys()) drop(origin);
    },
  };
}

const ENDPOINT_SECRET_PREFIX = 'endpointSecret:';

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
  const idOf = (rpcUrl: string) => `${ENDPOINT_SECRET_PREFIX}${new URL(rpcUrl).origin}`;
  return {
    get: async (rpcUrl) => storage.get(idOf(rpcUrl)),
    set: async (rpcUrl, secret) => storage.store(idOf(rpcUrl), secret),
    forget: async (rpcUrl) => storage.delete(idOf(rpcUrl)),
    onDidChange: (listener) =>
      storage.onDidChange(({ key }) => {
        if (key.startsWith(ENDPOINT_SECRET_PREFIX)) listener(key.slice(ENDPOINT_SECRET_PREFIX.length));
      }),
  };
}

const API_KEY_PREFIX = 'apiKey:';
/** Stands before a key that the server takes in the query only. No key has a space. */
const IN_QUERY_PREFIX = 'query ';

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
      secrets.store(secretId(url), place === 'query' ? `${IN_QUERY_PREFIX}${key}` : key),
    forget: async (url) => secrets.delete(secretId(url)),
    onDidChange: (listener) =>
      secrets.onDidChange(({ key }) => {
        if (key.startsWith(API_KEY_PREFIX)) listener(key.slice(API_KEY_PREFIX.length));
      }),
  };
}

function secretId(dataApiUrl: string): string {
  return `${API_KEY_PREFIX}${new URL(dataApiUrl).origin}`;
}

function readKey(secret: string | undefined): StoredKey | undefined {
  if (secret === undefined) return undefined;
  return secret.startsWith(IN_QUERY_PREFIX)
    ? { key: secret.slice(IN_QUERY_PREFIX.length), place: 'query' }
    : { key: secret, place: 'header' };
}
