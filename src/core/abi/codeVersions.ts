import type { Address } from '../values/address.ts';
import type { Hex } from '../values/hex.ts';
import type { AbiEvent } from './abiItem.ts';
import type { AbiLookup, Candidate, OnChain } from './candidates.ts';

/** Where a log stands on its chain; numbers compare faster than the bigint of a log. */
export interface ChainPlace {
  readonly block: number;
  /** Position of the transaction in its block. */
  readonly transaction: number;
  /** Position of the log in its block. */
  readonly log: number;
}

/** Code that runs at the address of another contract. */
export interface RunningCode {
  readonly address: Address;
  /** Of the log that put it in force. */
  readonly since: ChainPlace;
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
export type VersionDoubt = 'constructor' | 'unread' | 'uncertain' | 'noAbi' | 'several';

/** An event of code that may have run. */
export interface VersionedCandidate extends Candidate<AbiEvent> {
  /** Undefined where it is not of one of the contracts that the upgrades name. */
  readonly code?: RunningCode | undefined;
}

/** What logs of one topic0 may be, which a contract emitted while the same code was in force. */
export interface Readings {
  /** The surest first: the first that is not empty decides. */
  readonly tiers: readonly (readonly VersionedCandidate[])[];
  /** What speaks against a reading where it fits as well, and is none itself: events of other versions. */
  readonly against: readonly VersionedCandidate[];
  /** Whether all that fit must say the same; else the most trusted counts, and what else fits stands beside it. */
  readonly mustAgree: boolean;
  /** Why it is not known which code a log is of; undefined where it is known. */
  readonly doubt: VersionDoubt | undefined;
  /** The code in force, if it is one. */
  readonly code: RunningCode | undefined;
}

/** The versions of the code at one address. */
export interface CodeVersions {
  /**
   * Whether it makes no difference for logs of a topic0 where they stand: they are those of a contract with one
   * version.
   */
  isPlain(topic0: Hex | undefined): boolean;
  /** The number of the version that was in force. */
  versionAt(block: number, transaction: number, log: number): number;
  /** The number for logs of which it is not known where they stand. */
  readonly anywhere: number;
  readings(topic0: Hex | undefined, version: number): Readings;
  /** The forms of the events of a topic0 in any version, the newest first. */
  layouts(topic0: Hex): readonly AbiEvent[];
}

/** A lookup that may know at which places of the chain which code was in force. */
export interface VersionedLookup extends AbiLookup {
  /** Undefined where an address has one version, as far as that is known. */
  versionsAt?(at: OnChain): CodeVersions | undefined;
}
