import * as vscode from 'vscode';
import type { IndexedDeployment } from '../../../core/index.ts';
import type { WorkspaceContracts } from '../../../host/contracts/workspaceContracts.ts';
import { Disposables } from '../../../host/disposables.ts';
import { readChainId } from '../../../host/names/addressName.ts';
import type { ChainDeps } from '../../../host/session/chains.ts';
import type { RowProvider, TreeRow } from '../../../host/surface/tree.ts';
import { type ArrangedContract, arrangeContracts } from './arrangeContracts.ts';
import { contractItem } from './contractItems.ts';
import type { ContractNode, ContractsNode, DeploymentNode, MoreNode } from './contractNodes.ts';

/** Rows of one parent: more than these nobody looks through, and the view's own search finds them by name. */
const MOST_CONTRACTS = 2_000;
const MOST_DEPLOYMENTS = 500;

interface ContractTreeDeps extends ChainDeps {
  readonly contracts: WorkspaceContracts;
}

/** The contracts of the workspace with where they are deployed. Empty where there are none: then the view says why. */
export class ContractTree implements RowProvider<ContractsNode>, vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<ContractsNode | undefined>());
  readonly #deps: ContractTreeDeps;
  /** Those handed out: what a menu hands over may come from anywhere. */
  readonly #rows = new WeakSet<object>();

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(deps: ContractTreeDeps) {
    this.#deps = deps;
    const tell = () => this.#changed.fire(undefined);
    this.#disposables.add(deps.contracts.onDidChange(tell));
    this.#disposables.add(deps.session.onDidChange(tell));
    this.#disposables.add(deps.settings.onDidChange(tell));
  }

  /** The row that a menu handed over; undefined for what is none of this view. */
  rowOf(argument: unknown): ContractsNode | undefined {
    const isRow = typeof argument === 'object' && argument !== null && this.#rows.has(argument);
    return isRow ? (argument as ContractsNode) : undefined;
  }

  getTreeItem(node: ContractsNode): TreeRow {
    return contractItem(node, this.#deps);
  }

  async getChildren(node?: ContractsNode): Promise<ContractsNode[]> {
    const children = node ? childrenOf(node) : await this.#roots();
    for (const child of children) this.#rows.add(child);
    return [...children];
  }

  getParent(node: ContractsNode): ContractsNode | undefined {
    return node.kind === 'deployment' || node.kind === 'note' ? node.parent : undefined;
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #roots(): Promise<readonly ContractsNode[]> {
    const { contracts, session } = this.#deps;
    // While files are read, which may take seconds, what is there so far: the view is drawn again with each change.
    if (!contracts.known) await Promise.race([contracts.index(), nextChange(contracts)]);
    const index = contracts.known ?? (await contracts.index());
    const { state } = contracts;
    const arranged = arrangeContracts(index, session.network.chainId);
    const shown = arranged.contracts.map((contract) => this.#contractNode(contract));
    const more = arranged.more.map((contract) => this.#contractNode(contract));
    return [
      ...bounded(shown, MOST_CONTRACTS, undefined),
      ...(more.length > 0 ? [{ kind: 'more', contracts: more } as const] : []),
      // Last, so that no row moves away from under the pointer when it goes.
      ...(state.kind === 'reading'
        ? [note({ note: 'reading', looked: state.looked, found: state.found })]
        : []),
    ];
  }

  #contractNode({ key, name, contract, deployments }: ArrangedContract): ContractNode {
    const uri = contract?.source === undefined ? undefined : this.#deps.contracts.uriOf(contract.source);
    const occurrence = uri && { uri, line: (contract?.line ?? 1) - 1 };
    return { kind: 'contract', key, contractName: name, contract, deployments, occurrence };
  }
}

/** Settles with the next change. */
function nextChange({ onDidChange }: WorkspaceContracts): Promise<void> {
  return new Promise((resolve) => {
    const listening = onDidChange(() => {
      listening.dispose();
      resolve();
    });
  });
}

function childrenOf(node: ContractsNode): readonly ContractsNode[] {
  switch (node.kind) {
    case 'contract':
      return bounded(
        node.deployments.map((deployment) => deploymentNode(node, deployment)),
        MOST_DEPLOYMENTS,
        node,
      );
    case 'more':
      return bounded(node.contracts, MOST_CONTRACTS, node);
    default:
      return [];
  }
}

function deploymentNode(parent: ContractNode, deployment: IndexedDeployment): DeploymentNode {
  return {
    ...{ kind: 'deployment', parent, deployment, account: deployment.address },
    chainId: readChainId(deployment.chainId) ?? 0,
    contractName: parent.contractName,
    occurrence: parent.occurrence,
  };
}

function bounded(
  rows: readonly ContractsNode[],
  most: number,
  parent: ContractNode | MoreNode | undefined,
): readonly ContractsNode[] {
  if (rows.length <= most) return rows;
  return [...rows.slice(0, most), note({ note: 'cut', shown: most, left: rows.length - most }, parent)];
}

function note(
  content: Extract<ContractsNode, { kind: 'note' }>['content'],
  parent?: ContractNode | MoreNode,
): ContractsNode {
  return { kind: 'note', parent, content };
}
