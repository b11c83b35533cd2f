import * as vscode from 'vscode';
import {
  type Address,
  type ContractDeployment,
  type ContractIndex,
  createTimeSlices,
  isLoopbackUrl,
  runInSlices,
} from '../../core/index.ts';
import type { WorkspaceContracts } from '../../host/contracts/workspaceContracts.ts';
import { Disposables } from '../../host/disposables.ts';
import { parseChainId } from '../../host/names/addressName.ts';
import type { TreeRow, TreeRowProvider } from '../../host/ui/tree.ts';
import { isVirtualWorkspace } from '../../host/workspace/workspaceFiles.ts';
import {
  type ArrangedContract,
  arrangeContracts,
  type ContractNode,
  type ContractsNode,
  type DeploymentNode,
  type NoteParent,
  type OlderNode,
  splitByRun,
} from './contractNodes.ts';
import { type ContractTreeDeps, createContractRow } from './contractRows.ts';

/** The contracts of the workspace and their deployments. If there are none, the view's welcome content says why. */
export class ContractTree implements TreeRowProvider<ContractsNode>, vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<ContractsNode | undefined>());
  readonly #deps: ContractTreeDeps;
  /** Rows created by this tree: the argument of a command may come from anywhere. */
  readonly #rows = new WeakSet<object>();

  /** On the active network, drawn since all rows were last redrawn. */
  readonly #deployments = new Set<DeploymentNode>();

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(deps: ContractTreeDeps) {
    this.#deps = deps;
    const redraw = () => {
      this.#deployments.clear();
      this.#changed.fire(undefined);
    };
    this.#disposables.add(deps.contracts.onDidChange(redraw));
    this.#disposables.add(deps.session.onDidChange(redraw));
    this.#disposables.add(deps.settings.onDidChange(redraw));
    this.#disposables.add(deps.hidden.onDidChange(redraw));
    this.#disposables.add(deps.verdicts.onDidChange(() => this.#redrawDeployments()));
    this.#disposables.add(deps.identities.onDidChange((address) => this.#redrawDeployments(address)));
  }

  /** The row that a menu passed; undefined if it is not one of this view. */
  rowOf(argument: unknown): ContractsNode | undefined {
    const isRow = typeof argument === 'object' && argument !== null && this.#rows.has(argument);
    return isRow ? (argument as ContractsNode) : undefined;
  }

  getTreeItem(node: ContractsNode): TreeRow {
    return createContractRow(node, this.#deps);
  }

  async getChildren(node?: ContractsNode): Promise<ContractsNode[]> {
    const children = node ? this.#listChildren(node) : await this.#roots();
    for (const child of children) this.#rows.add(child);
    if (node?.kind === 'contract' || node?.kind === 'older') this.#lookUpDeployments(children);
    return [...children];
  }

  getParent(node: ContractsNode): ContractsNode | undefined {
    return 'parent' in node ? node.parent : undefined;
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /**
   * Redraws the deployments at an address, by default all. A redraw of all rows would remove them for a moment, in which the
   * commands of their menus run without a row.
   */
  #redrawDeployments(address?: Address): void {
    for (const row of this.#deployments) {
      if (address === undefined || row.account === address) this.#changed.fire(row);
    }
  }

  /** Only a node on this machine is asked by itself. */
  #lookUpDeployments(nodes: readonly ContractsNode[]): void {
    const { identities, session, verdicts } = this.#deps;
    const { chainId, rpcUrl } = session.network;
    const shown = nodes
      .filter((node) => node.kind === 'deployment')
      .filter((node) => node.chainId === chainId);
    for (const node of shown) this.#deployments.add(node);
    if (isLoopbackUrl(rpcUrl)) void identities.loadListed(shown.map(({ account }) => account));
    const targets = shown.flatMap(({ deployment, indexed }) =>
      indexed?.artifact === undefined ? [] : verdicts.listTargets([deployment], indexed),
    );
    void verdicts.readListed(targets);
  }

  #listChildren(node: ContractsNode): readonly ContractsNode[] {
    switch (node.kind) {
      case 'contract': {
        const { newest, older } = splitByRun(node.deployments);
        const rows = newest.map((deployment) => createDeploymentNode(node, deployment, node));
        const fold: OlderNode = { kind: 'older', parent: node, deployments: older };
        return [...limitRows(rows, MAX_DEPLOYMENTS, node), ...(older.length > 0 ? [fold] : [])];
      }
      case 'older': {
        const rows = node.deployments.map((one) => createDeploymentNode(node, one, node.parent));
        return limitRows(rows, MAX_DEPLOYMENTS, node);
      }
      case 'missing': {
        const rows = node.deployments.map((deployment) => createDeploymentNode(node, deployment));
        return limitRows(rows, MAX_DEPLOYMENTS, node);
      }
      case 'more':
        return this.#listContracts(node.contracts, node);
      default:
        return [];
    }
  }

  async #roots(): Promise<readonly ContractsNode[]> {
    const { contracts: workspace, session } = this.#deps;
    // Reading files may take seconds: shows what is there, and redraws with each change.
    if (!workspace.known) await Promise.race([workspace.index(), nextChange(workspace)]);
    const index = workspace.known ?? (await workspace.index());
    const { state } = workspace;
    const slices = createTimeSlices(this.#deps.clock);
    const arranged = await runInSlices(arrangeContracts(index, session.network.chainId), { slices });
    const { contracts: shown, more } = arranged;
    const missing = arranged.missing.filter((one) => !this.#deps.hidden.has(one));
    return [
      ...this.#listContracts(shown),
      ...(more.length > 0 ? [{ kind: 'more', contracts: more } as const] : []),
      ...(missing.length > 0 ? [{ kind: 'missing', deployments: missing } as const] : []),
      // Last, so that no row moves under the pointer when it disappears.
      ...(state.kind === 'reading'
        ? [createNote({ note: 'reading', looked: state.looked, found: state.found })]
        : []),
      ...(shown.length > 0 && state.kind === 'ready' && isUncompiled(index)
        ? [createNote({ note: 'uncompiled' })]
        : []),
    ];
  }

  #listContracts(contracts: readonly ArrangedContract[], parent?: NoteParent): readonly ContractsNode[] {
    const rows = contracts.slice(0, MAX_CONTRACTS).map((contract) => this.#createContractNode(contract));
    return [...rows, ...noteOfOthers(contracts.length, MAX_CONTRACTS, parent)];
  }

  #createContractNode({ key, name, contract, deployments }: ArrangedContract): ContractNode {
    const uri = contract?.source === undefined ? undefined : this.#deps.contracts.uriOf(contract.source);
    const occurrence = uri && { uri, line: (contract?.line ?? 1) - 1 };
    return { kind: 'contract', key, contractName: name, indexed: contract, deployments, occurrence };
  }
}

