import {
  type HttpDeps,
  type IdentityProvider,
  type KeyPlace,
  type KeyPlaceFinder,
  loadCreation,
  type Network,
  openKeyPlaceFinder,
  type PortOffers,
  type Provider,
  type ProviderPorts,
  providers,
  type RequestThrottle,
} from '../../core/index.ts';
import type { KeyPlaceSetting, TokenProviderSetting } from '../settings/settingTable.ts';
import type { EndpointAccess, KeyStore } from './secrets.ts';

export interface ProviderAccessor {
  /**
   * The first usable provider of `port`, with the currently stored key. Requests that it does not serve go to the
   * next one, whose label it has from then on.
   */
  get<P extends ProviderPort>(network: Network, port: P, options?: AccessOptions): Promise<ProviderAccess<P>>;
  /** The state of the key of the data API. */
  keyState(network: Network): Promise<KeyState>;
  /** Whether a provider of `network` uses the key of `origin`. */
  usesKeyOf(origin: string, network: Network): boolean;
  /** Reopens the providers of an endpoint on next use: its node has a new chain, and each provider has a cache. */
  forgetResponses(endpoint: Pick<Network, 'rpcUrl'>): void;
  dispose(): void;
}

export type ProviderPort = keyof ProviderPorts;

/**
 * The provider of a port on a network, or why there is none:
 *
 * - `noKey`: the provider takes a key, and none is stored for its origin.
 * - `notServed`: the network has no provider of this port, or none that serves its chain.
 * - `notWanted`: it has one, but the user chose another, which it does not have.
 */
export type ProviderAccess<P extends ProviderPort = ProviderPort> =
  | {
      readonly state: 'ready';
      readonly provider: ProviderPorts[P];
      /** What a preferred provider would offer if its key were stored. */
      readonly withoutKey?: PortOffers<P> | undefined;
    }
  | { readonly state: 'noKey'; readonly offers: PortOffers<P> }
  | { readonly state: 'notServed' | 'notWanted' };

/** Whether the key of the network's data API is stored; `notServed` where it has none. */
export type KeyState = Exclude<ProviderAccess['state'], 'notWanted'>;

export interface AccessOptions {
  /** Only the contracts themselves: skips providers that take a key or have an index. */
  readonly keyless?: boolean;
  /** Only the provider with this name. */
  readonly name?: string;
}

/**
 * Opens providers with the stored keys. When the key of an origin changes in any window, its providers are dropped
 * with the key in them, and their pending requests are cancelled.
 *
 * @param deps.kinds every kind of provider, the preferred first.
 */
