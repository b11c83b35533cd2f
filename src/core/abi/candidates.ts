import type { SourceLabel } from '../base/source.ts';
import type { Address } from '../values/address.ts';
import type { Hex } from '../values/hex.ts';
import type { AbiError, AbiEvent, AbiFunction, AbiItem } from './abiItem.ts';

/**
 * Where the knowledge of an ABI comes from, the most trusted first. What was verified at the very address is about that
 * address, as a deployment is; what the workspace has under the same hash may be another contract's. Of `signatures`
 * the types alone are known, and which parameters are indexed is found out by trying.
 */
export const trusts = [
  'deployment',
  'verified',
  'partlyVerified',
  'twin',
  'workspace',
  'bundled',
  'signatures',
] as const;
export type Trust = (typeof trusts)[number];

/** Where an item was found. */
export interface Origin {
  readonly trust: Trust;
  /**
   * The file, as a path from the root of the workspace; the name of a bundled list, `ERC-20`; of a verified contract
   * the host of who verified it and its address, `sourcify.dev 0x…`; of signatures that host alone.
   */
  readonly from: string;
  /** The contract that has it; undefined in a bundled list. */
  readonly contract: string | undefined;
  /** The line of its declaration, from 1, where the source is there. */
  readonly line: number | undefined;
  /** Of a verified contract, and only there. */
  readonly verified?: VerifiedOrigin;
}

/** The verified contract that an item is of: where logs were met, or what a proxy there leads to. */
export interface VerifiedOrigin {
  readonly chainId: number;
  readonly address: Address;
  readonly source: SourceLabel;
  /** The contract that was verified in its place. */
  readonly twin?: Address;
  /** The code there is no longer the one that was verified. */
  readonly changedBytecode?: true;
}

/** An item that may be meant, and how it is known. */
export interface Candidate<Item extends AbiItem = AbiItem> {
  readonly item: Item;
  readonly origin: Origin;
}

/** Where a log or a call was met; what is deployed there is trusted most. */
export interface OnChain {
  readonly address: Address;
  readonly chainId: number;
}

/**
 * One text for an address of a chain, as maps have it for a key.
 *
 * @example onChainKey({ address: '0x00000000000000000000000000000000000000aa', chainId: 1 })
 * // '1 0x00000000000000000000000000000000000000aa'
 */
export function onChainKey({ address, chainId }: OnChain): string {
  return `${chainId} ${address}`;
}

/** Finds what hashes stand for: by what is deployed, in the workspace, in bundled lists. Never asks a server. */
export interface AbiLookup {
  /** Events with this topic0, the most trusted first; the anonymous ones that may be meant where it is undefined. */
  events(topic0: Hex | undefined, at?: OnChain): readonly Candidate<AbiEvent>[];
  errors(selector: Hex, at?: OnChain): readonly Candidate<AbiError>[];
  functions(selector: Hex, at?: OnChain): readonly Candidate<AbiFunction>[];
}
