import type * as vscode from 'vscode';
import {
  ETHERSCAN_URL,
  type HttpDeps,
  type KeyPlace,
  lazy,
  type SecretEndpoint,
  type StoredSecret,
  withEndpointSecret,
} from '../../core/index.ts';

/** HTTP to endpoints, with their stored secrets. */
export interface EndpointAccess extends vscode.Disposable {
  /** HTTP to an endpoint and its sibling URLs. Each request carries the secret that is stored at that time. */
  httpFor(endpoint: SecretEndpoint): HttpDeps;
  /** Whether the secret of the endpoint is stored. */
  hasSecret(endpoint: SecretEndpoint): Promise<boolean>;
  /**
   * Fires with the origin whose secret has changed in any window. Pending requests with the old secret are
   * cancelled by then.
   */
  onDidChange(listener: (origin: string) => void): vscode.Disposable;
}

const { process } = globalThis as {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
};

/** A variable of the environment that the editor was started in; undefined if it is empty, and without Node. */
export function getEnvironmentVariable(name: string): string | undefined {
  return process?.env?.[name]?.trim() || undefined;
}

/** The value of a variable; undefined if it is not set. */
export type VariableReader = (name: string) => string | undefined;

const readersOfUrls = new Map<string, VariableReader>();

/** Has requests to an endpoint take their variables from `variable`, in place of the environment alone. */
export function setEndpointVariables(rpcUrl: string, variable: VariableReader): void {
  readersOfUrls.set(rpcUrl, variable);
}

/** The value of a variable that the URL of an endpoint names. */
export function getEndpointVariable(rpcUrl: string, name: string): string | undefined {
  return (readersOfUrls.get(rpcUrl) ?? getEnvironmentVariable)(name);
}

/** Reads a secret when a request needs it, and caches it only as long as it is stored. */
export function createEndpointAccess({
  http,
  secrets,
}: {
  readonly http: HttpDeps;
  readonly secrets: EndpointSecrets;
}): EndpointAccess {
  const secretsInUse = new Map<string, StoredSecret & { readonly replaced: AbortController }>();
  const listeners = new Set<(origin: string) => void>();

  function storedSecretOf(rpcUrl: string): StoredSecret {
    const { origin } = new URL(rpcUrl);
    const existing = secretsInUse.get(origin);
    if (existing) return existing;
    const replaced = new AbortController();
    const secret = { read: lazy(() => secrets.read(origin)), until: replaced.signal, replaced };
    secretsInUse.set(origin, secret);
    return secret;
  }

  function drop(origin: string): void {
    secretsInUse.get(origin)?.replaced.abort('secret changed');
    secretsInUse.delete(origin);
  }

  const subscription = secrets.onDidChange((origin) => {
    drop(origin);
    for (const listener of listeners) listener(origin);
  });
  return {
    httpFor: (endpoint) =>
      withEndpointSecret(
        http,
        endpoint,
        () => storedSecretOf(endpoint.rpcUrl),
        (name) => getEndpointVariable(endpoint.rpcUrl, name),
      ),
    hasSecret: async ({ rpcUrl }) => (await secrets.get(rpcUrl)) !== undefined,
    onDidChange(listener) {
      listeners.add(listener);
      return { dispose: () => void listeners.delete(listener) };
    },
    dispose() {
      subscription.dispose();
      for (const origin of secretsInUse.keys()) drop(origin);
    },
  };
}

/** The editor's secret storage fails, or keeps nothing: on Linux without a keyring, and in some sandboxes. */
export class SecretStorageError extends Error {}

/** What needs no secret works without a secret storage. */
async function findSecret(storage: vscode.SecretStorage, id: string): Promise<string | undefined> {
  try {
    return await storage.get(id);
  } catch {
    return undefined;
  }
}

async function storeSecret(storage: vscode.SecretStorage, id: string, secret: string): Promise<void> {
  try {
    await storage.store(id, secret);
    if ((await storage.get(id)) === secret) return;
  } catch (cause) {
    throw new SecretStorageError('The secret storage refuses a secret.', { cause });
  }
  throw new SecretStorageError('The secret storage does not keep a secret.');
}

async function deleteSecret(storage: vscode.SecretStorage, id: string): Promise<void> {
  try {
    await storage.delete(id);
  } catch (cause) {
    throw new SecretStorageError('The secret storage does not delete a secret.', { cause });
  }
}

const ENDPOINT_SECRET_PREFIX = 'endpointSecret:';

/**
 * Endpoint secrets in the editor's secret storage, one per origin: a secret is only used for the scheme, host and
 * port that it was entered for, whatever a setting says later.
 */