export function createProviderAccess(deps: {
  readonly keys: KeyStore;
  readonly http: HttpDeps;
  readonly keyIn: () => KeyPlaceSetting;
  /** The provider of tokens and NFTs; by default the first that serves the network. */
  readonly tokensFrom?: () => TokenProviderSetting;
  /** HTTP to an endpoint of a network, where it differs from `http`. */
  readonly endpoints?: Pick<EndpointAccess, 'httpFor'>;
  readonly kinds?: readonly Provider[];
  /** Whether a kind may be used; by default, each may. */
  readonly isEnabled?: (kind: Provider) => boolean;
}): ProviderAccessor {
  const { keys, http, keyIn, endpoints, tokensFrom = () => 'auto', kinds = providers } = deps;
  const { isEnabled = () => true } = deps;
  // What providers do not serve, until a key changes: they add no chains while the window is open.
  const unserved = new Set<string>();
  const exhausted = new WeakSet<ProviderPorts[ProviderPort]>();
  const sharedStates = new Set<SharedState>();
  const opened = new Map<Provider, readonly OpenedProvider[]>();
  let keyVersion = 0;

  function drop(shared: SharedState): void {
    shared.revoked.abort('key changed');
    sharedStates.delete(shared);
    forget(shared.kind, ({ endpoint }) => originOf(endpoint.url) === shared.origin);
  }

  function forget(kind: Provider, isForgotten: (one: OpenedProvider) => boolean): void {
    opened.set(
      kind,
      (opened.get(kind) ?? []).filter((one) => !isForgotten(one)),
    );
  }

  function share(kind: Provider, origin: string): SharedState {
    const existing = [...sharedStates].find((one) => one.kind === kind && one.origin === origin);
    if (existing) return existing;
    const shared: SharedState = {
      kind,
      origin,
      throttle: kind.createThrottle(http),
      revoked: new AbortController(),
    };
    sharedStates.add(shared);
    return shared;
  }

  function open(
    kind: Provider,
    network: Network,
    endpoint: ProviderEndpoint,
  ): Promise<Partial<ProviderPorts>> {
    const all = opened.get(kind) ?? [];
    const existing = all.find((one) => isSame(one.endpoint, endpoint));
    if (existing) return existing.ports;
    const { throttle, revoked } = share(kind, originOf(endpoint.url));
    // A provider with a key of its own does not get the secret of the endpoint.
    const providerHttp = kind.takesKey ? http : (endpoints?.httpFor(network) ?? http);
    const { url, chainId, key } = endpoint;
    const ports = kind.open({ ...providerHttp, url, chainId, key, throttle, revoked: revoked.signal });
    const openedProvider = { endpoint, ports };
    // An open provider contains its key, which must not outlive its removal from the store.
    opened.set(kind, [openedProvider, ...all].slice(0, kind.takesKey ? 1 : MAX_OPEN_PROVIDERS));
    ports.catch(() => forget(kind, (one) => one === openedProvider));
    return ports;
  }

  async function keyFor(kind: Provider, url: string): Promise<ProviderEndpoint['key']> {
    const stored = await keys.get(url);
    if (stored === undefined) return undefined;
    const place = keyIn();
    if (place !== 'auto') return { text: stored.key, place };
    const shared = share(kind, originOf(url));
    shared.keyPlaces ??= openKeyPlaceFinder({
      first: stored.place,
      // Where the editor cannot store it, the next window finds it again.
      onDidFind: (found) => void keys.rememberPlace(url, found).catch(() => undefined),
    });
    return { text: stored.key, place: await shared.keyPlaces };
  }

  /** Adds the creation of contracts that keyless providers do not report. */
  async function get<P extends ProviderPort>(
    network: Network,
    port: P,
    options: AccessOptions = {},
  ): Promise<ProviderAccess<P>> {
    const access = await getFirst(network, port, options);
    if (port !== 'identity' || access.state !== 'ready' || options.name !== undefined) return access;
    const findOther = async () => {
      // A stored key that cannot be used hides nothing else.
      const other = await getFirst(network, 'identity', { name: 'etherscan' }).catch(() => undefined);
      return other?.state === 'ready' ? other.provider : undefined;
    };
    const { withCreation } = await loadCreation();
    const provider = withCreation(access.provider as IdentityProvider, findOther, http.clock);
    return { ...access, provider: provider as ProviderPorts[P] };
  }

  async function getFirst<P extends ProviderPort>(
    network: Network,
    port: P,
    options: AccessOptions = {},
  ): Promise<ProviderAccess<P>> {
    const version = keyVersion;
    let withoutKey: PortOffers<P> | undefined;
    let hasUnwanted = false;
    let firstUnserving: ProviderPorts[P] | undefined;
    const order = orderProviders(kinds.filter(isEnabled), port, tokensFrom());
    for (const kind of order) {
      const url = kind.urlFor(network);
      const offers = kind.offers[port];
      if (url === undefined || offers === undefined || isSkipped(kind, options)) continue;
      if (!isAllowed(kind, port, tokensFrom())) {
        hasUnwanted = true;
        continue;
      }
      const providerKey = [kind.name, originOf(url), network.chainId, port].join(' ');
      const key = kind.takesKey ? await keyFor(kind, url) : undefined;
      // A key that was read may be older than the change.
      if (keyVersion !== version) return getFirst(network, port, options);
      if (kind.takesKey && key === undefined) {
        withoutKey ??= offers;
        continue;
      }
      const { [port]: provider } = await open(kind, network, {
        url,
        chainId: network.chainId,
        key,
        rpcAuth: network.rpcAuth,
      });
      if (keyVersion !== version) return getFirst(network, port, options);
      if (!provider) continue;
      if (unserved.has(providerKey)) {
        firstUnserving ??= provider;
        continue;
      }
      const hasFallback = kind.hasIndex === true || hasNext(kind, order, { network, port });
      if (!hasFallback) return { state: 'ready', provider, withoutKey };
      const findNext = async () => {
        unserved.add(providerKey);
        exhausted.add(provider);
        const next = await getFirst(network, port, options);
        return next.state === 'ready' && !exhausted.has(next.provider) ? next.provider : undefined;
      };
      const { withFallback } = await import('./providerFallback.ts');
      return { state: 'ready', provider: withFallback(port, provider, findNext), withoutKey };
    }
    if (withoutKey) return { state: 'noKey', offers: withoutKey };
    // No provider is left: the error of the first one explains why.
    if (firstUnserving) return { state: 'ready', provider: firstUnserving };
    return { state: hasUnwanted ? 'notWanted' : 'notServed' };
  }

  /** The URLs of the providers of `network` that take a key and offer `port`. */
  function keyedUrls(network: Network, port?: ProviderPort): readonly string[] {
    const keyed = kinds.filter(({ takesKey, offers }) => takesKey && (!port || offers[port]));
    const urls = keyed.map((kind) => kind.urlFor(network));
    return urls.filter((url) => url !== undefined);
  }

  const subscription = keys.onDidChange((origin) => {
    keyVersion++;
    unserved.clear();
    for (const shared of sharedStates) if (shared.kind.takesKey && shared.origin === origin) drop(shared);
  });
  return {
    get,
    async keyState(network) {
      const [url] = keyedUrls(network, 'holdings');
      if (url === undefined) return 'notServed';
      return (await keys.get(url)) === undefined ? 'noKey' : 'ready';
    },
    forgetResponses({ rpcUrl }) {
      const origin = originOf(rpcUrl);
      for (const kind of opened.keys()) forget(kind, ({ endpoint }) => originOf(endpoint.url) === origin);
    },
    usesKeyOf: (origin, network) => keyedUrls(network).some((url) => originOf(url) === origin),
    dispose() {
      subscription.dispose();
      for (const shared of sharedStates) drop(shared);
    },
  };
}

