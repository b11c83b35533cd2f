import * as vscode from 'vscode';
import { toChecksumAddress } from '../../../core/index.ts';
import type { QueryableEvent } from '../../../host/contracts/queryableEvents.ts';
import { pickDeployment, queryDeployment } from '../../../host/contracts/queryDeployment.ts';
import type { ChainDeps } from '../../../host/session/chains.ts';
import { pickOne } from '../../../host/surface/questions.ts';
import { eventsOf } from '../tree/contractEvents.ts';
import type { ContractNode, ContractsNode, DeploymentNode } from '../tree/contractNodes.ts';

interface QueryDeps extends ChainDeps {
  readonly childrenOf: (node: ContractNode) => Promise<readonly ContractsNode[]>;
}

/** Asks for the logs of an event of a deployment, of several the one that the user picks. */
export async function queryContractLogs(deps: QueryDeps, node: ContractsNode): Promise<void> {
  const row = node.kind === 'contract' ? await pickRow(deps, node) : node;
  if (row?.kind !== 'deployment') return;
  const { parent, account, chainId, contractName } = row;
  const subject = contractName ?? toChecksumAddress(account);
  const picked = await pickEvent(subject, eventsOf(parent.contract));
  if (!picked) return;
  const { block } = row.deployment;
  const deployment = { address: account, chainId, contractName, block };
  await queryDeployment(deps, deployment, picked.event?.declaration);
}

async function pickRow(deps: QueryDeps, node: ContractNode): Promise<DeploymentNode | undefined> {
  const rows = (await deps.childrenOf(node)).filter((row) => row.kind === 'deployment');
  const { contractName } = node;
  const title = vscode.l10n.t('Query Logs of {0}', contractName ?? vscode.l10n.t('Unnamed'));
  const choices = rows.map((row) => {
    const { account: address, chainId, deployment } = row;
    return { address, chainId, block: deployment.block, contractName: undefined, row };
  });
  return (await pickDeployment(choices, title, deps))?.row;
}

interface PickedEvent {
  /** Undefined: logs of all events. */
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
