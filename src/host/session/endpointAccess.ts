import type * as vscode from 'vscode';
import {
  type HttpDeps,
  lazy,
  type SecretEndpoint,
  type StoredSecret,
  withEndpointSecret,
} from '../../core/index.ts';
import type { EndpointSecrets } from './endpointSecrets.ts';

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
