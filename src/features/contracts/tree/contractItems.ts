import * as vscode from 'vscode';
import { formatShortAddress, groupDigits, toChecksumAddress } from '../../../core/index.ts';
import { elsewhereWords } from '../../../host/names/elsewhere.ts';
import { type ChainDeps, chainName, explorerOfChain } from '../../../host/session/chains.ts';
import type { TreeRow } from '../../../host/surface/tree.ts';
import { shortCommit } from '../../../host/words/shortCommit.ts';
import { row, tokensOf } from '../../../host/words/treeRow.ts';
import { eventsOf } from './contractEvents.ts';
import {
  type ContractNode,
  type ContractsNode,
  type DeploymentNode,
  type MoreNode,
  type NoteNode,
  nodeId,
} from './contractNodes.ts';

const { Collapsed, None } = vscode.TreeItemCollapsibleState;

/** How a row looks. */
export function contractItem(node: ContractsNode, deps: ChainDeps): TreeRow {
  return { ...rowOf(node, deps), id: nodeId(node) };
}

function rowOf(node: ContractsNode, deps: ChainDeps): TreeRow {
  switch (node.kind) {
    case 'contract':
      return rowOfContract(node);
    case 'deployment':
      return rowOfDeployment(node, deps);
    case 'more':
      return rowOfMore(node);
    case 'note':
      return rowOfNote(node);
  }
}

function rowOfContract(node: ContractNode): TreeRow {
  const { contract, contractName, deployments } = node;
  const name = contractName ?? vscode.l10n.t('Unnamed');
  const source = contract && (contract.source ?? contract.artifact);
  const count = deployments.length === 0 ? undefined : countWords(deployments.length);
  const unknown =
    contract || deployments.length === 0 ? undefined : vscode.l10n.t('no ABI in this workspace');
  const details = [count, source ?? unknown].filter((part) => part !== undefined);
  return {
    ...row(name, 'symbol-class', {
      description: details.join(' · '),
      tooltip: [name, count, contract && contentWords(node), source ?? unknown],
    }),
    tokens: tokensOf({
      contract: true,
      deployed: deployments.length > 0,
      source: node.occurrence !== undefined,
      events: deployments.length > 0 && eventsOf(contract).length > 0,
    }),
    collapsibleState: deployments.length === 0 ? None : Collapsed,
  };
}

function countWords(count: number): string {
  return count === 1 ? vscode.l10n.t('1 deployment') : vscode.l10n.t('{0} deployments', groupDigits(count));
}

function contentWords({ contract }: ContractNode): string {
  const count = (kind: string) =>
    String(contract?.abi.filter((text) => text.startsWith(`${kind} `)).length ?? 0);
  return vscode.l10n.t(
    'Functions: {0}, events: {1}, errors: {2}',
    count('function'),
    count('event'),
    count('error'),
  );
}

function rowOfDeployment(node: DeploymentNode, deps: ChainDeps): TreeRow {
  const { deployment, chainId } = node;
  const { block, commit, contract, file, transaction } = deployment;
  const address = toChecksumAddress(node.account);
  const chain = chainName(deps, chainId);
  const isActive = deps.session.network.chainId === chainId;
  const blockWords = block === undefined ? undefined : vscode.l10n.t('block {0}', groupDigits(block));
  // As the address book has it, which tells a proxy from what is behind it.
  const called = contract === node.contractName ? undefined : contract;
  const details = [called, formatShortAddress(address), blockWords, commit && shortCommit(commit)];
  const elsewhere = isActive ? undefined : elsewhereWords([deployment], deps);
  return {
    ...row(chain, isActive ? 'circle-filled' : 'circle-outline', {
      description: details.filter((part) => part !== undefined).join(' · '),
      tooltip: [
        ...[node.contractName, called, address, chainWords(chain, chainId), elsewhere],
        blockWords,
        transaction && vscode.l10n.t('transaction {0}', transaction),
        commit && vscode.l10n.t('commit {0}', commit),
        file,
      ],
    }),
    tokens: tokensOf({
      deployment: true,
      source: node.occurrence !== undefined,
      events: eventsOf(node.parent.contract).length > 0,
      explorer: explorerOfChain(deps, chainId) !== undefined,
      otherChain: !isActive,
    }),
  };
}

function rowOfMore({ contracts }: MoreNode): TreeRow {
  const words = vscode.l10n.t('Libraries, interfaces, tests, scripts and dependencies');
  return {
    ...row(vscode.l10n.t('More'), 'library', {
      description: groupDigits(contracts.length),
      tooltip: [words],
    }),
    collapsibleState: Collapsed,
  };
}

function rowOfNote({ content }: NoteNode): TreeRow {
  if (content.note === 'reading') {
    const count = vscode.l10n.t('{0} of {1} files', groupDigits(content.looked), groupDigits(content.found));
    const description = content.found === 0 ? '' : count;
    return row(vscode.l10n.t('Reading the workspace…'), 'loading~spin', { description });
  }
  return row(vscode.l10n.t('{0} more not shown', groupDigits(content.left)), 'ellipsis', {
    description: vscode.l10n.t('Export Addresses… exports all'),
  });
}

/** One that has no name is called by its id alone. */
function chainWords(name: string, chainId: number): string {
  const id = String(chainId);
  return name.endsWith(` ${id}`) ? name : vscode.l10n.t('{0}, chain id {1}', name, id);
}
