import type * as vscode from 'vscode';
import type { Address, IndexedContract, IndexedDeployment } from '../../../core/index.ts';

/** A contract, as the workspace declares it or as deployments name it. */
export interface ContractNode {
  readonly kind: 'contract';
  /** Tells it from others of the same name. */
  readonly key: string;
  /** Undefined where deployments have no name. */
  readonly contractName: string | undefined;
  /** Undefined where no file has it, or several that differ. */
  readonly contract: IndexedContract | undefined;
  readonly deployments: readonly IndexedDeployment[];
  /** Where it is declared, for *Open Source*. */
  readonly occurrence: SourceLine | undefined;
}

interface SourceLine {
  readonly uri: vscode.Uri;
  /** From 0. */
  readonly line: number;
}

export interface DeploymentNode {
  readonly kind: 'deployment';
  readonly parent: ContractNode;
  readonly deployment: IndexedDeployment;
  readonly account: Address;
  readonly chainId: number;
  readonly contractName: string | undefined;
  readonly occurrence: SourceLine | undefined;
}

/** Contracts that are seldom looked for: libraries, interfaces, tests, scripts, and what others wrote. */
export interface MoreNode {
  readonly kind: 'more';
  readonly contracts: readonly ContractNode[];
}

/** Words in place of rows, or after them. */
export interface NoteNode {
  readonly kind: 'note';
  readonly parent: ContractNode | MoreNode | undefined;
  readonly content:
    | { readonly note: 'reading'; readonly looked: number; readonly found: number }
    | { readonly note: 'cut'; readonly shown: number; readonly left: number };
}

export type ContractsNode = ContractNode | DeploymentNode | MoreNode | NoteNode;

/** An id that stays the same for what is the same row, so that the view keeps selection and expansion. */
export function nodeId(node: ContractsNode): string {
  switch (node.kind) {
    case 'contract':
      return `contract/${node.key}`;
    case 'deployment':
      return `${nodeId(node.parent)}/${node.deployment.chainId}/${node.account}`;
    case 'more':
      return 'more';
    case 'note':
      return `${node.parent ? nodeId(node.parent) : ''}/note`;
  }
}