interface ProviderEndpoint extends Pick<Network, 'rpcAuth'> {
  readonly url: string;
  readonly chainId: number;
  readonly key: { readonly text: string; readonly place: KeyPlace | KeyPlaceFinder } | undefined;
}

interface OpenedProvider {
  readonly endpoint: ProviderEndpoint;
  readonly ports: Promise<Partial<ProviderPorts>>;
}

/**
 * What open providers of one kind and origin share: a service counts requests by key, and a key belongs to an
 * origin.
 */
interface SharedState {
  readonly kind: Provider;
  readonly origin: string;
  readonly throttle: RequestThrottle;
  readonly revoked: AbortController;
  /** Created with the first request whose key has no fixed place. */
  keyPlaces?: Promise<KeyPlaceFinder>;
}

/**
 * The number of open keyless providers of a kind: panels of several networks take turns, and each provider has a
 * cache.
 */
const MAX_OPEN_PROVIDERS = 8;

function isSkipped(kind: Provider, { keyless, name = kind.name }: AccessOptions): boolean {
  return name !== kind.name || (keyless === true && (kind.takesKey || kind.hasIndex === true));
}

/** For NFTs, contracts are more reliable than indexes, which come after them. */
function orderProviders(
  kinds: readonly Provider[],
  port: ProviderPort,
  tokensFrom: TokenProviderSetting,
): readonly Provider[] {
  if (port !== 'nfts' || tokensFrom === 'explorer') return kinds;
  return [...kinds.filter(({ hasIndex }) => !hasIndex), ...kinds.filter(({ hasIndex }) => hasIndex)];
}

/** Whether a later provider may serve what this one does not. */
function hasNext(
  kind: Provider,
  order: readonly Provider[],
  { network, port }: { readonly network: Network; readonly port: ProviderPort },
): boolean {
  const later = order.slice(order.indexOf(kind) + 1);
  return later.some((other) => other.offers[port] && other.urlFor(network) !== undefined);
}

const pinnedProviders: Readonly<Partial<Record<TokenProviderSetting, string>>> = {
  dataApi: 'covalent',
  explorer: 'blockscout',
  calls: 'calls',
};

/** Only the ports of tokens and NFTs are pinned, and contracts always serve their own NFTs. */
function isAllowed({ name }: Provider, port: ProviderPort, tokensFrom: TokenProviderSetting): boolean {
  const isPinned = (port === 'holdings' || port === 'nfts') && pinnedProviders[tokensFrom] !== undefined;
  if (!isPinned) return true;
  return name === pinnedProviders[tokensFrom] || (port === 'nfts' && name === 'calls');
}

function isSame(a: ProviderEndpoint, b: ProviderEndpoint): boolean {
  if (a.url !== b.url || a.chainId !== b.chainId || a.rpcAuth !== b.rpcAuth) return false;
  return a.key?.text === b.key?.text && a.key?.place === b.key?.place;
}

function originOf(url: string): string {
  return new URL(url).origin;
}
