import type { Message } from '../base/text.ts';
import type { Address, Hex } from '../eth/hex.ts';
import type { IndexedContract } from '../project/index/joinContracts.ts';
import type { BuildFacts } from './buildChanges.ts';
import type { SettingDifference } from './compilerSettings.ts';

/**
 * How deployed code equals the build of a contract.
 *
 * - `exact`: byte for byte.
 * - `metadata`: but for the metadata, a hash of sources with their comments and paths.
 * - `immutables`: but for immutable variables and libraries, which a deployment fills in, and maybe the metadata.
 * - `settings`: the same sources, compiled with other settings or by another compiler.
 * - `different`: not the same code, or linked to a library with other code than its build.
 * - `none`: there is no code at the address.
 * - `unknown`: cannot be compared, or equals a build whose sources have changed since; the reasons say why.
 */
export type CodeMatch = 'exact' | 'metadata' | 'immutables' | 'settings' | 'different' | 'none' | 'unknown';

/** Deployed code compared with the build of a contract. */
export interface CodeComparison {
  readonly contract: IndexedContract;
  readonly address: Address;
  /** The address of the compared code, if `address` is a proxy, a clone, or an account that delegates (EIP-7702). */
  readonly implementation: Address | undefined;
  /** All contracts that the address runs as a proxy; empty if the code of the address itself is compared. */
  readonly implementations: readonly Address[];
  readonly block: bigint;
  /** The keccak256 of the compared code; undefined if there is none. */
  readonly codeHash: Hex | undefined;
  readonly match: CodeMatch;
  /** Whether sources or settings have changed since the build: it is not known how the project as it is now compares. */
  readonly isOutdated: boolean;
  readonly immutables: readonly FilledImmutable[];
  readonly libraries: readonly FilledLibrary[];
  /** What is not checked: changes since the build, and libraries without a build. Also among the reasons. */
  readonly unchecked: readonly Message[];
  /** Other contracts of the project with this code: nothing says which one it is. */
  readonly equalContracts: readonly IndexedContract[];
  /** Of the match `settings`. */
  readonly settings: readonly SettingDifference[];
  /** Of the match `different`; undefined if only libraries differ. */
  readonly difference: CodeDifference | undefined;
  /** Another build that matches: from a deployment file, or of another contract. */
  readonly otherBuild: MatchingBuild | undefined;
  /** What is known of that build. */
  readonly deployedBuild: BuildFacts | undefined;
  readonly reasons: readonly Message[];
}

/** A value that the constructor wrote into the code. */
export interface FilledImmutable {
  /** Undefined if the build does not name it. */
  readonly name: string | undefined;
  /** The first place in the code, in bytes. */
  readonly offset: number;
  readonly value: Hex;
}

export interface FilledLibrary {
  readonly name: string;
  readonly address: Address;
}

export interface CodeDifference {
  /** The first byte that differs. */
  readonly offset: number;
  /** The functions whose code differs, by the source map of the build; the first difference first. */
  readonly functions: readonly DifferingFunction[];
  /** Whether others may differ too: `functions` are at least these. */
  readonly isPartial: boolean;
  /** Selectors that only one side dispatches. */
  readonly onlyLocal: readonly SelectorName[];
  readonly onlyDeployed: readonly SelectorName[];
}

export interface DifferingFunction {
  readonly name: string;
  /** From the workspace root. */
  readonly path: string | undefined;
  /** From 1. */
  readonly line: number | undefined;
}

export interface SelectorName {
  readonly selector: Hex;
  /** Undefined if it is unknown. */
  readonly signature: string | undefined;
}

/** A build that a file holds, besides the artifact of the compared contract. */
export interface MatchingBuild {
  /** The file, from the workspace root. */
  readonly file: string;
  readonly match: CodeMatch;
  /** Its contract, if that is not the compared one. */
  readonly contract?: string | undefined;
  /** The commit that the file names. */
  readonly commit: string | undefined;
}
