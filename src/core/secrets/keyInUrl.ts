import { SECRET_MARK, secretMarkIn } from '../networks/rpcAuth.ts';

/** A URL that held a key, with the mark in its place, and the key. */
export interface KeyOutOfUrl {
  readonly url: string;
  readonly key: string;
}

/** Names of parameters that hold keys: `apikey`, `dkey`, `api_key`, `access_token`, `auth`. */
const NAME_OF_KEY = /key|token|auth|secret/i;
const SHORTEST_KEY = 8;
const SHORTEST_UNNAMED_KEY = 16;

/**
 * Takes the key out of a URL that a person has copied from a provider: a parameter by its name, else the last part of
 * the path or the last parameter that looks like one. Undefined where nothing does, or where the mark stands already.
 *
 * @param shortest characters of what looks like a key without a name: fewer where nobody is asked about it.
 * @example keyInUrl('https://eth.example/v2/Zx81nBq0Lr5tYw93KdPmVa72')?.url // 'https://eth.example/v2/${key}'
 * @example keyInUrl('https://lb.example/rpc?network=base&dkey=Zx81nBq0Lr5tYw93')?.key // 'Zx81nBq0Lr5tYw93'
 */
export function keyInUrl(text: string, shortest = SHORTEST_UNNAMED_KEY): KeyOutOfUrl | undefined {
  if (secretMarkIn(text) !== undefined) return undefined;
  const { origin, pathname, search } = new URL(text);
  const parameters = search.slice(1).split('&').filter(Boolean).map(readParameter);
  const named = parameters.findLast(({ name, key }) => NAME_OF_KEY.test(name) && key.length >= SHORTEST_KEY);
  const parts = pathname.split('/');
  const inPath = parts.findLastIndex((part) => looksLikeKey(part, shortest));
  const given =
    named ?? (inPath < 0 ? parameters.findLast(({ value }) => looksLikeKey(value, shortest)) : undefined);
  if (given) {
    const marked = parameters.map((each) => `${each.name}=${each === given ? SECRET_MARK : each.value}`);
    return { url: `${origin}${pathname}?${marked.join('&')}`, key: given.key };
  }
  const key = decoded(parts[inPath] ?? '');
  return key === ''
    ? undefined
    : { url: `${origin}${parts.with(inPath, SECRET_MARK).join('/')}${search}`, key };
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
