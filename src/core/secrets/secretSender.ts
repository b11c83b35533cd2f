import { AppError, badInput, safeUrl, throwIfAborted } from '../base/errors.ts';
import type { FetchLike } from '../http/exchange.ts';
import { insertSecret, type RpcAuth, type SecretEndpoint } from '../networks/network.ts';
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
      return fetch(insertSecret(url, secret), { ...init, headers });
    },
    redact: (error) => (written === undefined ? error : redactKey(error, written.trim())),
  };
}

function headerFor(rpcAuth: RpcAuth | undefined, secret: string): Record<string, string> {
  if (rpcAuth === undefined) return {};
  if (rpcAuth === 'bearer') return { authorization: `Bearer ${secret}` };
  return { [rpcAuth.slice('header:'.length)]: secret };
}

/**
 * A secret as it is sent, without white space around it.
 *
 * @throws AppError `badInput` for what cannot stand in a header and in a URL, without the text itself.
 * @example requireEndpointSecret(' abc123 ') // 'abc123'
 */
export function requireEndpointSecret(text: string): string {
  const secret = text.trim();
  // As a part of a path, dots alone would be taken for a step in it.
  if (/^[\x21-\x7e]{1,512}$/.test(secret) && !/^\.{1,512}$/.test(secret)) return secret;
  throw badInput('secret', 'Not a secret: expected up to 512 letters, digits and signs without spaces.');
}
