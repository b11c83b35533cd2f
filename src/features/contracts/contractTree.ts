import * as vscode from 'vscode';
import {
  type Address,
  type Clock,
  type ContractDeployment,
  type ContractIndex,
  formatIsoTime,
  formatShortAddress,
  type Identity,
  type IndexedDeployment,
  isLoopbackUrl,
  isNftContract,
  toChecksumAddress,
} from '../../core/index.ts';
import type { CodeVerdicts } from '../../host/code/codeVerdicts.ts';
import { formatVerdict, formatVerdictDetails } from '../../host/code/formatVerdict.ts';
import { createCommand } from '../../host/commands.ts';
import { findDistinctFile } from '../../host/contracts/deploymentFiles.ts';
import type { WorkspaceContracts } from '../../host/contracts/workspaceContracts.ts';
import { Disposables } from '../../host/disposables.ts';
import { formatAge } from '../../host/formatTime.ts';
import { formatShortCommit } from '../../host/formatting.ts';
import { parseChainId } from '../../host/names/addressName.ts';
import { formatNumber } from '../../host/numbers.ts';
import {
  type ChainDeps,
  findChainExplorer,
  formatOtherChains,
  getChainName,
  offersHistory,
  offersKeyedHistory,
} from '../../host/session/chains.ts';
import type { TreeRow, TreeRowProvider } from '../../host/ui/tree.ts';
import { createRow, listRowTokens } from '../../host/ui/treeItem.ts';
import { isVirtualWorkspace } from '../../host/workspace/workspaceFiles.ts';
import {
  type ArrangedContract,
  arrangeContracts,
  type ContractNode,
  type ContractNoteNode,
  type ContractsNode,
  type DeploymentNode,
  getContractNodeId,
  listQueryableEvents,
  type MissingNode,
  type MoreContractsNode,
  type NoteParent,
  type OlderNode,
  splitByRun,
} from './contractNodes.ts';
import type { HiddenDeployments } from './hiddenDeployments.ts';

export interface DeploymentIdentities {
  /** What is known of an address on the active network; sends no request. */
  get(address: Address): Pick<Identity, 'token'> | undefined;
  /** Looks up addresses that become visible and are not known. Never rejects. */
  loadListed(addresses: readonly Address[]): Promise<void>;
  readonly onDidChange: vscode.Event<Address>;
}

