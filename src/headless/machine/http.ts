import { EnvHttpProxyAgent, fetch as undiciFetch } from 'undici';
import { badInput, type FetchLike, type HttpDeps, systemClock } from '../../core/index.ts';

const proxySchemes = ['http:', 'https:', 'socks5:', 'socks:'];

/**
 * HTTP for a process of its own: undici, through the proxy that HTTP_PROXY, HTTPS_PROXY and NO_PROXY name, in lower
 * case or in capitals.
 *
 * @throws AppError `badInput` naming the variable that names no proxy; never with its value, which may hold a password.
 */
export function createHttp(): HttpDeps & { close(): Promise<void> } {
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY']) requireProxy(name);
  const dispatcher = new EnvHttpProxyAgent();
  const fetch: FetchLike = async (url, init) =>
    (await undiciFetch(url, { ...init, dispatcher })) as unknown as Response;
  return { fetch, clock: systemClock, close: () => dispatcher.close() };
}

/** undici reads the name in lower case first, and takes an empty value for none. */
function requireProxy(capitals: string): void {
  const lower = capitals.toLowerCase();
  const name = process.env[lower] === undefined ? capitals : lower;
  const value = process.env[name];
  if (!value || isProxy(value)) return;
  throw badInput(
    name,
    `${name} is not the address of a proxy. Write http://HOST:PORT, with https or socks5 too.`,
  );
}

function isProxy(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, username, password } = new URL(value);
  return proxySchemes.includes(protocol) && hostname !== '' && [username, password].every(isDecodable);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
