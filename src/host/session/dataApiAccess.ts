import type { DataApiClient, HttpDeps, KeyPlace, Network, RateLimit } from '../../core/index.ts';
import type { KeyIn } from '../../manifest.ts';
import type { openDataApi } from './openDataApi.ts';
import type { KeyStore } from './secrets.ts';

/**
 * The data API of a network, or why it is not asked:
 *
 * - `notServed`: the network names none.
 * - `noKey`: no key is stored for its origin.
 */
export type DataApiAccess =
  | { readonly state: 'ready'; readonly client: DataApiClient }
  | { readonly state: 'notServed' | 'noKey' };

export interface DataApiAccessor {
  /** The data API of a network with the key as stored now; one client for as long as nothing changes. */
  of(network: Network): Promise<DataApiAccess>;
  /** What {@link of} would answer, without the client, which need not be loaded for that. */
  stateOf(network: Network): Promise<DataApiAccess['state']>;
  dispose(): void;
}

interface Asked {
  readonly dataApiUrl: string;
  readonly chainId: number;
  readonly key: string;
  readonly place: KeyPlace;
}

/**
 * Opens data APIs by the keys that are stored. When the key of one changes, in whichever window, its client is dropped
 * with the key in it, and what that has on its way is cancelled.
 */
export function createDataApiAccess(deps: {
  readonly keys: KeyStore;
  readonly http: HttpDeps;
  readonly keyIn: () => KeyIn;
}): DataApiAccessor {
  // By origin, as keys are: the service counts by key, and a key that is forgotten must be kept nowhere.
  const origins = new Map<string, { readonly rateLimit: RateLimit; readonly revoked: AbortController }>();
  let last: { readonly asked: Asked; readonly client: DataApiClient } | undefined;
  let changes = 0;

  function drop(origin: string): void {
    origins.get(origin)?.revoked.abort('key changed');
    origins.delete(origin);
    if (last && originOf(last.asked) === origin) last = undefined;
  }

  function clientFor(asked: Asked, make: typeof openDataApi): DataApiClient {
    if (last && isSame(last.asked, asked)) return last.client;
    const origin = originOf(asked);
    const shared = origins.get(origin) ?? {
      rateLimit: make.rateLimit(deps.http),
      revoked: new AbortController(),
    };
    origins.set(origin, shared);
    const { dataApiUrl: baseUrl, chainId, key, place: keyIn } = asked;
    const { rateLimit, revoked } = shared;
    const where = { baseUrl, chainId, key, keyIn };
    const client = make.client({ ...deps.http, ...where, rateLimit, revoked: revoked.signal });
    last = { asked, client };
    return client;
  }

  async function open(network: Network): Promise<DataApiAccess> {
    const { dataApiUrl, chainId } = network;
    if (dataApiUrl === undefined) return { state: 'notServed' };
    const before = changes;
    const stored = await deps.keys.get(dataApiUrl);
    const { openDataApi } = stored ? await import('./openDataApi.ts') : {};
    // What was read may be of before the change.
    if (changes !== before) return open(network);
    if (!stored || !openDataApi) return { state: 'noKey' };
    const keyIn = deps.keyIn();
    const place = keyIn === 'auto' ? stored.place : keyIn;
    return {
      state: 'ready',
      client: clientFor({ dataApiUrl, chainId, key: stored.key, place }, openDataApi),
    };
  }

  const listening = deps.keys.onDidChange((origin) => {
    changes++;
    drop(origin);
  });
  return {
    of: open,
    async stateOf({ dataApiUrl }) {
      if (dataApiUrl === undefined) return 'notServed';
      return (await deps.keys.get(dataApiUrl)) ? 'ready' : 'noKey';
    },
    dispose() {
      listening.dispose();
      for (const origin of [...origins.keys()]) drop(origin);
    },
  };
}

function isSame(a: Asked, b: Asked): boolean {
  return a.dataApiUrl === b.dataApiUrl && a.chainId === b.chainId && a.key === b.key && a.place === b.place;
}

function originOf({ dataApiUrl }: Pick<Asked, 'dataApiUrl'>): string {
  return new URL(dataApiUrl).origin;
}

/** Whether what is sent to `url` cannot be read on the way: it is encrypted, or does not leave this machine. */
export function isPrivate(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
