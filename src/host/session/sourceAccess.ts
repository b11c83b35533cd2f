import {
  type HttpDeps,
  type KeyPlace,
  type Network,
  type RateLimit,
  type SourceKind,
  type SourceOffers,
  type SourcePorts,
  sourceKinds,
} from '../../core/index.ts';
import type { KeyIn } from '../settings/settingTable.ts';
import type { KeyStore } from './secrets.ts';

type Port = keyof SourcePorts;

/**
 * What is asked through a port on a network, or why nothing is:
 *
 * - `noKey`: the source that would answer takes a key, and none is stored for its origin.
 * - `notServed`: the network has no source for this.
 */
export type SourceAccess<P extends Port = Port> =
  | {
      readonly state: 'ready';
      readonly source: SourcePorts[P];
      /** What a preferred source would offer, for which no key is stored. */
      readonly withoutKey?: SourceOffers<P> | undefined;
    }
  | { readonly state: 'noKey'; readonly offers: SourceOffers<P> }
  | { readonly state: 'notServed' };

/** Whether the key is stored that a source of the network takes; `notServed` where none takes one. */
export type KeyState = SourceAccess['state'];

interface AccessOptions {
  /** Passes over sources that take a key. */
  readonly keyless?: boolean;
}

export interface SourceAccessor {
  /** The first source for `port` that can be asked, with the key as stored now; the same while nothing changes. */
  of<P extends Port>(network: Network, port: P, options?: AccessOptions): Promise<SourceAccess<P>>;
  keyState(network: Network): Promise<KeyState>;
  /** Whether a source of `network` is asked with the key of `origin`. */
  takeKeyOf(origin: string, network: Network): boolean;
  dispose(): void;
}

interface Asked {
  readonly url: string;
  readonly chainId: number;
  readonly key: { readonly text: string; readonly place: KeyPlace } | undefined;
}

interface Opened {
  readonly asked: Asked;
  readonly ports: Promise<Partial<SourcePorts>>;
}

/** What all that is open of one kind at one origin shares: a service counts by key, and a key is for an origin. */
interface Shared {
  readonly kind: SourceKind;
  readonly origin: string;
  readonly rateLimit: RateLimit;
  readonly revoked: AbortController;
}

/**
 * Opens sources with the keys that are stored. When the key of an origin changes, in whichever window, its source is
 * dropped with the key in it, and what that has on its way is cancelled.
 *
 * @param deps.kinds every source, the preferred first.
 */
export function createSourceAccess(deps: {
  readonly keys: KeyStore;
  readonly http: HttpDeps;
  readonly keyIn: () => KeyIn;
  readonly kinds?: readonly SourceKind[];
}): SourceAccessor {
  const { keys, http, keyIn, kinds = sourceKinds } = deps;
  const inUse = new Set<Shared>();
  // The last of each kind. It has the key in it, which must be kept nowhere once it is forgotten.
  const opened = new Map<SourceKind, Opened>();
  let changes = 0;

  function drop(shared: Shared): void {
    shared.revoked.abort('key changed');
    inUse.delete(shared);
    const last = opened.get(shared.kind);
    if (last && originOf(last.asked.url) === shared.origin) opened.delete(shared.kind);
  }

  function share(kind: SourceKind, origin: string): Shared {
    const known = [...inUse].find((one) => one.kind === kind && one.origin === origin);
    if (known) return known;
    const shared = { kind, origin, rateLimit: kind.createRateLimit(http), revoked: new AbortController() };
    inUse.add(shared);
    return shared;
  }

  function open(kind: SourceKind, asked: Asked): Promise<Partial<SourcePorts>> {
    const known = opened.get(kind);
    if (known && isSame(known.asked, asked)) return known.ports;
    const { rateLimit, revoked } = share(kind, originOf(asked.url));
    const ports = kind.open({ ...http, ...asked, rateLimit, revoked: revoked.signal });
    const opening = { asked, ports };
    opened.set(kind, opening);
    ports.catch(() => opened.get(kind) === opening && opened.delete(kind));
    return ports;
  }

  async function keyFor(url: string): Promise<Asked['key']> {
    const stored = await keys.get(url);
    if (stored === undefined) return undefined;
    const place = keyIn();
    return { text: stored.key, place: place === 'auto' ? stored.place : place };
  }

  async function of<P extends Port>(
    network: Network,
    port: P,
    options: AccessOptions = {},
  ): Promise<SourceAccess<P>> {
    const before = changes;
    let withoutKey: SourceOffers<P> | undefined;
    for (const kind of kinds) {
      const url = kind.urlFor(network);
      const offers = kind.offers[port];
      if (url === undefined || offers === undefined || (kind.takesKey && options.keyless)) continue;
      const key = kind.takesKey ? await keyFor(url) : undefined;
      // What was read may be of before the change.
      if (changes !== before) return of(network, port, options);
      if (kind.takesKey && key === undefined) {
        withoutKey ??= offers;
        continue;
      }
      const { [port]: source } = await open(kind, { url, chainId: network.chainId, key });
      if (changes !== before) return of(network, port, options);
      if (source) return { state: 'ready', source, withoutKey };
    }
    return withoutKey ? { state: 'noKey', offers: withoutKey } : { state: 'notServed' };
  }

  /** Where the sources of `network` are that take a key. */
  function keyedUrls(network: Network): readonly string[] {
    const urls = kinds.flatMap((kind) => (kind.takesKey ? [kind.urlFor(network)] : []));
    return urls.filter((url) => url !== undefined);
  }

  const listening = keys.onDidChange((origin) => {
    changes++;
    for (const shared of inUse) if (shared.kind.takesKey && shared.origin === origin) drop(shared);
  });
  return {
    of,
    async keyState(network) {
      const [url] = keyedUrls(network);
      if (url === undefined) return 'notServed';
      return (await keys.get(url)) === undefined ? 'noKey' : 'ready';
    },
    takeKeyOf: (origin, network) => keyedUrls(network).some((url) => originOf(url) === origin),
    dispose() {
      listening.dispose();
      for (const shared of inUse) drop(shared);
    },
  };
}

function isSame(a: Asked, b: Asked): boolean {
  if (a.url !== b.url || a.chainId !== b.chainId) return false;
  return a.key?.text === b.key?.text && a.key?.place === b.key?.place;
}

function originOf(url: string): string {
  return new URL(url).origin;
}
