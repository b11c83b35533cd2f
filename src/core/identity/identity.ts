import {
  type FetchOptions,
  getProviderId,
  type Offers,
  type Provenance,
  type ProviderLabel,
} from '../base/provenance.ts';
import type { Address, Hex } from '../eth/hex.ts';
import { formatIsoTime } from '../eth/time.ts';

/** `delegated`: an account that runs the code of a contract (EIP-7702); who has its key still sends as it. */
export type IdentityKind = 'account' | 'contract' | 'delegated' | 'unknown';

/** As the standards are called: those that are found by calls, then those that only explorers tell. */
export const identityStandards = [
  'ERC-20',
  'ERC-721',
  'ERC-1155',
  'ERC-4626',
  'ERC-404',
  'ERC-7984',
  'ZRC-2',
] as const;
export type IdentityStandard = (typeof identityStandards)[number];

/** A token contract. Names are text from outside, plain and short; what it does not tell is undefined. */
export interface TokenIdentity {
  readonly standard: IdentityStandard;
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  readonly decimals: number | undefined;
  /** In smallest units; for NFTs how many there are. */
  readonly supply: bigint | undefined;
  /** What a vault (ERC-4626) holds. */
  readonly asset?:
    | {
        readonly address: Address;
        readonly symbol: string | undefined;
        readonly decimals: number | undefined;
      }
    | undefined;
}

/** How a contract came to be. */
export interface Creation {
  readonly block: bigint | undefined;
  readonly transaction: Hex | undefined;
  readonly deployer: Address | undefined;
}

/** What can be told of an address. */
export type IdentityPart = 'kind' | 'token' | 'proxy' | 'created';

/**
 * What one source tells. Of a part in `tells`, undefined means that there is none; of any other part, that nobody
 * knows.
 */
export interface IdentityFacts {
  readonly kind: IdentityKind;
  /** The name of the contract as it was verified. */
  readonly name: string | undefined;
  readonly token: TokenIdentity | undefined;
  readonly proxy: ProxyIdentity | undefined;
  readonly created: Creation | undefined;
  readonly tells: readonly IdentityPart[];
}

/**
 * Why a source tells nothing. `notOffered`: the endpoint has no such methods, or no such route. `notIndexed`: the
 * explorer has no record of the address. `refused`: the explorer does not tell this of this address, or not without a
 * key.
 */
export type IdentityReason = 'notOffered' | 'notIndexed' | 'refused' | 'failed';

/** A source that was asked, when, and what it told. */
export interface IdentityProviderResult extends Provenance {
  readonly tells: readonly IdentityPart[];
  readonly gap?: IdentityReason | undefined;
}

/** What is at an address, as far as anybody tells. */
export interface Identity extends Omit<IdentityFacts, 'tells'> {
  readonly address: Address;
  readonly sources: readonly IdentityProviderResult[];
  /** Whether there is more to be read: it was only glanced at. */
  readonly isGlance?: true;
}

/** The questions of {@link IdentityProvider}. */
export type IdentityMethod = 'identity';

export interface IdentityOptions extends FetchOptions {
  /** For one of many rows: what one request tells. */
  readonly glance?: boolean;
}

/** Who tells what is at an address of one chain. Answers are shared and kept, those of contracts for longer. */
export interface IdentityProvider {
  readonly label: ProviderLabel;
  readonly offers: Offers<IdentityMethod>;
  /**
   * What is at an address, at the latest block. Where nobody tells, the kind is `unknown` and `sources` says why.
   *
   * @throws AppError of any network kind; `aborted` when the signal fires.
   */
  identity(address: Address, options?: IdentityOptions): Promise<Identity>;
}

/** One line of the headless runner. */
export type IdentityJson = ReturnType<typeof identityToJson>;

/**
 * An identity as JSON: addresses in lower case, amounts and blocks as decimal strings; null for what there is not, and
 * for what nobody tells. `tells` of each source says which of the two it is.
 *
 * @example
 * console.log(JSON.stringify(identityToJson(identity)));
 */
export function identityToJson({ kind, token, proxy, created, sources }: Identity) {
  return {
    kind,
    token: token ? tokenToJson(token) : null,
    proxy: proxy ? proxyToJson(proxy) : null,
    created: created ? creationToJson(created) : null,
    sources: sources.map(({ source, readAt, tells, gap }) => ({
      name: getProviderId(source),
      origin: source.origin,
      readAt: formatIsoTime(readAt) ?? null,
      tells,
      ...(gap && { gap }),
    })),
  };
}

function tokenToJson({ standard, name, symbol, decimals, supply, asset }: TokenIdentity) {
  return {
    standard,
    name: name ?? null,
    symbol: symbol ?? null,
    decimals: decimals ?? null,
    supply: supply?.toString() ?? null,
    ...(asset && {
      asset: {
        address: asset.address,
        symbol: asset.symbol ?? null,
        decimals: asset.decimals ?? null,
      },
    }),
  };
}

interface ProxyJson {
  readonly type: string | null;
  readonly implementations: readonly object[];
  readonly conflict: readonly object[];
}

