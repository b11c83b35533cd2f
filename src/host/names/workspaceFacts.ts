import type * as vscode from 'vscode';
import type { ContractFacts, DeploymentFacts, LabelFacts } from '../../core/index.ts';

/** Facts with the file of the workspace that tells them. */
export type Told<Facts> = Facts & { readonly file: string };
export type KnownContract = Told<ContractFacts>;
export type KnownDeployment = Told<DeploymentFacts>;
export type KnownLabel = Told<LabelFacts>;

/** A line of a file, as it can be opened. */
export interface SourcePlace {
  readonly uri: vscode.Uri;
  /** From 1. */
  readonly line: number | undefined;
}

/** What the files of the workspace tell of contracts and their addresses. */
export interface WorkspaceFacts {
  /** `off`: not read, as the workspace is not trusted; `reading`: what is there so far. */
  readonly state: 'off' | 'reading' | 'ready';
  readonly contracts: readonly KnownContract[];
  readonly deployments: readonly KnownDeployment[];
  readonly labels: readonly KnownLabel[];
  /** Fires when any of these has changed. */
  readonly onDidChange: vscode.Event<void>;
  /** Begins to read, if it has not; settles when all is read once. */
  read(): Promise<void>;
  /** The file that a contract, deployment or label names as its own. */
  uriOf(file: string): vscode.Uri | undefined;
  /** Where the contract is declared, as far as its source is in the workspace. */
  sourceOf(contract: KnownContract): SourcePlace | undefined;
}