/** Rows of one parent. Nobody looks through more; the others are found with the view's own search. */
const MAX_CONTRACTS = 2_000;

const MAX_DEPLOYMENTS = 500;

/** Whether only what is committed is there, without artifacts. */
function isUncompiled({ contracts }: ContractIndex): boolean {
  return isVirtualWorkspace() && contracts.every(({ artifact }) => artifact === undefined);
}

/** Resolves at the next change. */
function nextChange({ onDidChange }: WorkspaceContracts): Promise<void> {
  return new Promise((resolve) => {
    const subscription = onDidChange(() => {
      subscription.dispose();
      resolve();
    });
  });
}

function createDeploymentNode(
  parent: DeploymentNode['parent'],
  deployment: ContractDeployment,
  contract?: ContractNode,
): DeploymentNode {
  return {
    kind: 'deployment',
    parent,
    deployment,
    account: deployment.address,
    chainId: parseChainId(deployment.chainId) ?? 0,
    contractName: contract ? contract.contractName : deployment.contract,
    indexed: contract?.indexed,
    occurrence: contract?.occurrence,
  };
}

function limitRows(
  rows: readonly ContractsNode[],
  maxRows: number,
  parent: NoteParent | undefined,
): readonly ContractsNode[] {
  return [...rows.slice(0, maxRows), ...noteOfOthers(rows.length, maxRows, parent)];
}

/** The note after the rows that are shown. */
function noteOfOthers(
  count: number,
  shown: number,
  parent: NoteParent | undefined,
): readonly ContractsNode[] {
  return count <= shown ? [] : [createNote({ note: 'cut', shown, left: count - shown }, parent)];
}

function createNote(
  content: Extract<ContractsNode, { kind: 'note' }>['content'],
  parent?: NoteParent,
): ContractsNode {
  return { kind: 'note', parent, content };
}
