import type { Address } from '../../values/address.ts';

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