export interface ContractTreeDeps extends ChainDeps {
  readonly clock: Pick<Clock, 'now'>;
  /** Records that the user has hidden. */
  readonly hidden: HiddenDeployments;
  readonly contracts: WorkspaceContracts;
  readonly identities: DeploymentIdentities;
  readonly verdicts: Pick<CodeVerdicts, 'get' | 'listTargets' | 'onDidChange' | 'readListed'>;
}

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
        return limitRows(node.contracts, MAX_CONTRACTS, node);
      default:
        return [];
    }
  }

  async #roots(): Promise<readonly ContractsNode[]> {
    const { contracts, session } = this.#deps;
    // Reading files may take seconds: shows what is there, and redraws with each change.
    if (!contracts.known) await Promise.race([contracts.index(), nextChange(contracts)]);
    const index = contracts.known ?? (await contracts.index());
    const { state } = contracts;
    const arranged = arrangeContracts(index, session.network.chainId);
    const shown = arranged.contracts.map((contract) => this.#createContractNode(contract));
    const more = arranged.more.map((contract) => this.#createContractNode(contract));
    const missing = arranged.missing.filter((one) => !this.#deps.hidden.has(one));
    return [
      ...limitRows(shown, MAX_CONTRACTS, undefined),
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

  #createContractNode({ key, name, contract, deployments }: ArrangedContract): ContractNode {
    const uri = contract?.source === undefined ? undefined : this.#deps.contracts.uriOf(contract.source);
    const occurrence = uri && { uri, line: (contract?.line ?? 1) - 1 };
    return { kind: 'contract', key, contractName: name, indexed: contract, deployments, occurrence };
  }
}

const { Collapsed, None } = vscode.TreeItemCollapsibleState;

function createContractRow(node: ContractsNode, deps: ContractTreeDeps): TreeRow {
  return { ...createItem(node, deps), id: getContractNodeId(node) };
}

function createItem(node: ContractsNode, deps: ContractTreeDeps): TreeRow {
  switch (node.kind) {
    case 'contract':
      return createContractItem(node);
    case 'deployment':
      return createDeploymentItem(node, deps);
    case 'older':
      return createOlderItem(node);
    case 'missing':
      return createMissingItem(node);
    case 'more':
      return createMoreItem(node);
    case 'note':
      return createNoteItem(node);
  }
}

function createContractItem(node: ContractNode): TreeRow {
  const { indexed: contract, contractName, deployments } = node;
  const name = contractName ?? vscode.l10n.t('Unnamed');
  const source = contract && (contract.source ?? contract.artifact);
  const count = deployments.length === 0 ? undefined : formatDeploymentCount(deployments.length);
  const unknown =
    contract || deployments.length === 0 ? undefined : vscode.l10n.t('no ABI in this workspace');
  const details = [count, source ?? unknown].filter((part) => part !== undefined);
  return {
    ...createRow(name, 'symbol-class', {
      description: details.join(' · '),
      tooltip: [name, count, contract && formatContents(node), source ?? unknown],
    }),
    tokens: listRowTokens({
      deployed: deployments.length > 0,
      built: contract?.artifact !== undefined,
      source: node.occurrence !== undefined,
      events: deployments.length > 0 && listQueryableEvents(contract).length > 0,
    }),
    collapsibleState: deployments.length === 0 ? None : Collapsed,
  };
}

function formatDeploymentCount(count: number): string {
  return count === 1 ? vscode.l10n.t('1 deployment') : vscode.l10n.t('{0} deployments', formatNumber(count));
}

function formatContents({ indexed }: ContractNode): string {
  const count = (kind: string) =>
    String(indexed?.abi.filter((text) => text.startsWith(`${kind} `)).length ?? 0);
  return vscode.l10n.t(
    'Functions: {0}, events: {1}, errors: {2}',
    count('function'),
    count('event'),
    count('error'),
  );
}

function createDeploymentItem(node: DeploymentNode, deps: ContractTreeDeps): TreeRow {
  const { deployment, chainId } = node;
  const { block, commit, contract, file, role, runs = [], state, time, transaction } = deployment;
  const address = toChecksumAddress(node.account);
  const chain = getChainName(deps, chainId);
  const isActive = deps.session.network.chainId === chainId;
  const identity = isActive && deps.session.isChosen ? deps.identities.get(node.account) : undefined;
  const [target] = isActive ? deps.verdicts.listTargets([deployment], node.indexed) : [];
  const comparison = target && deps.verdicts.get(target);
  const verdict = comparison && formatVerdict(comparison, vscode.l10n);
  const absence =
    state === 'missing'
      ? vscode.l10n.t('no code at this address')
      : state === 'replaced'
        ? vscode.l10n.t('other code at this address')
        : undefined;
  const age = time === undefined ? undefined : formatAge(Math.max(0, deps.clock.now() - time), vscode.l10n);
  const [run] = runs;
  const blockText = block === undefined ? undefined : vscode.l10n.t('block {0}', formatNumber(block));
  // The address book may name a proxy differently from its implementation.
  const registeredName = contract === node.contractName ? undefined : contract;
  const siblings = node.parent.deployments;
  const distinctFile =
    time === undefined && block === undefined
      ? findDistinctFile(deployment, siblings, (one) => ({ ...one, name: one.contract }))
      : undefined;
  const details = [
    ...(node.parent.kind === 'missing' ? [absence, chain] : [verdict]),
    role === 'proxy' ? vscode.l10n.t('through {0}', contract ?? formatShortAddress(address)) : registeredName,
    role === 'implementation' ? vscode.l10n.t('implementation') : undefined,
    role === undefined && run?.contract ? vscode.l10n.t('runs {0}', run.contract.name) : undefined,
    distinctFile,
    blockText,
    age,
    formatShortAddress(address),
    commit && formatShortCommit(commit),
  ];
  const elsewhere = isActive ? undefined : formatOtherChains([deployment], deps);
  const icon = absence ? 'circle-slash' : isActive ? 'circle-filled' : 'circle-outline';
  return {
    ...createRow(node.parent.kind === 'missing' ? (node.contractName ?? address) : chain, icon, {
      description: details.filter((part) => part !== undefined).join(' · '),
      tooltip: [
        node.contractName,
        registeredName,
        address,
        formatChain(chain, chainId),
        absence && describeAbsence(deployment),
        run && vscode.l10n.t('Implementation: {0}', formatImplementation(run)),
        elsewhere,
        verdict,
        ...(comparison ? formatVerdictDetails(comparison, chain, vscode.l10n) : []),
        blockText,
        time === undefined ? undefined : formatIsoTime(time),
        transaction && vscode.l10n.t('transaction {0}', transaction),
        commit && vscode.l10n.t('commit {0}', commit),
        file,
      ],
    }),
    tokens: listRowTokens({
      deployment: true,
      missing: absence !== undefined,
      source: node.occurrence !== undefined,
      events: listQueryableEvents(node.indexed).length > 0,
      explorer: findChainExplorer(deps, chainId) !== undefined,
      otherChain: !isActive,
      history: isActive && offersHistory(deps.session.network),
      keyedHistory: isActive && offersKeyedHistory(deps.session.network),
      nftContract: identity !== undefined && isNftContract(identity),
    }),
    command: createCommand('chainside.lookUpAddress', vscode.l10n.t('Look Up'), address),
  };
}

function describeAbsence({ state }: IndexedDeployment): string {
  return state === 'missing'
    ? vscode.l10n.t('The node has no code at this address: the chain may have been started anew.')
    : vscode.l10n.t('The node has other code at this address, and not the transaction of this deployment.');
}

function formatImplementation({
  implementation,
  contract,
}: NonNullable<IndexedDeployment['runs']>[number]): string {
  const address = toChecksumAddress(implementation);
  return contract ? `${contract.name} · ${address}` : address;
}

function createOlderItem({ deployments }: OlderNode): TreeRow {
  return {
    ...createRow(vscode.l10n.t('Older Deployments'), 'history', {
      description: formatNumber(deployments.length),
      tooltip: [vscode.l10n.t('Deployments of earlier runs that are still on the chain')],
    }),
    collapsibleState: Collapsed,
  };
}

function createMissingItem({ deployments }: MissingNode): TreeRow {
  return {
    ...createRow(vscode.l10n.t('Not on This Node'), 'circle-slash', {
      description: formatNumber(deployments.length),
      tooltip: [
        vscode.l10n.t('Deployments in files of the workspace that the node of this chain does not have'),
      ],
    }),
    tokens: listRowTokens({ missing: true }),
    collapsibleState: Collapsed,
  };
}

function createMoreItem({ contracts }: MoreContractsNode): TreeRow {
  const tooltip = vscode.l10n.t('Libraries, interfaces, tests, scripts and dependencies');
  return {
    ...createRow(vscode.l10n.t('More'), 'library', {
      description: formatNumber(contracts.length),
      tooltip: [tooltip],
    }),
    collapsibleState: Collapsed,
  };
}

function createNoteItem({ content }: ContractNoteNode): TreeRow {
  if (content.note === 'reading') {
    const count = vscode.l10n.t(
      '{0} of {1} files',
      formatNumber(content.looked),
      formatNumber(content.found),
    );
    const description = content.found === 0 ? '' : count;
    return createRow(vscode.l10n.t('Reading the workspace…'), 'loading~spin', { description });
  }
  if (content.note === 'uncompiled') {
    return createRow(vscode.l10n.t('Compiled artifacts are not in the repository'), 'info', {
      tooltip: [
        vscode.l10n.t(
          'Chainside uses the sources, ABIs and deployments that are committed, and verified contracts.',
        ),
      ],
    });
  }
  return createRow(vscode.l10n.t('{0} more not shown', formatNumber(content.left)), 'ellipsis', {
    description: vscode.l10n.t('Export Addresses… exports all'),
  });
}

/** The name of a chain without one ends with its ID already. */
function formatChain(name: string, chainId: number): string {
  const id = String(chainId);
  return name.endsWith(` ${id}`) ? name : vscode.l10n.t('{0}, chain ID {1}', name, id);
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
  if (rows.length <= maxRows) return rows;
  return [
    ...rows.slice(0, maxRows),
    createNote({ note: 'cut', shown: maxRows, left: rows.length - maxRows }, parent),
  ];
}

function createNote(
  content: Extract<ContractsNode, { kind: 'note' }>['content'],
  parent?: NoteParent,
): ContractsNode {
  return { kind: 'note', parent, content };
}
