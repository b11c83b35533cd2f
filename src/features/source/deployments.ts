import * as vscode from 'vscode';
import {
  type ContractDeployment,
  formatShortAddress,
  type IndexedDeployment,
  toChecksumAddress,
} from '../../core/index.ts';
import { registerCommand, runCommand } from '../../host/commands.ts';
import { findDistinctFile } from '../../host/contracts/deploymentFiles.ts';
import { createDeploymentComparator } from '../../host/contracts/knownEvents.ts';
import {
  type CheckedDeploymentDeps,
  type ChosenDeployments,
  checkDeployments,
  MAX_FILE_PATH_CHARS,
  parseDeploymentChoice,
  pickDeployment,
  pickDeployments,
  type QueriedDeployment,
  queryDeployment,
  queryDeployments,
} from '../../host/contracts/queryDeployment.ts';
import { showError } from '../../host/errors.ts';
import { parseChainId } from '../../host/names/addressName.ts';
import { formatNumber } from '../../host/numbers.ts';
import { type ChainDeps, findChainExplorer, getChainName } from '../../host/session/chains.ts';
import { pickOne } from '../../host/ui/dialogs.ts';
import type { DeploymentChoice } from '../../manifest.ts';

interface CommandDeps extends CheckedDeploymentDeps {
  readonly log: vscode.LogOutputChannel;
}

/** Registers the commands of lenses and links on the deployments of a contract. */
export function registerDeploymentCommands(deps: CommandDeps): vscode.Disposable {
  const command = (
    id: 'chainside.queryLogsOfDeployment' | 'chainside.showDeployments',
    run: typeof showDeployments,
  ) =>
    registerCommand(id, async (argument) => {
      try {
        await run(deps, argument);
      } catch (error) {
        await showError(error, { service: 'endpoint', network: deps.session.network, log: deps.log });
      }
    });
  return vscode.Disposable.from(
    command('chainside.queryLogsOfDeployment', queryLogsOfDeployment),
    command('chainside.showDeployments', showDeployments),
  );
}

/** Queries the logs of a deployment; the user picks one of several, or all on a chain. */
export async function queryLogsOfDeployment(deps: CheckedDeploymentDeps, argument: unknown): Promise<void> {
  const choice = parseDeploymentChoice(argument);
  if (!choice) return;
  const { name, event } = choice;
  const found = await checkDeployments(choice.deployments, deps);
  const title = vscode.l10n.t('Query Logs of {0}', name);
  // A longer list was cut, and does not have all.
  if (choice.deployments.length >= MAX_OFFERED_DEPLOYMENTS) {
    const deployment = await pickDeployment(found, title, deps);
    if (deployment) await queryDeployment(deps, deployment, event);
    return;
  }
  const picked = (await pickDeployments(found, title, deps)) ?? [];
  const [first] = picked;
  const addresses = [...new Set(picked.map(({ address }) => address))];
  if (first) await queryDeployments(deps, addresses, { name: getName(first), chainId: first.chainId, event });
}

/** Lets the user pick an action on a deployment, after picking one of several. */
export async function showDeployments(deps: CheckedDeploymentDeps, argument: unknown): Promise<void> {
  const choice = parseDeploymentChoice(argument);
  const deployment = choice && (await pickFromChoice(choice, deps));
  if (!deployment) return;
  const action = await pickOne(listActions(deployment, deps), {
    title: getName(deployment),
    placeHolder: [getChainName(deps, deployment.chainId), toChecksumAddress(deployment.address)].join(' · '),
  });
  await action?.run();
}

async function pickFromChoice(
  { name, deployments }: ChosenDeployments,
  deps: CheckedDeploymentDeps,
): Promise<QueriedDeployment | undefined> {
  const found = await checkDeployments(deployments, deps);
  return pickDeployment(found, vscode.l10n.t('Deployments of {0}', name), deps);
}

function listActions(deployment: QueriedDeployment, deps: ChainDeps) {
  const { l10n } = vscode;
  const account = toChecksumAddress(deployment.address);
  const row = { account, chainId: deployment.chainId, contractName: getName(deployment) };
  const explorer = findChainExplorer(deps, deployment.chainId);
  return [
    { label: l10n.t('Query Logs'), run: () => queryDeployment(deps, deployment) },
    { label: l10n.t('Look Up'), run: () => runCommand('chainside.lookUpAddress', row) },
    { label: l10n.t('Compare with Deployed Code…'), run: () => runCommand('chainside.compareCode', row) },
    { label: l10n.t('Watch'), run: () => runCommand('chainside.watchAddress', row) },
    {
      label: l10n.t('Copy Address'),
      run: () => runCommand('chainside.copyAddress', account),
    },
    ...(explorer === undefined
      ? []
      : [
          {
            label: l10n.t('Open in Explorer'),
            description: explorer,
            run: () => runCommand('chainside.openInExplorer', row),
          },
        ]),
  ];
}

function getName({ contractName, address }: QueriedDeployment): string {
  return contractName ?? toChecksumAddress(address);
}

/** Nobody looks through more in a quick pick, or needs more in the argument of a link. */
const MAX_OFFERED_DEPLOYMENTS = 50;

