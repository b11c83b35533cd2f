import {
  type HoldingsProvider,
  type HttpDeps,
  isAppError,
  type KeyPlace,
  type Network,
  type NftProvider,
  type PortOffers,
  type Provider,
  type ProviderPorts,
  providers,
  type RequestThrottle,
} from '../../core/index.ts';
import type { KeyPlaceSetting, TokenProviderSetting } from '../settings/settingTable.ts';
import type { EndpointAccess, KeyStore } from './secrets.ts';

/**
 * `source`, but that a question which it does not serve goes to the next one; from then on all of them do.
 *
 * @param refuses remembers that, and finds the next one; undefined where there is none that can be asked.
 */
function withFallback<P extends keyof ProviderPorts>(
  port: P,
  source: ProviderPorts[P],
  refuses: () => Promise<ProviderPorts[P] | undefined>,
): ProviderPorts[P] {
  let current = source;
  async function ask<T>(question: (asked: ProviderPorts[P]) => Promise<T>): Promise<T> {
    try {
      return await question(current);
    } catch (error) {
      if (!isAppError(error, 'notServed')) throw error;
      const next = await refuses();
      if (!next) throw error;
      current = next;
      try {
        return await question(current);
      } catch (nextError) {
        // Contracts that are asked themselves have no say in why nobody serves it.
        const saysWhy = !isAppError(nextError, 'notServed') || nextError.details.provider !== undefined;
        throw saysWhy ? nextError : error;
      }
    }
  }
  // One that is asked through another port than these has no second.
  if (port === 'holdings')
    return holdingsOf(
      () => current as HoldingsProvider,
      ask as CallProvider<HoldingsProvider>,
    ) as ProviderPorts[P];
  if (port === 'nfts')
    return nftsOf(() => current as NftProvider, ask as CallProvider<NftProvider>) as ProviderPorts[P];
  return source;
}

type CallProvider<Source> = <T>(question: (asked: Source) => Promise<T>) => Promise<T>;

function holdingsOf(current: () => HoldingsProvider, ask: CallProvider<HoldingsProvider>): HoldingsProvider {
  return {
    get label() {
      return current().label;
    },
    get offers() {
      return current().offers;
    },
    tokenBalances: (...asked) => ask((source) => source.tokenBalances(...asked)),
    holdings: (...asked) => ask((source) => source.holdings(...asked)),
  };
}

function nftsOf(current: () => NftProvider, ask: CallProvider<NftProvider>): NftProvider {
  return {
    get label() {
      return current().label;
    },
    get offers() {
      return current().offers;
    },
    nftTransfers: (...asked) => ask((source) => source.nftTransfers(...asked)),
    nftContract: (...asked) => ask((source) => source.nftContract(...asked)),
    nftToken: (...asked) => ask((source) => source.nftToken(...asked)),
  };
}

export type ProviderPort = keyof ProviderPorts;

/**
 * What is asked through a port on a network, or why nothing is:
 *
 * - `noKey`: the source that would answer takes a key, and none is stored for its origin.
 * - `notServed`: the network has no source for this, or none that serves its chain.
 * - `notWanted`: it has one, and the user wants another, which it has not.
 */
export type ProviderAccess<P extends ProviderPort = ProviderPort> =
  | {
      readonly state: 'ready';
      readonly provider: ProviderPorts[P];
      /** What a preferred source would offer, for which no key is stored. */
      readonly withoutKey?: PortOffers<P> | undefined;
    }
  | { readonly state: 'noKey'; readonly offers: PortOffers<P> }
  | { readonly state: 'notServed' | 'notWanted' };

/** Whether the key is stored that a source of the network takes; `notServed` where none takes one. */
export type KeyState = Exclude<ProviderAccess['state'], 'notWanted'>;

export interface AccessOptions {
  /** The contracts themselves: passes over sources that take a key or have an index. */
  readonly keyless?: boolean;
}

export interface ProviderAccessor {
  /**
   * The first source for `port` that can be asked, with the key as stored now. What that does not serve it asks of the
   * next one, whose label it has from then on.
   */
  of<P extends ProviderPort>(network: Network, port: P, options?: AccessOptions): Promise<ProviderAccess<P>>;
  keyState(network: Network): Promise<KeyState>;
  /** Whether a source of `network` is asked with the key of `origin`. */
  usesKeyOf(origin: string, network: Network): boolean;
  dispose(): void;
}

