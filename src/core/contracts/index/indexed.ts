import type { AbiItemText } from '../../abi/abiItem.ts';
import type { DeploymentFacts, LabelFacts } from '../facts.ts';

/** A contract of the workspace, put together from its source and what the compiler wrote of it. */
export interface IndexedContract {
  readonly name: string;
  /** The folder of its project, from the root of the workspace on; empty for the root itself. */
  readonly project: string;
  /** The file that declares it, as a path from the root of the workspace; undefined where it is not known or not there. */
  readonly source: string | undefined;
  /** The line of its declaration, from 1; undefined where its source was not read. */
  readonly line: number | undefined;
  /** The file that has its ABI; undefined where only its source is there. */
  readonly artifact: string | undefined;
  readonly abi: readonly AbiItemText[];
  /** The line on which each item of `abi` is declared in `source`, where it is. */
  readonly itemLines: readonly (number | undefined)[];
  /** Whether it belongs to the project itself, not to a library of it. */
  readonly isOwn: boolean;
}

/** What is known of a contract at an address of a chain, out of all files that name it. */
export interface IndexedDeployment extends DeploymentFacts {
  /** The file that tells the most recent of it, as a path from the root of the workspace. */
  readonly file: string;
}

export interface IndexedLabel extends LabelFacts {
  readonly file: string;
}

/** Where a file stands in its project. Paths are from the root of the workspace on, with `/`. */
export interface FilePlace {
  /** The folder of the project; empty for the root. */
  readonly project: string;
  /** Folders of libraries, from the folder of the project on. */
  readonly libs: readonly string[];
  /** Where a source lies that a file of the project names; undefined where it is not there. Default: in the project. */
  readonly sourceAt?: (source: string) => string | undefined;
}