/** `Query Logs of Vault on Sepolia` */
export function formatQueryTitle(deployments: readonly IndexedDeployment[], deps: ChainDeps): string {
  const [only, ...others] = deployments;
  if (!only || others.length > 0) {
    return vscode.l10n.t('Query Logs of {0} Deployments', formatNumber(deployments.length));
  }
  const name = only.contract ?? formatShortAddress(toChecksumAddress(only.address));
  return vscode.l10n.t('Query Logs of {1} on {0}', formatChain(only, deps), name);
}

/** Whether the node of the active chain has no code there. */
export const isMissing = ({ state }: IndexedDeployment) => state === 'missing';

/** `through VaultProxy`, `through 3 proxies`, `implementation only`; undefined if they run the contract themselves. */
export function formatRole(deployments: readonly ContractDeployment[]): string | undefined {
  const [first, ...others] = deployments;
  if (!first || deployments.some(({ role }) => role !== first.role)) return undefined;
  if (first.role === 'implementation') return vscode.l10n.t('implementation only');
  if (first.role === undefined) return undefined;
  // A record may call a proxy as what it runs.
  const name = first.code?.name ?? first.contract ?? formatShortAddress(toChecksumAddress(first.address));
  return others.length === 0
    ? vscode.l10n.t('through {0}', name)
    : vscode.l10n.t('through {0} proxies', formatNumber(deployments.length));
}

/**
 * `Deployed on Sepolia · 0x5FbD…0aa3`, `Deployed on Sepolia · through VaultProxy · 0x5FbD…0aa3`, `Not on Local Node ·
 * 0x5FbD…0aa3`, `3 deployments, 2 not on Local Node`, or `3 deployments, none on Local Node`
 */
export function formatDeployedTitle(deployments: readonly ContractDeployment[], deps: ChainDeps): string {
  const [only, ...others] = deployments;
  if (!only || others.length > 0) {
    const count = vscode.l10n.t('{0} deployments', formatNumber(deployments.length));
    const missing = deployments.filter(isMissing);
    if (!missing[0]) return count;
    if (missing.length === deployments.length)
      return vscode.l10n.t('{0}, none on {1}', count, formatChain(missing[0], deps));
    return vscode.l10n.t('{0}, {1} not on {2}', count, missing.length, formatChain(missing[0], deps));
  }
  const address = formatShortAddress(toChecksumAddress(only.address));
  const chain = formatChain(only, deps);
  if (isMissing(only)) return vscode.l10n.t('Not on {0} · {1}', chain, address);
  const role = formatRole([only]);
  return role === undefined
    ? vscode.l10n.t('Deployed on {0} · {1}', chain, address)
    : vscode.l10n.t('Deployed on {0} · {1} · {2}', chain, role, address);
}

/** Which of several deployments are meant: `newest of 3`, `2 newest of 3`; undefined if all are. */
export function formatNewest(newest: number, all: number): string | undefined {
  if (newest === all) return undefined;
  return newest === 1
    ? vscode.l10n.t('newest of {0}', formatNumber(all))
    : vscode.l10n.t('{0} newest of {1}', formatNumber(newest), formatNumber(all));
}

/** A line each for the first five. */
export function formatDeployments(
  deployments: readonly ContractDeployment[],
  deps: ChainDeps,
): readonly string[] {
  const lines = deployments.slice(0, 5).map((deployment) => {
    const { address, block, contract } = deployment;
    const blockText = block === undefined ? undefined : vscode.l10n.t('block {0}', formatNumber(block));
    const missing = isMissing(deployment) ? vscode.l10n.t('not on this node') : undefined;
    const file = findDistinctFile(deployment, deployments, (one) => ({ ...one, name: one.contract }));
    const chain = formatChain(deployment, deps);
    const parts = [contract, chain, file, missing, toChecksumAddress(address), blockText];
    return parts.filter((part) => part !== undefined).join(' · ');
  });
  return deployments.length > lines.length ? [...lines, '…'] : lines;
}

export function toDeploymentChoice(
  deployments: readonly IndexedDeployment[],
  { name, event, source }: Pick<DeploymentChoice, 'event' | 'name' | 'source'>,
): DeploymentChoice {
  return {
    name,
    ...(source !== undefined && { source }),
    ...(event !== undefined && { event }),
    deployments: deployments
      .slice(0, MAX_OFFERED_DEPLOYMENTS)
      .map(({ address, chainId, contract, block, file, time }) => ({
        account: address,
        chainId: parseChainId(chainId) ?? 0,
        ...(contract !== undefined && { contractName: contract }),
        ...(block !== undefined && { fromBlock: block.toString() }),
        ...(file.length <= MAX_FILE_PATH_CHARS && { file }),
        ...(time !== undefined && { time }),
      })),
  };
}

/** Those on the active chain first. */
export function sortDeployments<T extends IndexedDeployment>(
  deployments: readonly T[],
  { session }: Pick<ChainDeps, 'session'>,
): readonly T[] {
  return [...deployments].sort(createDeploymentComparator(session.network.chainId));
}

function formatChain({ chainId }: IndexedDeployment, deps: ChainDeps): string {
  return getChainName(deps, parseChainId(chainId) ?? 0);
}