interface ProviderEndpoint extends Pick<Network, 'rpcAuth'> {
  readonly url: string;
  readonly chainId: number;
  readonly key: { readonly text: string; readonly place: KeyPlace } | undefined;
}

interface OpenedProvider {
  readonly asked: ProviderEndpoint;
  readonly ports: Promise<Partial<ProviderPorts>>;
}

/** Sources of a kind without a key that are open at a time: panels of several networks ask in turns, and each keeps answers. */
const MAX_OPEN_PROVIDERS = 8;

/** What all that is open of one kind at one origin shares: a service counts by key, and a key is for an origin. */
interface Shared {
  readonly kind: Provider;
  readonly origin: string;
  readonly throttle: RequestThrottle;
  readonly revoked: AbortController;
}

/**
 * Opens sources with the keys that are stored. When the key of an origin changes, in whichever window, its source is
 * dropped with the key in it, and what that has on its way is cancelled.
 *
 * @param deps.kinds every source, the preferred first.
 */
export function createProviderAccess(deps: {
  readonly keys: KeyStore;
  readonly http: HttpDeps;
  readonly keyIn: () => KeyPlaceSetting;
  /** Who is to tell of tokens and NFTs; default the first that can. */
  readonly tokensFrom?: () => TokenProviderSetting;
  /** HTTP to an endpoint of a network, where that differs from `http`. */
  readonly endpoints?: Pick<EndpointAccess, 'httpFor'>;
  readonly kinds?: readonly Provider[];
}): ProviderAccessor {
  const { keys, http, keyIn, endpoints, tokensFrom = () => 'auto', kinds = providers } = deps;
  // What a source has refused as not served, for as long as the window lives: no chain comes to one in that time.
  const refused = new Set<string>();
  const gaveUp = new WeakSet<ProviderPorts[ProviderPort]>();
  const inUse = new Set<Shared>();
  const opened = new Map<Provider, readonly OpenedProvider[]>();
  let changes = 0;

  function drop(shared: Shared): void {
    shared.revoked.abort('key changed');
    inUse.delete(shared);
    leave(shared.kind, ({ asked }) => originOf(asked.url) === shared.origin);
  }

  function leave(kind: Provider, isLeft: (one: OpenedProvider) => boolean): void {
    opened.set(
      kind,
      (opened.get(kind) ?? []).filter((one) => !isLeft(one)),
    );
  }

  function share(kind: Provider, origin: string): Shared {
    const known = [...inUse].find((one) => one.kind === kind && one.origin === origin);
    if (known) return known;
    const shared = { kind, origin, throttle: kind.createThrottle(http), revoked: new AbortController() };
    inUse.add(shared);
    return shared;
  }

  function open(kind: Provider, network: Network, asked: ProviderEndpoint): Promise<Partial<ProviderPorts>> {
    const all = opened.get(kind) ?? [];
    const known = all.find((one) => isSame(one.asked, asked));
    if (known) return known.ports;
    const { throttle, revoked } = share(kind, originOf(asked.url));
    // One that takes a key of its own is not asked with the secret of the endpoint.
    const way = kind.takesKey ? http : (endpoints?.httpFor(network) ?? http);
    const { url, chainId, key } = asked;
    const ports = kind.open({ ...way, url, chainId, key, throttle, revoked: revoked.signal });
    const opening = { asked, ports };
    // One with a key has that in it, which must be kept nowhere once it is forgotten.
    opened.set(kind, [opening, ...all].slice(0, kind.takesKey ? 1 : MAX_OPEN_PROVIDERS));
    ports.catch(() => leave(kind, (one) => one === opening));
    return ports;
  }

  async function keyFor(url: string): Promise<ProviderEndpoint['key']> {
    const stored = await keys.get(url);
    if (stored === undefined) return undefined;
    const place = keyIn();
    return { text: stored.key, place: place === 'auto' ? stored.place : place };
  }

  async function of<P extends ProviderPort>(
    network: Network,
    port: P,
    options: AccessOptions = {},
  ): Promise<ProviderAccess<P>> {
    const before = changes;
    let withoutKey: PortOffers<P> | undefined;
    let unwanted = false;
    let refusing: ProviderPorts[P] | undefined;
    const order = orderOf(kinds, port, tokensFrom());
    for (const kind of order) {
      const url = kind.urlFor(network);
      const offers = kind.offers[port];
      if (url === undefined || offers === undefined || isPassedOver(kind, options)) continue;
      if (!isAllowed(kind, port, tokensFrom())) {
        unwanted = true;
        continue;
      }
      const name = [kind.name, originOf(url), network.chainId, port].join(' ');
      const key = kind.takesKey ? await keyFor(url) : undefined;
      // What was read may be of before the change.
      if (changes !== before) return of(network, port, options);
      if (kind.takesKey && key === undefined) {
        withoutKey ??= offers;
        continue;
      }
      const { [port]: source } = await open(kind, network, {
        url,
        chainId: network.chainId,
        key,
        rpcAuth: network.rpcAuth,
      });
      if (changes !== before) return of(network, port, options);
      if (!source) continue;
      if (refused.has(name)) {
        refusing ??= source;
        continue;
      }
      const mayPass = kind.hasIndex === true || hasNext(kind, order, { network, port });
      if (!mayPass) return { state: 'ready', provider: source, withoutKey };
      const refuses = async () => {
        refused.add(name);
        gaveUp.add(source);
        const next = await of(network, port, options);
        return next.state === 'ready' && !gaveUp.has(next.provider) ? next.provider : undefined;
      };
      return { state: 'ready', provider: withFallback(port, source, refuses), withoutKey };
    }
    if (withoutKey) return { state: 'noKey', offers: withoutKey };
    // Nobody is left: who comes first says why.
    if (refusing) return { state: 'ready', provider: refusing };
    return { state: unwanted ? 'notWanted' : 'notServed' };
  }

  /** Where the sources of `network` are that take a key. */
  function keyedUrls(network: Network): readonly string[] {
    const urls = kinds.flatMap((kind) => (kind.takesKey ? [kind.urlFor(network)] : []));
    return urls.filter((url) => url !== undefined);
  }

  const listening = keys.onDidChange((origin) => {
    changes++;
    refused.clear();
    for (const shared of inUse) if (shared.kind.takesKey && shared.origin === origin) drop(shared);
  });
  return {
    of,
    async keyState(network) {
      const [url] = keyedUrls(network);
      if (url === undefined) return 'notServed';
      return (await keys.get(url)) === undefined ? 'noKey' : 'ready';
    },
    usesKeyOf: (origin, network) => keyedUrls(network).some((url) => originOf(url) === origin),
    dispose() {
      listening.dispose();
      for (const shared of inUse) drop(shared);
    },
  };
}

