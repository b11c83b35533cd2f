import { AppError, safeUrl, throwIfAborted } from '../base/errors.ts';
import type { FetchLike } from '../http/http.ts';
import { type RpcAuth, type SecretEndpoint, withSecretInUrl } from '../networks/rpcAuth.ts';
import { requireEndpointSecret } from './endpointSecret.ts';
import { redactKey } from './redactKey.ts';

/** Sends requests with a secret, which only the function that sends them sees in its place. */
interface SecretSender {
  readonly fetch: FetchLike;
  redact(error: AppError): AppError;
}

/**
 * Puts `written` into requests to the origin of the endpoint: of scheme, host and port none may differ. What goes
 * elsewhere goes as it is.
 */
export function createSecretSender(
  fetch: FetchLike,
  { rpcUrl, rpcAuth }: SecretEndpoint,
  written: string | undefined,
): SecretSender {
  const { origin } = new URL(rpcUrl);
  const secretOf = () => {
    if (written !== undefined) return requireEndpointSecret(written);
    throw new AppError('needsKey', `${safeUrl(rpcUrl)} is asked with a key, and none is set.`);
  };
  return {
    fetch: async (url, init) => {
      if (new URL(url).origin !== origin) return fetch(url, init);
      const secret = secretOf();
      throwIfAborted(init.signal);
      // A request that has a key of its own, as one to a data API at the same origin, keeps that.
      const headers = { ...headerFor(rpcAuth, secret), ...init.headers };
      return fetch(withSecretInUrl(url, secret), { ...init, headers });
    },
    redact: (error) => (written === undefined ? error : redactKey(error, written.trim())),
  };
}

function headerFor(rpcAuth: RpcAuth | undefined, secret: string): Record<string, string> {
  if (rpcAuth === undefined) return {};
  if (rpcAuth === 'bearer') return { authorization: `Bearer ${secret}` };
  return { [rpcAuth.slice('header:'.length)]: secret };
}
