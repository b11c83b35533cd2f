import type { ProviderLabel } from '../base/provenance.ts';
import type { Address, Hex } from '../eth/hex.ts';
import type { AbiError, AbiEvent, AbiFunction, AbiItem } from './item.ts';

/**
 * Where an ABI comes from, the most trusted first. `deployment` and `verified` apply to the exact address; an equal
 * hash in the workspace may belong to another contract. `signatures` has types only, so the decoder tries which
 * parameters are indexed.
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

export interface Origin {
  readonly trust: Trust;
  /**
   * The path of the file from the workspace root; the name of a bundled list, `ERC-20`; for a verified contract the
   * host of the verifier and the address, `sourcify.dev 0x…`; for signatures only the host.
   */
  readonly from: string;
  /** The contract that declares it; undefined in a bundled list. */
  readonly contract: string | undefined;
  /** The line of the declaration, from 1; undefined without its source. */
  readonly line: number | undefined;
  readonly verified?: VerifiedOrigin;
}

/** The verified contract that declares an item: the contract that emitted the logs, or the implementation of a proxy. */
export interface VerifiedOrigin {
  readonly chainId: number;
  readonly address: Address;
  readonly source: ProviderLabel;
  /** The contract with the same code that was verified instead. */
  readonly twin?: Address;
  /** The code at the address is no longer the verified code. */
  readonly changedBytecode?: true;
}

export interface Candidate<Item extends AbiItem = AbiItem> {
  readonly item: Item;
  readonly origin: Origin;
}

/** Finds items by their hashes: deployed, in the workspace, in bundled lists. Never sends a request. */
export interface AbiLookup {
  /** Events with this topic0, the most trusted first; possible anonymous events if it is undefined. */
  events(topic0: Hex | undefined, at?: ChainAddress): readonly Candidate<AbiEvent>[];
  errors(selector: Hex, at?: ChainAddress): readonly Candidate<AbiError>[];
  functions(selector: Hex, at?: ChainAddress): readonly Candidate<AbiFunction>[];
}

/** The contract that emitted a log or received a call. */
export interface ChainAddress {
  readonly address: Address;
  readonly chainId: number;
  /** As of `getChainKey`, where the chain ID does not identify the chain. Only what was read from the chain differs. */
  readonly chainKey?: string | undefined;
}

/**
 * A map key for an address on a chain.
 *
 * @example chainAddressKey({ address: '0x00000000000000000000000000000000000000aa', chainId: 1 })
 * // '1 0x00000000000000000000000000000000000000aa'
 */
export function chainAddressKey({ address, chainId }: ChainAddress): string {
  return `${chainId} ${address}`;
}

/** A lookup that may also know which code was active at each position of the chain. */
export interface VersionedLookup extends AbiLookup {
  /** Undefined if the address has one version, as far as is known. */
  versionsAt?(at: ChainAddress): ContractVersions | undefined;
}

export interface ContractVersions {
  /**
   * Whether logs with this topic0 decode as those of a contract with one version, so that their position is irrelevant.
   */
  isUnversioned(topic0: Hex | undefined): boolean;
  versionAt(block: number, transaction: number, log: number): number;
  /** The version number for logs whose position is unknown. */
  readonly allCandidates: number;
  candidateTiers(topic0: Hex | undefined, version: number): CandidateTiers;
  /** The layouts of the events with this topic0 in any version, the newest first. */
  layouts(topic0: Hex): readonly AbiEvent[];
}

/** The possible events of logs with one topic0, emitted while the same code was active. */
export interface CandidateTiers {
  /** The most certain first: the first tier that is not empty decides. */
  readonly tiers: readonly (readonly VersionedCandidate[])[];
  /** Events of other versions. They are never chosen, but one that fits with other values makes the result uncertain. */
  readonly against: readonly VersionedCandidate[];
  /**
   * Whether all fitting candidates must agree on the values. If not, the most trusted wins and the others are listed.
   */
  readonly mustAgree: boolean;
  /** Why the code is uncertain; undefined if it is certain. */
  readonly reason: VersionReason | undefined;
  /** The active code, if there is exactly one. */
  readonly code: ActiveImplementation | undefined;
}

/** An event of code that may have been active. */
export interface VersionedCandidate extends Candidate<AbiEvent> {
  /** Undefined unless the event belongs to one of the contracts that the upgrades name. */
  readonly code?: ActiveImplementation | undefined;
}

/** Code that runs at the address of another contract (a proxy). */
export interface ActiveImplementation {
  readonly address: Address;
  /** The log that activated it. */
  readonly since: LogPosition;
}

/** The position of a log on its chain. Block numbers are `number`, which compares faster than the bigint of a log. */
export interface LogPosition {
  readonly block: number;
  /** Index of the transaction in its block. */
  readonly transaction: number;
  /** Index of the log in its block. */
  readonly log: number;
}

/**
 * Why the code that emitted a log is uncertain.
 *
 * - `constructor`: no log shows the implementation before the first upgrade.
 * - `unread`: the upgrades are not read yet.
 * - `uncertain`: the upgrades were read, but some may be missing.
 * - `delegated`: the account delegates to code (EIP-7702), which changes without a log.
 * - `noAbi`: the code is certain, but its ABI is unknown.
 * - `several`: events of several possible implementations fit and decode differently.
 */
export type VersionReason = 'constructor' | 'unread' | 'uncertain' | 'delegated' | 'noAbi' | 'several';

/**
 * Candidates in order of trust, stable. Items that differ only in parameter names decode alike, so only the most
 * trusted remains, unless they use the same names in another order.
 *
 * @example sortByTrust([]) // []
 */
export function sortByTrust<Item extends AbiItem>(
  candidates: readonly Candidate<Item>[],
): readonly Candidate<Item>[] {
  if (candidates.length < 2) return candidates;
  const byLayout = new Map<string, Candidate<Item>[]>();
  for (const candidate of candidates.toSorted(compareTrust)) {
    const layout = formatLayout(candidate.item);
    const same = byLayout.get(layout);
    if (!same) byLayout.set(layout, [candidate]);
    else if (same.every(({ item }) => hasSwappedNames(item, candidate.item))) same.push(candidate);
  }
  return [...byLayout.values()].flat();
}

/** Whether a name denotes different parameters in the two lists, so that a value would get the wrong name. */
function hasSwappedNames({ inputs: one }: AbiItem, { inputs: other }: AbiItem): boolean {
  return one.some(({ name }, index) => {
    const otherIndex = name === '' ? -1 : other.findIndex((input) => input.name === name);
    return otherIndex >= 0 && otherIndex !== index && other[index]?.name !== name;
  });
}

function compareTrust(a: Candidate, b: Candidate): number {
  return trustLevels.indexOf(a.origin.trust) - trustLevels.indexOf(b.origin.trust);
}

/** Everything that determines how an item is decoded: `Transfer(address,address,uint256) ii-`. */
function formatLayout(item: AbiItem): string {
  if (item.kind !== 'event') return item.signature;
  const indexed = item.inputs.map((input) => (input.indexed ? 'i' : '-')).join('');
  return `${item.signature} ${indexed}${item.anonymous ? ' anonymous' : ''}`;
}