function isPassedOver({ takesKey, hasIndex }: Provider, { keyless }: AccessOptions): boolean {
  return keyless === true && (takesKey || hasIndex === true);
}

/** Of one NFT a contract tells more surely than an index, which is asked where no contract can be. */
function orderOf(
  kinds: readonly Provider[],
  port: ProviderPort,
  tokensFrom: TokenProviderSetting,
): readonly Provider[] {
  if (port !== 'nfts' || tokensFrom === 'explorer') return kinds;
  return [...kinds.filter(({ hasIndex }) => !hasIndex), ...kinds.filter(({ hasIndex }) => hasIndex)];
}

/** Whether another one behind it may answer what it does not serve. */
function hasNext(
  kind: Provider,
  order: readonly Provider[],
  { network, port }: { readonly network: Network; readonly port: ProviderPort },
): boolean {
  const behind = order.slice(order.indexOf(kind) + 1);
  return behind.some((other) => other.offers[port] && other.urlFor(network) !== undefined);
}

const pinnedProviders: Readonly<Record<TokenProviderSetting, string | undefined>> = {
  auto: undefined,
  dataApi: 'covalent',
  explorer: 'blockscout',
  calls: 'calls',
};

/** Tokens and NFTs alone are pinned; what a contract says of its own NFTs is wanted whoever is. */
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
