import * as vscode from 'vscode';
import {
  type Clock,
  compareValues,
  type IndexedContract,
  type IndexedDeployment,
  isUpgradeEvent,
  toChecksumAddress,
} from '../../core/index.ts';
import type { CodeVerdicts } from '../../host/code/codeVerdicts.ts';
import { createContextKey, registerCommand } from '../../host/commands.ts';
import type { QueryableEvent } from '../../host/contracts/knownEvents.ts';
import {
  type CheckedDeploymentDeps,
  checkDeployments,
  pickDeployment,
  queryDeployment,
} from '../../host/contracts/queryDeployment.ts';
import type { WorkspaceContracts } from '../../host/contracts/workspaceContracts.ts';
import { Disposables } from '../../host/disposables.ts';
import { showError } from '../../host/errors.ts';
import type { LogDecoding } from '../../host/logDecoding.ts';
import { parseRowArgument } from '../../host/rowArguments.ts';
import { type ChainDeps, getChainName } from '../../host/session/chains.ts';
import { pickOne, showMessage } from '../../host/ui/dialogs.ts';
import { showFileLocation } from '../../host/ui/virtualDocuments.ts';
import type { CommandId } from '../../manifest.ts';
import {
  formatAddressesJson,
  formatAddressesMarkdown,
  formatAddressesSolidity,
  nameDeployments,
} from './addressFormats.ts';
import {
  type ContractNode,
  type ContractsNode,
  type DeploymentNode,
  listQueryableEvents,
} from './contractNodes.ts';
import type { DeploymentIdentities } from './contractRows.ts';
import { ContractTree } from './contractTree.ts';
import { createHiddenDeployments } from './hiddenDeployments.ts';

export interface ContractsDeps extends ChainDeps {
  readonly contracts: WorkspaceContracts;
  readonly log: vscode.LogOutputChannel;
  readonly identities: DeploymentIdentities;
  readonly verdicts: CodeVerdicts;
  readonly clock: Clock;
  readonly workspaceState: vscode.Memento;
  readonly checkDeployments: CheckedDeploymentDeps['checkDeployments'];
  /** Loaded on first use: the versions of a proxy. */
  readonly meaning: () => Promise<Pick<LogDecoding, 'fetchImplementations'>>;
}

interface Contracts extends vscode.Disposable {
  readonly tree: ContractTree;
}

/** The Contracts view but its registration in the editor; registers its commands. */
export function openContracts(
  deps: ContractsDeps & {
    readonly view: Pick<vscode.TreeView<ContractsNode>, 'selection' | 'visible' | 'onDidChangeVisibility'>;
  },
): Contracts {
  const disposables = new Disposables();
  const hidden = disposables.add(createHiddenDeployments(deps.workspaceState));
  const tree = disposables.add(new ContractTree({ ...deps, hidden }));
  const childrenOf = (node: ContractsNode) => tree.getChildren(node);

  // The empty view explains why it is empty, once the workspace has been read.
  const setRead = createContextKey('chainside.contracts.read');
  const setShown = createContextKey('chainside.contracts.shown');
  const updateKeys = () => {
    const { known, state } = deps.contracts;
    setRead(state.kind === 'ready');
    if (deps.view.visible && known && known.counts.contracts + known.counts.deployments > 0) setShown(true);
  };
  updateKeys();
  disposables.add(deps.contracts.onDidChange(updateKeys));
  disposables.add(deps.view.onDidChangeVisibility(updateKeys));

  /** Passes the row of the menu; without one, `act` uses the selection. */
  function command(
    id: CommandId,
    act: (node: ContractsNode | undefined, argument: unknown) => unknown,
  ): void {
    const run = async (argument: unknown) => {
      try {
        await act(tree.rowOf(argument), argument);
      } catch (error) {
        await showError(error, { service: 'endpoint', network: deps.session.network, log: deps.log });
      }
    };
    disposables.add(registerCommand(id, run));
  }

  command('chainside.queryLogsOfContract', (node) => {
    const row = node ?? deps.view.selection[0];
    return row && queryContractLogs({ ...deps, childrenOf }, row);
  });
  command('chainside.openSource', async (node, argument) => {
    const place = parseRowArgument(argument ?? node ?? deps.view.selection[0])?.place;
    if (place) await showFileLocation(place);
  });
  command('chainside.exportAddresses', (node) => exportAddresses(deps, node));
  command('chainside.hideDeployments', async (node) => {
    if (node?.kind === 'missing') await hidden.hide(node.deployments);
    else if (node?.kind === 'deployment' && node.parent.kind === 'missing')
      await hidden.hide([node.deployment]);
  });
  return { tree, dispose: () => disposables.dispose() };
}

interface ExportDeps extends ChainDeps {
  readonly contracts: WorkspaceContracts;
}

