import { EnvHttpProxyAgent, fetch as undiciFetch } from 'undici';
import { type FetchLike, type HttpDeps, systemClock } from '../core/index.ts';

/** HTTP for a process of its own: undici, through the proxy that HTTP_PROXY, HTTPS_PROXY and NO_PROXY name. */
export function createHttp(): HttpDeps & { close(): Promise<void> } {
  const dispatcher = new EnvHttpProxyAgent();
  const fetch: FetchLike = async (url, init) =>
    (await undiciFetch(url, { ...init, dispatcher })) as unknown as Response;
  return { fetch, clock: systemClock, close: () => dispatcher.close() };
}
