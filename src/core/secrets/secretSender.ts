import { AppError, badInput, safeUrl, throwIfAborted } from '../base/errors.ts';
import type { FetchLike } from '../http/exchange.ts';
import { insertSecret, type RpcAuth, type SecretEndpoint } from '../networks/network.ts';
import { redactKey } from './redactKey.ts';

/**
 * Puts the secret into requests to the origin of the endpoint: scheme, host and port must be equal. Other requests are
 * sent unchanged.
 */
export function createSecretSender(
  fetch: FetchLike,
  { rpcUrl, rpcAuth }: SecretEndpoint,
  storedSecret: string | undefined,
): SecretSender {
  const { origin } = new URL(rpcUrl);
  const requireSecret = () => {
    if (storedSecret !== undefined) return requireEndpointSecret(storedSecret);
    throw new AppError('needsKey', `${safeUrl(rpcUrl)} requires a key, but none is set.`);
  };
  return {
    fetch: async (url, init) => {
      if (new URL(url).origin !== origin) return fetch(url, init);
      const secret = requireSecret();
      throwIfAborted(init.signal);
      // A request with its own key, such as one to a data API at the same origin, keeps that.
      const headers = { ...createAuthHeader(rpcAuth, secret), ...init.headers };
      return fetch(insertSecret(url, secret), { ...init, headers });
    },
    redact: (error) => (storedSecret === undefined ? error : redactKey(error, storedSecret.trim())),
  };
}

/** Sends requests with a secret that no other code sees. */
interface SecretSender {
  readonly fetch: FetchLike;
  redact(error: AppError): AppError;
}

function createAuthHeader(rpcAuth: RpcAuth | undefined, secret: string): Record<string, string> {
  if (rpcAuth === undefined) return {};
  if (rpcAuth === 'bearer') return { authorization: `Bearer ${secret}` };
  return { [rpcAuth.slice('header:'.length)]: secret };
}

/**
 * A secret as it is sent, without surrounding white space.
 *
 * @throws AppError `badInput` if it cannot be part of a header and of a URL. The error does not contain it.
 * @example requireEndpointSecret(' abc123 ') // 'abc123'
 */
export function requireEndpointSecret(text: string): string {
  const secret = text.trim();
  // In a path, a segment of only dots would lead to the parent.
  if (/^[\x21-\x7e]{1,512}$/.test(secret) && !/^\.{1,512}$/.test(secret)) return secret;
  throw badInput('secret', 'Not a secret. Write up to 512 letters, digits and symbols, without spaces.');
}