function proxyToJson(proxy: ProxyIdentity): ProxyJson {
  const { type, implementations, left, admin, beacon, conflict } = proxy;
  return {
    type: type ?? null,
    implementations: implementations.map(implementationToJson),
    ...(left > 0 && { left }),
    ...(admin && { admin }),
    ...(beacon && { beacon }),
    conflict: conflict.map(({ type: other, address, name }) => ({
      type: other ?? null,
      address,
      ...(name && { name }),
    })),
  };
}

function implementationToJson({ address, name, code, proxy, stopped }: Implementation) {
  return {
    address,
    ...(name && { name }),
    ...(code && { code: code === 'code' }),
    ...(stopped && { stopped }),
    ...(proxy && { proxy: proxyToJson(proxy) }),
  };
}

function creationToJson({ block, transaction, deployer }: Creation) {
  return {
    block: block?.toString() ?? null,
    transaction: transaction ?? null,
    ...(deployer && { deployer }),
  };
}

/**
 * What an explorer has recorded and what the chain itself says, as one: the chain is believed where it tells, the
 * explorer adds names and what only it knows. An implementation that only the explorer names is a conflict.
 *
 * @example
 * const { proxy } = mergeIdentityFacts(recorded, read); // { implementations: [{ name: 'TokenV2', … }], … }
 */
export function mergeIdentityFacts(recorded: IdentityFacts, read: IdentityFacts): IdentityFacts {
  const tells = (part: IdentityFacts['tells'][number]) => read.tells.includes(part);
  return {
    kind: tells('kind') ? read.kind : recorded.kind,
    name: recorded.name,
    token: joinTokens(recorded.token, read.token),
    proxy: tells('proxy') ? joinProxies(recorded.proxy, read.proxy) : recorded.proxy,
    created: read.created ?? recorded.created,
    tells: [...new Set([...recorded.tells, ...read.tells])],
  };
}

function joinTokens(
  recorded: TokenIdentity | undefined,
  read: TokenIdentity | undefined,
): TokenIdentity | undefined {
  if (!recorded || !read) return read ?? recorded;
  return {
    ...read,
    name: read.name ?? recorded.name,
    symbol: read.symbol ?? recorded.symbol,
    decimals: read.decimals ?? recorded.decimals,
    supply: read.supply ?? recorded.supply,
  };
}

function joinProxies(
  recorded: ProxyIdentity | undefined,
  read: ProxyIdentity | undefined,
): ProxyIdentity | undefined {
  if (!recorded || !read) return read;
  const names = new Map(recorded.implementations.map(({ address, name }) => [address, name]));
  const withName = <T extends Implementation | ProxyConflict>(one: T): T => ({
    ...one,
    name: names.get(one.address) ?? one.name,
  });
  const told = [...read.implementations, ...read.conflict].map(({ address }) => address);
  const claimed = recorded.implementations.map(({ address, name }) => ({
    type: recorded.type,
    address,
    name,
  }));
  const others = [...claimed, ...recorded.conflict].filter(({ address }) => !told.includes(address));
  return {
    ...read,
    implementations: read.implementations.map(withName),
    conflict: [...read.conflict.map(withName), ...others],
  };
}

/** How a proxy knows what to run, by the names that Blockscout's REST interface has for it; the last has none there. */
export const proxyTypes = [
  'eip1167',
  'eip7702',
  'clone_with_immutable_arguments',
  'minimal_proxy',
  'erc7760',
  'master_copy',
  'resolved_delegate_proxy',
  'eip1967',
  'eip1967_beacon',
  'eip1967_oz',
  'eip1822',
  'eip2535',
  'basic_implementation',
  'basic_get_implementation',
  'comptroller',
  'sequence_wallet',
] as const;
export type ProxyType = (typeof proxyTypes)[number];

/** What a proxy runs. */
export interface Implementation {
  readonly address: Address;
  /** As the explorer calls it: text from outside, plain and short. */
  readonly name?: string | undefined;
  /** `noCode`: nothing is there, or no more. Undefined where nobody looked. */
  readonly code?: 'code' | 'noCode' | undefined;
  /** Of one that is a proxy itself. */
  readonly proxy?: ProxyIdentity | undefined;
  /** Why nobody looked further: it is one of those before it, or the third behind each other. */
  readonly stopped?: 'loop' | 'depth' | undefined;
}

/** What another pattern says than the one that is believed. */
export interface ProxyConflict {
  readonly type: ProxyType | undefined;
  readonly address: Address;
  readonly name?: string | undefined;
}

/** A contract that runs the code of others, or an account that does (EIP-7702). */
export interface ProxyIdentity {
  /** Undefined where an explorer names what it runs and not how. */
  readonly type: ProxyType | undefined;
  /** One; of a diamond (EIP-2535) each facet, the first hundred. None where its beacon gives no answer. */
  readonly implementations: readonly Implementation[];
  /** Facets that are left out. */
  readonly left: number;
  readonly admin: Address | undefined;
  /** Who names the implementation. */
  readonly beacon: Address | undefined;
  readonly conflict: readonly ProxyConflict[];
}

/** Whether `text` is a {@link ProxyType}. */
export function isProxyType(text: unknown): text is ProxyType {
  return (proxyTypes as readonly unknown[]).includes(text);
}
