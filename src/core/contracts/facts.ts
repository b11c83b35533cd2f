import type { AbiItemText } from '../abi/abiItem.ts';
import type { Address } from '../values/address.ts';
import type { Hex } from '../values/hex.ts';

/** A contract that a file of the workspace knows. */
export interface ContractFacts {
  readonly name: string;
  /** Where it is declared, as the file says it: a path from the root of its project. Undefined where it does not say. */
  readonly source: string | undefined;
  /** The line of its declaration, from 1, where the file itself shows it. */
  readonly line: number | undefined;
  readonly abi: readonly AbiItemText[];
  /** The lines on which the items of `abi` are declared, from 1, where the file itself shows them: a source. */
  readonly itemLines: readonly number[] | undefined;
}

/** A contract at an address of a chain. */
export interface DeploymentFacts {
  /** Decimal. */
  readonly chainId: string;
  readonly address: Address;
  /** Name of the contract; undefined where the file does not say. */
  readonly contract: string | undefined;
  readonly block: bigint | undefined;
  readonly transaction: Hex | undefined;
  /** Of the repository, as the tool wrote it down. */
  readonly commit: string | undefined;
}

/** A name that a file gives to an address. */
export interface LabelFacts {
  readonly address: Address;
  readonly name: string;
  /** Decimal; undefined where it holds on every chain. */
  readonly chainId: string | undefined;
}

/** All that one file of the workspace tells. Plain data but for bigint: kept between sessions. */
export interface FileFacts {
  readonly contracts: readonly ContractFacts[];
  readonly deployments: readonly DeploymentFacts[];
  readonly labels: readonly LabelFacts[];
  /** What else it may tell and is not read, in one line, where a bound was met. */
  readonly leftOut?: string;
}
