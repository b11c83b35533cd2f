import type { ProviderLabel } from '../base/provenance.ts';
import type { Address, Hex } from '../eth/hex.ts';
import type { AbiError, AbiEvent, AbiFunction, AbiItem } from './item.ts';

/**
 * Where the knowledge of an ABI comes from, the most trusted first. What was verified at the very address is about that
 * address, as a deployment is; what the workspace has under the same hash may be another contract's. Of `signatures`
 * the types alone are known, and which parameters are indexed is found out by trying.
 */
export const trustLevels = [
  'deployment',
  'verified',
  'partlyVerified',
  'twin',
  'workspace',
  'bundled',
  'signatures',
] as const;
export type Trust = (typeof trustLevels)[number];

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
  readonly source: ProviderLabel;
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
export interface ChainAddress {
  readonly address: Address;
  readonly chainId: number;
}

/**
 * One text for an address of a chain, as maps have it for a key.
 *
 * @example chainAddressKey({ address: '0x00000000000000000000000000000000000000aa', chainId: 1 })
 * // '1 0x00000000000000000000000000000000000000aa'
 */
export function chainAddressKey({ address, chainId }: ChainAddress): string {
  return `${chainId} ${address}`;
}

/** Finds what hashes stand for: by what is deployed, in the workspace, in bundled lists. Never asks a server. */
export interface AbiLookup {
  /** Events with this topic0, the most trusted first; the anonymous ones that may be meant where it is undefined. */
  events(topic0: Hex | undefined, at?: ChainAddress): readonly Candidate<AbiEvent>[];
  errors(selector: Hex, at?: ChainAddress): readonly Candidate<AbiError>[];
  functions(selector: Hex, at?: ChainAddress): readonly Candidate<AbiFunction>[];
}

/** Where a log stands on its chain; numbers compare faster than the bigint of a log. */
export interface LogPosition {
  readonly block: number;
  /** Position of the transaction in its block. */
  readonly transaction: number;
  /** Position of the log in its block. */
  readonly log: number;
}

/** Code that runs at the address of another contract. */
export interface ActiveImplementation {
  readonly address: Address;
  /** Of the log that put it in force. */
  readonly since: LogPosition;
}

/**
 * Why it is not known which code a log is of.
 *
 * - `constructor`: no log tells what was in force before the first upgrade.
 * - `unread`: the upgrades are not read so far.
 * - `uncertain`: they were read, and some may be missing.
 * - `noAbi`: the code is known, and its ABI is not.
 * - `several`: events of several contracts whose code may have run fit and say different things.
 */
export type VersionReason = 'constructor' | 'unread' | 'uncertain' | 'noAbi' | 'several';

/** An event of code that may have run. */
export interface VersionedCandidate extends Candidate<AbiEvent> {
  /** Undefined where it is not of one of the contracts that the upgrades name. */
  readonly code?: ActiveImplementation | undefined;
}

/** What logs of one topic0 may be, which a contract emitted while the same code was in force. */
export interface CandidateTiers {
  /** The surest first: the first that is not empty decides. */
  readonly tiers: readonly (readonly VersionedCandidate[])[];
  /** What speaks against a reading where it fits as well, and is none itself: events of other versions. */
  readonly against: readonly VersionedCandidate[];
  /** Whether all that fit must say the same; else the most trusted counts, and what else fits stands beside it. */
  readonly mustAgree: boolean;
  /** Why it is not known which code a log is of; undefined where it is known. */
  readonly reason: VersionReason | undefined;
  /** The code in force, if it is one. */
  readonly code: ActiveImplementation | undefined;
}

/** The versions of the code at one address. */
export interface ContractVersions {
  /**
   * Whether it makes no difference for logs of a topic0 where they stand: they are those of a contract with one
   * version.
   */
  isUnversioned(topic0: Hex | undefined): boolean;
  /** The number of the version that was in force. */
  versionAt(block: number, transaction: number, log: number): number;
  /** The number for logs of which it is not known where they stand. */
  readonly allCandidates: number;
  candidateTiers(topic0: Hex | undefined, version: number): CandidateTiers;
  /** The forms of the events of a topic0 in any version, the newest first. */
  layouts(topic0: Hex): readonly AbiEvent[];
}

/** A lookup that may know at which places of the chain which code was in force. */
export interface VersionedLookup extends AbiLookup {
  /** Undefined where an address has one version, as far as that is known. */
  versionsAt?(at: ChainAddress): ContractVersions | undefined;
}

/**
 * Candidates in order of trust, those of equal trust as they come. Of items that differ in nothing but names of
 * parameters the most trusted is left, as nothing that is decoded tells them apart; unless they have the same names in
 * another order.
 *
 * @example sortByTrust([]) // []
 */
export function sortByTrust<Item extends AbiItem>(
  candidates: readonly Candidate<Item>[],
): readonly Candidate<Item>[] {
  if (candidates.length < 2) return candidates;
  const first = new Map<string, Candidate<Item>[]>();
  for (const candidate of candidates.toSorted(byTrust)) {
    const layout = layoutOf(candidate.item);
    const same = first.get(layout);
    if (!same) first.set(layout, [candidate]);
    else if (same.every(({ item }) => namesOtherwise(item, candidate.item))) same.push(candidate);
  }
  return [...first.values()].flat();
}

/** Whether two have a name for different parameters, so that one of them tells a value under the name of another. */
function namesOtherwise({ inputs: one }: AbiItem, { inputs: other }: AbiItem): boolean {
  return one.some(({ name }, index) => {
    const there = name === '' ? -1 : other.findIndex((input) => input.name === name);
    return there >= 0 && there !== index && other[index]?.name !== name;
  });
}

function byTrust(a: Candidate, b: Candidate): number {
  return trustLevels.indexOf(a.origin.trust) - trustLevels.indexOf(b.origin.trust);
}

/** What decides how an item is decoded: `Transfer(address,address,uint256) ii-`. */
function layoutOf(item: AbiItem): string {
  if (item.kind !== 'event') return item.signature;
  const indexed = item.inputs.map((input) => (input.indexed ? 'i' : '-')).join('');
  return `${item.signature} ${indexed}${item.anonymous ? ' anonymous' : ''}`;
}
