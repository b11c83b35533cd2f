import {
  type FetchOptions,
  getProviderId,
  type Offers,
  type Provenance,
  type ProviderLabel,
} from '../base/provenance.ts';
import type { Address, Hex } from '../eth/hex.ts';
import { formatIsoTime } from '../eth/time.ts';

/** An address, with the facts of all providers merged. */
export interface Identity extends Omit<IdentityFacts, 'tells'> {
  readonly address: Address;
  readonly sources: readonly IdentityProviderResult[];
  /** Set if only a part was fetched and more is available. */
  readonly isGlance?: true;
}

/**
 * What one provider reports. If a part is listed in `tells`, undefined means that the address has none;
 * otherwise undefined means unknown.
 */
export interface IdentityFacts {
  readonly kind: IdentityKind;
  readonly name: string | undefined;
  readonly token: TokenIdentity | undefined;
  readonly proxy: ProxyIdentity | undefined;
  readonly created: Creation | undefined;
  readonly tells: readonly IdentityPart[];
}

export type IdentityPart = 'kind' | 'token' | 'proxy' | 'created';

/**
 * Why a provider reports nothing:
 *
 * - `notOffered`: the endpoint lacks the methods or the route.
 * - `notIndexed`: the explorer has no record of the address.
 * - `refused`: the explorer does not serve this address, or requires a key.
 */
export type IdentityReason = 'notOffered' | 'notIndexed' | 'refused' | 'failed';

export interface IdentityProviderResult extends Provenance {
  readonly tells: readonly IdentityPart[];
  readonly reason?: IdentityReason | undefined;
}

/**
 * `delegated`: an account that runs a contract's code (EIP-7702). The holder of its key can still send from
 * it.
 */
export type IdentityKind = 'account' | 'contract' | 'delegated' | 'unknown';

/** In the order of detection: standards detected by calls, then standards that only explorers report. */
export const identityStandards = [
  'ERC-20',
  'ERC-721',
  'ERC-1155',
  'ERC-4626',
  'ERC-404',
  'ERC-7984',
  'ZRC-2',
] as const;
type IdentityStandard = (typeof identityStandards)[number];

/** Names are untrusted text, sanitized and shortened. A value that the contract does not return is undefined. */
export interface TokenIdentity {
  readonly standard: IdentityStandard;
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  readonly decimals: number | undefined;
  /** In the smallest unit; for NFTs, the number of tokens. */
  readonly supply: bigint | undefined;
  /** The underlying token of a vault (ERC-4626). */
  readonly asset?:
    | {
        readonly address: Address;
        readonly symbol: string | undefined;
        readonly decimals: number | undefined;
      }
    | undefined;
}

/** Whether a contract is known to have NFTs. */
export function isNftContract({ token }: Pick<Identity, 'token'>): boolean {
  return token?.standard === 'ERC-721' || token?.standard === 'ERC-1155';
}

export interface Creation {
  readonly block: bigint | undefined;
  readonly transaction: Hex | undefined;
  readonly deployer: Address | undefined;
}

export interface Implementation {
  readonly address: Address;
  /** As the explorer reports it: untrusted text, sanitized and shortened. */
  readonly name?: string | undefined;
  /** `noCode`: no contract at the address, or no longer. Undefined if not checked. */
  readonly code?: 'code' | 'noCode' | undefined;
  readonly proxy?: ProxyIdentity | undefined;
  /** Why the chain of proxies was not followed further: it loops, or it is three proxies deep. */
  readonly stopped?: 'loop' | 'depth' | undefined;
}

/** An implementation reported by a pattern other than the chosen one. */
export interface ProxyConflict {
  readonly type: ProxyType | undefined;
  readonly address: Address;
  readonly name?: string | undefined;
}

export interface ProxyIdentity {
  /** Undefined if an explorer reports the implementation without the type. */
  readonly type: ProxyType | undefined;
  /** One implementation; for a diamond (EIP-2535), up to 100 facets; none if the beacon does not return one. */
  readonly implementations: readonly Implementation[];
  readonly left: number;
  readonly admin: Address | undefined;
  readonly beacon: Address | undefined;
  readonly conflict: readonly ProxyConflict[];
}

/**
 * How a proxy finds its implementation, by the names in Blockscout's REST API. Only the last two are not
 * Blockscout's. `call_target`: it CALLs what its `target()` returns, and emits events for it.
 */
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
  'call_target',
] as const;
export type ProxyType = (typeof proxyTypes)[number];

export function isProxyType(text: unknown): text is ProxyType {
  return (proxyTypes as readonly unknown[]).includes(text);
}

export type IdentityMethod = 'identity';

export interface IdentityOptions extends FetchOptions {
  /** Fetches only what one request returns. For lists of many addresses. */
  readonly glance?: boolean;
}

/** Identities on one chain. Results are shared and cached; those of contracts for longer. */
export interface IdentityProvider {
  readonly label: ProviderLabel;
  readonly offers: Offers<IdentityMethod>;
  /**
   * The identity at the latest block. If no provider knows the address, `kind` is `unknown` and `sources` says why.
   *
   * @throws AppError of any network kind; `aborted` when the signal fires.
   */
  identity(address: Address, options?: IdentityOptions): Promise<Identity>;
}

/**
 * Merges what an explorer has recorded with what was read from the chain. The chain wins; the explorer adds
 * names and facts that the chain does not have. An implementation that only the explorer reports becomes a
 * conflict.
 *
 * @example
 * const { proxy } = mergeIdentityFacts(recorded, read); // { implementations: [{ name: 'TokenV2', … }], … }
 */
export function mergeIdentityFacts(recorded: IdentityFacts, read: IdentityFacts): IdentityFacts {
  const tells = (part: IdentityFacts['tells'][number]) => read.tells.includes(part);
  return {
    kind: tells('kind') ? read.kind : recorded.kind,
    name: recorded.name,
    token: mergeTokens(recorded.token, read.token),
    proxy: tells('proxy') ? mergeProxies(recorded.proxy, read.proxy) : recorded.proxy,
    created: read.created ?? recorded.created,
    tells: [...new Set([...recorded.tells, ...read.tells])],
  };
}

function mergeTokens(
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

function mergeProxies(
  recorded: ProxyIdentity | undefined,
  read: ProxyIdentity | undefined,
): ProxyIdentity | undefined {
  if (!recorded || !read) return read;
  const names = new Map(recorded.implementations.map(({ address, name }) => [address, name]));
  const withName = <T extends Implementation | ProxyConflict>(target: T): T => ({
    ...target,
    name: names.get(target.address) ?? target.name,
  });
  const readAddresses = [...read.implementations, ...read.conflict].map(({ address }) => address);
  const claimed = recorded.implementations.map(({ address, name }) => ({
    type: recorded.type,
    address,
    name,
  }));
  const others = [...claimed, ...recorded.conflict].filter(({ address }) => !readAddresses.includes(address));
  return {
    ...read,
    implementations: read.implementations.map(withName),
    conflict: [...read.conflict.map(withName), ...others],
  };
}

export type IdentityJson = ReturnType<typeof identityToJson>;

/**
 * An identity as JSON: addresses in lower case, amounts and block numbers as decimal strings. Null means
 * absent or unknown; `tells` of each source says which.
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
    sources: sources.map(({ source, readAt, tells, reason }) => ({
      name: getProviderId(source),
      origin: source.origin,
      readAt: formatIsoTime(readAt) ?? null,
      tells,
      ...(reason && { gap: reason }),
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
