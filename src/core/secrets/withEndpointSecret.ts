import { lazy } from '../base/concurrency.ts';
import { AppError } from '../base/errors.ts';
import type { HttpDeps } from '../http/exchange.ts';
import { findSecretPlaceholder, requiresSecret, type SecretEndpoint } from '../networks/network.ts';

/**
 * `http` with the secrets of `endpoint` inserted into requests to exactly the origin of the endpoint. Code above it sees
 * only URLs with placeholders and headers without the secret. Responses and errors do not contain it either, in whatever
 * encoding a server or a library returns it. If the endpoint takes no secret, it is `http` itself.
 *
 * Requests fail with `needsKey`, unsent, if there is no secret; with `badInput` if it cannot be sent.
 *
 * @param current the stored secret, read with each request; the same object as long as the secret is the same.
 * @param variable the value of a variable of the environment that the URL of the endpoint names.
 * @example
 * const stored = { read: async () => key };
 * const http = withEndpointSecret({ fetch, clock: systemClock }, network, () => stored);
 * const client = createChainClient({ ...http, url: network.rpcUrl });
 */
export function withEndpointSecret(
  http: HttpDeps,
  endpoint: SecretEndpoint,
  current: () => StoredSecret,
  variable: (name: string) => string | undefined = () => undefined,
): HttpDeps {
  if (!requiresSecret(endpoint) && findSecretPlaceholder(endpoint.rpcUrl) === undefined) return http;
  // A sender contains the secret, and is released together with the stored secret that it belongs to.
  const senders = new WeakMap<StoredSecret, ReturnType<typeof createLazySender>>();
  const getSender = () => {
    const stored = current();
    const loadSender = senders.get(stored) ?? createLazySender(http, endpoint, { stored, variable });
    senders.set(stored, loadSender);
    return loadSender();
  };
  return {
    ...http,
    fetch: async (...request) => (await getSender()).fetch(...request),
    redact: (error) =>
      getSender().then(
        ({ redact }) => redact(error),
        () => error,
      ),
    redactText: (text) =>
      getSender().then(
        ({ redactText }) => redactText(text),
        () => text,
      ),
    until: () => current().until,
  };
}

export interface StoredSecret {
  /** Undefined if there is none. Called once, with the first request that needs it. */
  read(): Promise<string | undefined>;
  /** Aborts when another secret replaces it; pending requests with it are then cancelled. */
  readonly until?: AbortSignal | undefined;
}

function createLazySender(
  http: HttpDeps,
  endpoint: SecretEndpoint,
  {
    stored,
    variable,
  }: { readonly stored: StoredSecret; readonly variable: (name: string) => string | undefined },
) {
  return lazy(async () => {
    const { createSecretSender } = await import('./secretSender.ts');
    const read = requiresSecret(endpoint) ? stored.read() : Promise.resolve(undefined);
    const secret = await read.catch((cause: unknown) => {
      throw new AppError('needsKey', 'The secret of the endpoint cannot be read.', { cause });
    });
    return createSecretSender(http, endpoint, { stored: secret, variable });
  });
}
