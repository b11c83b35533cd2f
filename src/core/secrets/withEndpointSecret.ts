import { lazy } from '../base/concurrency.ts';
import { AppError } from '../base/errors.ts';
import type { HttpDeps } from '../http/exchange.ts';
import { requiresSecret, type SecretEndpoint } from '../networks/network.ts';

/** The secret of an origin, as it is kept somewhere. */
export interface StoredSecret {
  /** Undefined where there is none. Asked for once, with the first request that it goes with. */
  read(): Promise<string | undefined>;
  /** Aborts when another takes its place: what is on its way with it is cancelled. */
  readonly until?: AbortSignal | undefined;
}

/**
 * `http` with the secret of `endpoint` put in its place, in requests to the very origin of the endpoint and in no
 * others. Everything above sees URLs with the mark and headers without the secret; errors come without it too, in
 * whatever writing a server or a library has it. Where the endpoint takes no secret, `http` itself.
 *
 * Requests fail with `needsKey`, unsent, where there is none; with `badInput` where it is none that can be sent.
 *
 * @param current the secret as it is kept now, for each request; the same object while it is the same.
 * @example
 * const kept = { read: async () => key };
 * const http = withEndpointSecret({ fetch, clock: systemClock }, network, () => kept);
 * const client = createChainClient({ ...http, url: network.rpcUrl });
 */
export function withEndpointSecret(
  http: HttpDeps,
  endpoint: SecretEndpoint,
  current: () => StoredSecret,
): HttpDeps {
  if (!requiresSecret(endpoint)) return http;
  // Each has the secret in it, and goes when the place that keeps it lets it go.
  const senders = new WeakMap<StoredSecret, ReturnType<typeof senderOf>>();
  const sender = () => {
    const kept = current();
    const known = senders.get(kept) ?? senderOf(http, endpoint, kept);
    senders.set(kept, known);
    return known();
  };
  return {
    ...http,
    fetch: async (...request) => (await sender()).fetch(...request),
    redact: (error) =>
      sender().then(
        ({ redact }) => redact(error),
        () => error,
      ),
    until: () => current().until,
  };
}

function senderOf(http: HttpDeps, endpoint: SecretEndpoint, kept: StoredSecret) {
  return lazy(async () => {
    const { createSecretSender } = await import('./secretSender.ts');
    const secret = await kept.read().catch((cause: unknown) => {
      throw new AppError('needsKey', 'The secret of the endpoint cannot be read.', { cause });
    });
    return createSecretSender(http.fetch, endpoint, secret);
  });
}
