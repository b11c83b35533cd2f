import { AppError, badInput, safeUrl, throwIfAborted } from '../base/errors.ts';
import { createTimeSlices } from '../base/timeSlices.ts';
import type { FetchLike, HttpDeps } from '../http/exchange.ts';
import { looksLikeKey } from '../networks/endpointUrl.ts';
import {
  getInsertedText,
  insertSecret,
  type RpcAuth,
  requiresSecret,
  type SecretEndpoint,
} from '../networks/network.ts';
import { redactHexData } from './redactHexData.ts';
import { redactKey, redactText } from './redactKey.ts';

/**
 * Puts the secrets into requests to the origin of the endpoint: scheme, host and port must be equal. Other requests are
 * sent unchanged.
 */
export function createSecretSender(
  { fetch, clock }: Pick<HttpDeps, 'clock' | 'fetch'>,
  endpoint: SecretEndpoint,
  { stored, variable }: EndpointSecretValues,
): SecretSender {
  const { rpcUrl, rpcAuth } = endpoint;
  const { origin } = new URL(rpcUrl);
  // What was sent, and may come back.
  const keys = new Set([stored?.trim() ?? ''].filter(Boolean));
  const requireSecret = () => {
    if (stored !== undefined) return requireEndpointSecret(stored);
    throw new AppError('needsKey', `${safeUrl(rpcUrl)} requires a key, but none is set.`);
  };
  const requireVariable = (name: string) => {
    const whole = variable(name)?.trim();
    if (!whole) throw new AppError('needsKey', `The environment variable ${name} is not set.`);
    // Nothing is left of a value that is the beginning of the URL.
    const value = getInsertedText(rpcUrl, name, whole);
    for (const key of listKeys(value).filter(Boolean)) keys.add(key);
    return value;
  };
  return {
    fetch: async (url, init) => {
      if (new URL(url).origin !== origin) return fetch(url, init);
      const secret = requiresSecret(endpoint) ? requireSecret() : '';
      const target = insertSecret(url, secret, requireVariable);
      throwIfAborted(init.signal);
      // A request with its own key, such as one to a data API at the same origin, keeps that.
      const headers = { ...createAuthHeader(rpcAuth, secret), ...init.headers };
      return fetch(target, { ...init, headers });
    },
    redact: (error) => [...keys].reduce(redactKey, error),
    async redactText(text) {
      const slices = createTimeSlices(clock);
      let redacted = text;
      for (const key of keys) {
        redacted = await redactText(redacted, key, slices);
        // A part of a URL may be a word such as `optimism`, which is in many names of contracts.
        if (key === stored?.trim() || key.length >= MIN_LONG_KEY_CHARS || looksLikeKey(key, MIN_KEY_CHARS))
          redacted = await redactHexData(redacted, key, slices);
      }
      return redacted;
    },
  };
}

/** Sends requests with secrets that no other code sees. */
interface SecretSender {
  readonly fetch: FetchLike;
  redact(error: AppError): AppError;
  redactText(text: string): Promise<string>;
}

interface EndpointSecretValues {
  /** The secret that the user entered for the origin. */
  readonly stored: string | undefined;
  /** The value of a variable of the environment. */
  readonly variable: (name: string) => string | undefined;
}

/** A server may repeat only a part of a value, such as one segment of its path. The longest parts are searched. */
function listKeys(value: string): readonly string[] {
  const parts = value.split(/[/?&=#]/).filter((part) => part.length >= MIN_KEY_CHARS);
  return [value, ...parts.sort((a, b) => b.length - a.length).slice(0, MAX_PARTS)];
}

/** Shorter parts are words such as `mainnet`. */
const MIN_KEY_CHARS = 8;
const MAX_PARTS = 8;
/** No word is as long as that. */
const MIN_LONG_KEY_CHARS = 24;

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
  if (secret.length <= MAX_SECRET_CHARS && /^[\x21-\x7e]+$/.test(secret) && !/^\.+$/.test(secret))
    return secret;
  throw badInput('secret', 'Not a secret. Enter up to 512 letters, digits and symbols, without spaces.');
}

const MAX_SECRET_CHARS = 512;
