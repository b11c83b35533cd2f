import { isLoopbackUrl } from '../values/loopbackUrl.ts';
import { isHttpUrl } from './network.ts';
import { secretMarkIn } from './rpcAuth.ts';

/**
 * The URL that is meant by what a person types for an endpoint: `localhost:8545` and `rpc.example.org` as well. Without a
 * scheme, this machine is asked by http and every other one by https. Undefined for what is no address.
 *
 * @example typedUrl('localhost:8545') // 'http://localhost:8545'
 * @example typedUrl('rpc.example.org/v1') // 'https://rpc.example.org/v1'
 */
export function typedUrl(text: string): string | undefined {
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
  return parts.length > 0 || (search.length > 8 && secretMarkIn(url) === undefined);
}
