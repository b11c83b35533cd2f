import { isLoopbackUrl } from '../base/urls.ts';
import { findSecretPlaceholder, isHttpUrl, SECRET_PLACEHOLDER } from './network.ts';

/**
 * The URL that is meant by what a person types for an endpoint: `localhost:8545` and `rpc.example.org` as well. Without a
 * scheme, this machine is asked by http and every other one by https. Undefined for what is no address.
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
 * Whether a URL seems to hold a key: a long mixed part of its path, or a parameter. The mark of a secret is none.
 *
 * @example mayHoldKey('https://eth.example/v2/Zx81nBq0Lr5tYw93KdPmVa72') // true
 */
export function mayHoldKey(url: string): boolean {
  const { pathname, search } = new URL(url);
  const parts = pathname
    .split('/')
    .filter((part) => part.length >= 16 && /\d/.test(part) && /[a-z]/i.test(part));
  // Where the mark stands, the parameters beside it are no keys.
  return parts.length > 0 || (search.length > 8 && findSecretPlaceholder(url) === undefined);
}

/** A URL that held a key, with the mark in its place, and the key. */
export interface ExtractedKey {
  readonly url: string;
  readonly key: string;
}

/** Names of parameters that hold keys: `apikey`, `dkey`, `api_key`, `access_token`, `auth`. */
const NAME_OF_KEY = /key|token|auth|secret/i;
const MIN_KEY_CHARS = 8;
const MIN_UNNAMED_KEY_CHARS = 16;

/**
 * Takes the key out of a URL that a person has copied from a provider: a parameter by its name, else the last part of
 * the path or the last parameter that looks like one. Undefined where nothing does, or where the mark stands already.
 *
 * @param shortest characters of what looks like a key without a name: fewer where nobody is asked about it.
 * @example extractKey('https://eth.example/v2/Zx81nBq0Lr5tYw93KdPmVa72')?.url // 'https://eth.example/v2/${key}'
 * @example extractKey('https://lb.example/rpc?network=base&dkey=Zx81nBq0Lr5tYw93')?.key // 'Zx81nBq0Lr5tYw93'
 */
export function extractKey(text: string, shortest = MIN_UNNAMED_KEY_CHARS): ExtractedKey | undefined {
  if (findSecretPlaceholder(text) !== undefined) return undefined;
  const { origin, pathname, search } = new URL(text);
  const parameters = search.slice(1).split('&').filter(Boolean).map(readParameter);
  const named = parameters.findLast(({ name, key }) => NAME_OF_KEY.test(name) && key.length >= MIN_KEY_CHARS);
  const parts = pathname.split('/');
  const inPath = parts.findLastIndex((part) => looksLikeKey(part, shortest));
  const given =
    named ?? (inPath < 0 ? parameters.findLast(({ value }) => looksLikeKey(value, shortest)) : undefined);
  if (given) {
    const marked = parameters.map(
      (each) => `${each.name}=${each === given ? SECRET_PLACEHOLDER : each.value}`,
    );
    return { url: `${origin}${pathname}?${marked.join('&')}`, key: given.key };
  }
  const key = decoded(parts[inPath] ?? '');
  return key === ''
    ? undefined
    : { url: `${origin}${parts.with(inPath, SECRET_PLACEHOLDER).join('/')}${search}`, key };
}

function readParameter(text: string) {
  const [name = '', ...rest] = text.split('=');
  const value = rest.join('=');
  return { name, value, key: decoded(value) };
}

function looksLikeKey(part: string, shortest: number): boolean {
  return part.length >= shortest && /\d/.test(part) && /[a-z]/i.test(part);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
