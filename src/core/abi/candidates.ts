import type { Address } from '../values/address.ts';
import type { Hex } from '../values/hex.ts';
import type { AbiError, AbiEvent, AbiFunction, AbiItem } from './abiItem.ts';

/** Where the knowledge of an ABI comes from, the most trusted first. */
export const trusts = ['deployment', 'workspace', 'bundled'] as const;
export type Trust = (typeof trusts)[number];

/** Where an item was found. */
export interface Origin {
  readonly trust: Trust;
  /** The file, as a path from the root of the workspace, or the name of a bundled list, `ERC-20`. */
  readonly from: string;
  /** The contract that has it; undefined in a bundled list. */
  readonly contract: string | undefined;
  /** The line of its declaration, from 1, where the source is there. */
  readonly line: number | undefined;
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

/** Finds what hashes stand for: by what is deployed, in the workspace, in bundled lists. Never asks a server. */
export interface AbiLookup {
  /** Events with this topic0, the most trusted first; the anonymous ones that may be meant where it is undefined. */
  events(topic0: Hex | undefined, at?: OnChain): readonly Candidate<AbiEvent>[];
  errors(selector: Hex, at?: OnChain): readonly Candidate<AbiError>[];
  functions(selector: Hex, at?: OnChain): readonly Candidate<AbiFunction>[];
}