/** Opens the addresses of a contract, or of all, in a new unsaved document. */
export async function exportAddresses(deps: ExportDeps, node: ContractsNode | undefined): Promise<void> {
  const deployments = await listDeployments(deps, node);
  if (deployments.length === 0) {
    const message = vscode.workspace.isTrusted
      ? vscode.l10n.t('No deployments found in this workspace.')
      : vscode.l10n.t('Trust this workspace to read contracts from its files.');
    void showMessage('information', message);
    return;
  }
  const format = await pickOne(listFormats(), {
    title: vscode.l10n.t('Export Addresses'),
    placeHolder: vscode.l10n.t('Choose a format'),
    matchOnDescription: true,
  });
  if (!format) return;
  const content = format.write(nameDeployments(deployments, (chainId) => getChainName(deps, chainId)));
  const document = await vscode.workspace.openTextDocument({
    content,
    language: await getAvailableLanguage(format.language),
  });
  await vscode.window.showTextDocument(document);
}

async function listDeployments(
  { contracts }: ExportDeps,
  node: ContractsNode | undefined,
): Promise<readonly IndexedDeployment[]> {
  if (node?.kind === 'contract') return node.deployments;
  if (node?.kind === 'deployment') return [node.deployment];
  return (await contracts.index()).deployments;
}

function listFormats() {
  return [
    {
      label: 'JSON',
      description: vscode.l10n.t('by chain ID and name, for a front end or a script'),
      language: 'json',
      write: formatAddressesJson,
    },
    {
      label: 'Solidity',
      description: vscode.l10n.t('a library of constants for each chain'),
      language: 'solidity',
      write: formatAddressesSolidity,
    },
    {
      label: 'Markdown',
      description: vscode.l10n.t('a table with block and commit, for a document'),
      language: 'markdown',
      write: formatAddressesMarkdown,
    },
  ];
}

/** VS Code has no language `solidity` without an extension. */
async function getAvailableLanguage(language: string): Promise<string> {
  return (await vscode.languages.getLanguages()).includes(language) ? language : 'plaintext';
}

interface QueryDeps extends ChainDeps, Pick<ContractsDeps, 'checkDeployments' | 'contracts' | 'meaning'> {
  readonly childrenOf: (node: ContractNode) => Promise<readonly ContractsNode[]>;
}

/** Queries an event of a deployment; the user picks one of several. */
export async function queryContractLogs(deps: QueryDeps, node: ContractsNode): Promise<void> {
  const row = node.kind === 'contract' ? await pickRow(deps, node) : node;
  if (row?.kind !== 'deployment') return;
  const { account, chainId, contractName } = row;
  if (chainId === deps.session.network.chainId) await deps.checkDeployments([account]);
  const subject = contractName ?? toChecksumAddress(account);
  const picked = await pickEvent(subject, await listEventsAt(row, deps));
  if (!picked) return;
  const { block } = row.deployment;
  const deployment = { address: account, chainId, contractName, block };
  await queryDeployment(deps, deployment, picked.event?.declaration);
}

/** The events of a contract; of a proxy, those of all contracts that it has run, too. */
async function listEventsAt(
  { account, chainId, deployment, indexed }: DeploymentNode,
  { contracts, meaning, session }: QueryDeps,
): Promise<readonly QueryableEvent[]> {
  const index = await contracts.index();
  const [live = deployment] = index.deploymentsAt(account, chainId);
  const runs = (live.runs ?? []).flatMap(
    ({ contract }) => (contract && index.contractWithKey(contract)) ?? [],
  );
  const known = [indexed, ...runs];
  if (chainId === session.network.chainId && (runs.length > 0 || known.some(mayBeUpgraded))) {
    const { fetchImplementations } = await meaning();
    for (const address of await fetchImplementations(account, session.connection)) {
      const [earlier] = index.deploymentsAt(address, chainId);
      known.push(earlier && index.contractOf(earlier));
    }
  }
  const events = new Map(known.flatMap(listQueryableEvents).map((event) => [event.declaration, event]));
  return [...events.values()].sort((a, b) => compareValues(a.name, b.name));
}

function mayBeUpgraded(contract: IndexedContract | undefined): boolean {
  return contract?.abi.some(isUpgradeEvent) ?? false;
}

async function pickRow(deps: QueryDeps, node: ContractNode): Promise<DeploymentNode | undefined> {
  const rows = (await deps.childrenOf(node)).filter((row) => row.kind === 'deployment');
  const { contractName } = node;
  const title = vscode.l10n.t('Query Logs of {0}', contractName ?? vscode.l10n.t('Unnamed'));
  const choices = rows.map((row) => {
    const { account: address, chainId, deployment } = row;
    const { block, file, time } = deployment;
    return { ...{ address, chainId, block, file, time, row }, contractName: undefined };
  });
  return (await pickDeployment(await checkDeployments(choices, deps), title, deps))?.row;
}

interface PickedEvent {
  /** Undefined: all events. */
  readonly event: QueryableEvent | undefined;
}

async function pickEvent(
  subject: string,
  events: readonly QueryableEvent[],
): Promise<PickedEvent | undefined> {
  const choices = events.map((event) => ({ label: event.name, description: event.declaration, event }));
  const all = { label: vscode.l10n.t('All Events'), description: '', event: undefined };
  return pickOne<PickedEvent & { label: string; description: string }>([...choices, all], {
    title: vscode.l10n.t('Query Logs of {0}', subject),
    placeHolder: vscode.l10n.t('Choose an event'),
    matchOnDescription: true,
  });
}
