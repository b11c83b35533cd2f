import { isLoopbackUrl } from '../base/urls.ts';
import { findSecretPlaceholder, isHttpUrl, SECRET_PLACEHOLDER } from './network.ts';

/**
 * The URL of an endpoint as a person types it: also `localhost:8545` and `rpc.example.org`. Without a scheme it is http
 * for this machine and https for any other. Undefined if it is not an address.
 *
 * @example parseEndpointUrl('localhost:8545') // 'http://localhost:8545'
 * @example parseEndpointUrl('rpc.example.org/v1') // 'https://rpc.example.org/v1'
 */
export function parseEndpointUrl(text: string): string | undefined {
  const typed = text.trim();
  if (typed === '' || /\s/.test(typed)) return undefined;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(typed)) return isHttpUrl(typed) ? typed : undefined;
  const url = `${isLoopbackUrl(`http://${typed}`) ? 'http' : 'https'}://${typed}`;
  return isHttpUrl(url) ? url : undefined;
}

/**
 * Whether a URL seems to contain a key: a long mixed path segment, or a parameter. A placeholder is not a key.
 *
 * @example mayHoldKey('https://eth.example/v2/Zx81nBq0Lr5tYw93KdPmVa72') // true
 */
export function mayHoldKey(url: string): boolean {
  const { pathname, search } = new URL(url);
  const parts = pathname.split('/').filter((part) => looksLikeKey(part, MIN_UNNAMED_KEY_CHARS));
  // If there is a placeholder, the other parameters are not keys.
  return parts.length > 0 || (search.length > 8 && findSecretPlaceholder(url) === undefined);
}

/**
 * Extracts the key from a URL that a person has copied from a node provider: the parameter with the name of a key, else
 * the last path segment or the last parameter that looks like one. Undefined if there is none, or already a
 * placeholder.
 *
 * @param minChars of a key without a name. If nobody confirms the key, pass fewer.
 * @example extractKey('https://eth.example/v2/Zx81nBq0Lr5tYw93KdPmVa72')?.url // 'https://eth.example/v2/${key}'
 * @example extractKey('https://lb.example/rpc?network=base&dkey=Zx81nBq0Lr5tYw93')?.key // 'Zx81nBq0Lr5tYw93'
 */
export function extractKey(text: string, minChars = MIN_UNNAMED_KEY_CHARS): ExtractedKey | undefined {
  if (findSecretPlaceholder(text) !== undefined) return undefined;
  const { origin, pathname, search } = new URL(text);
  const parameters = search.slice(1).split('&').filter(Boolean).map(parseParameter);
  const named = parameters.findLast(
    ({ name, key }) => KEY_PARAMETER.test(name) && key.length >= MIN_KEY_CHARS,
  );
  const parts = pathname.split('/');
  const pathIndex = parts.findLastIndex((part) => looksLikeKey(part, minChars));
  const keyParameter =
    named ?? (pathIndex < 0 ? parameters.findLast(({ value }) => looksLikeKey(value, minChars)) : undefined);
  if (keyParameter) {
    const query = parameters.map(
      (parameter) => `${parameter.name}=${parameter === keyParameter ? SECRET_PLACEHOLDER : parameter.value}`,
    );
    return { url: `${origin}${pathname}?${query.join('&')}`, key: keyParameter.key };
  }
  const key = decodeText(parts[pathIndex] ?? '');
  return key === ''
    ? undefined
    : { url: `${origin}${parts.with(pathIndex, SECRET_PLACEHOLDER).join('/')}${search}`, key };
}

/** `url` has a placeholder where the key was. */
export interface ExtractedKey {
  readonly url: string;
  readonly key: string;
}

/** Names of parameters that carry keys: `apikey`, `dkey`, `api_key`, `access_token`, `auth`. */
const KEY_PARAMETER = /key|token|auth|secret/i;
const MIN_KEY_CHARS = 8;
const MIN_UNNAMED_KEY_CHARS = 16;

function parseParameter(text: string) {
  const [name = '', ...rest] = text.split('=');
  const value = rest.join('=');
  return { name, value, key: decodeText(value) };
}

/**
 * Whether a part of a URL has letters and digits, as keys do and words do not.
 *
 * @example looksLikeKey('optimism', 8) // false
 */
export function looksLikeKey(part: string, minChars: number): boolean {
  return part.length >= minChars && /\d/.test(part) && /[a-z]/i.test(part);
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