export interface EndpointSecrets {
  /** Undefined also if the secret storage fails. */
  get(rpcUrl: string): Promise<string | undefined>;
  /** @throws where the secret storage does, so that a later request tries again. */
  read(rpcUrl: string): Promise<string | undefined>;
  /** @throws SecretStorageError */
  set(rpcUrl: string, secret: string): Promise<void>;
  /** @throws SecretStorageError */
  forget(rpcUrl: string): Promise<void>;
  /** Fires in every window with the origin whose secret is set or removed. */
  readonly onDidChange: (listener: (origin: string) => void) => vscode.Disposable;
}

export function createEndpointSecrets(storage: vscode.SecretStorage): EndpointSecrets {
  const idOf = (rpcUrl: string) => `${ENDPOINT_SECRET_PREFIX}${new URL(rpcUrl).origin}`;
  async function read(rpcUrl: string): Promise<string | undefined> {
    const secret = await storage.get(idOf(rpcUrl));
    if (secret !== undefined || keyIdOf(rpcUrl) !== ETHERSCAN_KEY) return secret;
    return parseStoredKey(await storage.get(ETHERSCAN_KEY))?.key;
  }
  return {
    get: (rpcUrl) => read(rpcUrl).catch(() => undefined),
    read,
    set: async (rpcUrl, secret) => storeSecret(storage, idOf(rpcUrl), secret),
    forget: async (rpcUrl) => deleteSecret(storage, idOf(rpcUrl)),
    onDidChange: (listener) =>
      storage.onDidChange(({ key }) => {
        const prefix = key === ETHERSCAN_KEY ? API_KEY_PREFIX : ENDPOINT_SECRET_PREFIX;
        if (key.startsWith(prefix)) listener(key.slice(prefix.length));
      }),
  };
}

const API_KEY_PREFIX = 'apiKey:';
/** An endpoint at Etherscan takes this key if it has no secret of its own. */
const ETHERSCAN_KEY = keyIdOf(ETHERSCAN_URL);
/** Prefix of a key that the server accepts only in the query. Keys contain no spaces. */
const IN_QUERY_PREFIX = 'query ';

interface StoredKey {
  readonly key: string;
  /** Where the server accepts it, as found by the last request; the header by default. */
  readonly place: KeyPlace;
}

/**
 * Data API keys in the editor's secret storage, one per origin: a key is only used for the origin that it was
 * entered for, whatever a setting says later.
 */
export interface KeyStore {
  /** Undefined also if the secret storage fails. */
  get(dataApiUrl: string): Promise<StoredKey | undefined>;
  /** @throws SecretStorageError */
  set(dataApiUrl: string, key: string, place?: KeyPlace): Promise<void>;
  /** Remembers where the origin accepts its key until that is set or removed. Does not fire, as the key stays. */
  rememberPlace(dataApiUrl: string, place: KeyPlace): Promise<void>;
  /** @throws SecretStorageError */
  forget(dataApiUrl: string): Promise<void>;
  /** Fires in every window with the origin whose key is set or removed. */
  readonly onDidChange: (listener: (origin: string) => void) => vscode.Disposable;
}

/** @param storage remembers places that requests have found. */
export function createKeyStore(
  secrets: vscode.SecretStorage,
  storage?: Pick<vscode.Memento, 'get' | 'update'>,
): KeyStore {
  const placeIdOf = (url: string) => `keyPlace:${new URL(url).origin}`;
  const writePlace = async (url: string, place: KeyPlace | undefined) =>
    storage?.update(placeIdOf(url), place);
  return {
    async get(url) {
      const stored = parseStoredKey(await findSecret(secrets, keyIdOf(url)));
      const place = storage?.get<unknown>(placeIdOf(url));
      return stored && (place === 'query' || place === 'header') ? { ...stored, place } : stored;
    },
    // Key and place are one secret, so that no window combines a key with the place of another.
    async set(url, key, place = 'header') {
      await writePlace(url, undefined);
      await storeSecret(secrets, keyIdOf(url), place === 'query' ? `${IN_QUERY_PREFIX}${key}` : key);
    },
    rememberPlace: async (url, place) => writePlace(url, place),
    async forget(url) {
      await writePlace(url, undefined);
      await deleteSecret(secrets, keyIdOf(url));
    },
    onDidChange: (listener) =>
      secrets.onDidChange(({ key }) => {
        if (key.startsWith(API_KEY_PREFIX)) listener(key.slice(API_KEY_PREFIX.length));
      }),
  };
}

function keyIdOf(dataApiUrl: string): string {
  return `${API_KEY_PREFIX}${new URL(dataApiUrl).origin}`;
}

function parseStoredKey(stored: string | undefined): StoredKey | undefined {
  if (stored === undefined) return undefined;
  return stored.startsWith(IN_QUERY_PREFIX)
    ? { key: stored.slice(IN_QUERY_PREFIX.length), place: 'query' }
    : { key: stored, place: 'header' };
}
