import * as vscode from 'vscode';
import { groupDigits, toChecksumAddress } from '../../../core/index.ts';
import { runCommand } from '../../../host/commands/commands.ts';
import { agreesToChain, type ChainDeps, chainName } from '../../../host/session/chains.ts';
import { pickOne } from '../../../host/surface/questions.ts';
import { type ContractEvent, eventsOf } from '../tree/contractEvents.ts';
import type { ContractNode, ContractsNode, DeploymentNode } from '../tree/contractNodes.ts';

interface QueryDeps extends ChainDeps {
  readonly childrenOf: (node: ContractNode) => Promise<readonly ContractsNode[]>;
}

/** Asks for the logs of an event of a deployment, from its block on and on its network; what is open is asked for. */
export async function queryContractLogs(deps: QueryDeps, node: ContractsNode): Promise<void> {
  const deployment = node.kind === 'contract' ? await pickDeployment(deps, node) : node;
  if (deployment?.kind !== 'deployment') return;
  const { parent, account, chainId } = deployment;
  const address = toChecksumAddress(account);
  const subject = parent.contractName ?? address;
  const picked = await pickEvent(subject, eventsOf(parent.contract));
  if (!picked || !(await agreesToChain(deps, chainId, subject))) return;
  const { block } = deployment.deployment;
  await runCommand('chainside.queryLogs', {
    address,
    ...(picked.event && { event: picked.event.declaration }),
    ...(block !== undefined && { fromBlock: block.toString() }),
    run: true,
  });
}

async function pickDeployment(deps: QueryDeps, node: ContractNode): Promise<DeploymentNode | undefined> {
  const rows = await deps.childrenOf(node);
  const deployments = rows.filter((row) => row.kind === 'deployment');
  if (deployments.length < 2) return deployments[0];
  const choices = deployments.map((row) => ({
    label: chainName(deps, row.chainId),
    description: toChecksumAddress(row.account),
    ...(row.deployment.block !== undefined && {
      detail: vscode.l10n.t('block {0}', groupDigits(row.deployment.block)),
    }),
    row,
  }));
  const picked = await pickOne(choices, {
    title: vscode.l10n.t('Query Logs of {0}', node.contractName ?? vscode.l10n.t('Without a name')),
    placeHolder: vscode.l10n.t('Choose a deployment'),
    matchOnDescription: true,
  });
  return picked?.row;
}

interface PickedEvent {
  /** Undefined: logs of all events. */
  readonly event: ContractEvent | undefined;
}

async function pickEvent(
  subject: string,
  events: readonly ContractEvent[],
): Promise<PickedEvent | undefined> {
  const choices = events.map((event) => ({ label: event.name, description: event.declaration, event }));
  const all = { label: vscode.l10n.t('All Events'), description: '', event: undefined };
  return pickOne<PickedEvent & { label: string; description: string }>([...choices, all], {
    title: vscode.l10n.t('Query Logs of {0}', subject),
    placeHolder: vscode.l10n.t('Choose an event'),
    matchOnDescription: true,
  });
}
