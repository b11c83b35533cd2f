import * as vscode from 'vscode';
import {
  type Address,
  type Clock,
  formatIsoTime,
  formatShortAddress,
  type Identity,
  type IndexedDeployment,
  isNftContract,
  toChecksumAddress,
} from '../../core/index.ts';
import type { CodeVerdicts } from '../../host/code/codeVerdicts.ts';
import { formatVerdict, formatVerdictDetails } from '../../host/code/formatVerdict.ts';
import { createCommand } from '../../host/commands.ts';
import { findDistinctFile } from '../../host/contracts/deploymentFiles.ts';
import type { WorkspaceContracts } from '../../host/contracts/workspaceContracts.ts';
import { formatAge } from '../../host/formatTime.ts';
import { formatShortCommit } from '../../host/formatting.ts';
import { formatNumber } from '../../host/numbers.ts';
import {
  type ChainDeps,
  findChainExplorer,
  formatOtherChains,
  getChainName,
  offersHistory,
  offersKeyedHistory,
} from '../../host/session/chains.ts';
import type { TreeRow } from '../../host/ui/tree.ts';
import { createRow, listRowTokens } from '../../host/ui/treeItem.ts';
import {
  type ContractNode,
  type ContractNoteNode,
  type ContractsNode,
  type DeploymentNode,
  getContractNodeId,
  listQueryableEvents,
  type MissingNode,
  type MoreContractsNode,
  type OlderNode,
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
  readonly clock: Clock;
  /** Records that the user has hidden. */
  readonly hidden: HiddenDeployments;
  readonly contracts: WorkspaceContracts;
  readonly identities: DeploymentIdentities;
  readonly verdicts: Pick<CodeVerdicts, 'get' | 'listTargets' | 'onDidChange' | 'readListed'>;
}

const { Collapsed, None } = vscode.TreeItemCollapsibleState;

export function createContractRow(node: ContractsNode, deps: ContractTreeDeps): TreeRow {
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
  // As above the contract in its source: an implementation counts where no proxy runs it.
  const running = deployments.filter(({ role }) => role !== 'implementation').length || deployments.length;
  const count = running === 0 ? undefined : formatDeploymentCount(running);
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
  const implementation = role === 'implementation' ? vscode.l10n.t('implementation') : undefined;
  const proxy = deployment.code?.name ?? contract ?? formatShortAddress(address);
  const relations = [
    role === 'proxy' ? vscode.l10n.t('through {0}', proxy) : registeredName,
    role === undefined && run?.contract ? vscode.l10n.t('runs {0}', run.contract.name) : undefined,
  ];
  const details = [
    // First what distinguishes rows in a narrow side bar; it cuts off the end.
    implementation,
    blockText,
    age,
    formatShortAddress(address),
    ...relations,
    distinctFile,
    commit && formatShortCommit(commit),
    ...(node.parent.kind === 'missing' ? [absence, chain] : [verdict]),
  ];
  const elsewhere = isActive ? undefined : formatOtherChains([deployment], deps);
  const icon = absence ? 'circle-slash' : isActive ? 'circle-filled' : 'circle-outline';
  return {
    ...createRow(node.parent.kind === 'missing' ? (node.contractName ?? address) : chain, icon, {
      description: details.filter((part) => part !== undefined).join(' · '),
      tooltip: [
        node.contractName,
        implementation,
        ...relations,
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
