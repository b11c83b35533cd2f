import * as vscode from 'vscode';
import {
  formatShortAddress,
  groupDigits,
  type IndexedDeployment,
  toChecksumAddress,
} from '../../../core/index.ts';
import { byPlace } from '../../../host/contracts/deploymentOrder.ts';
import { readChainId } from '../../../host/names/addressName.ts';
import { type ChainDeps, chainName } from '../../../host/session/chains.ts';
import type { DeploymentChoice } from '../../../manifest.ts';

/** Deployments from which one is picked, and arguments of a link: more than these nobody looks through. */
const MOST_OFFERED = 50;

/** What *Query logs* says of where it looks: `Query logs · on Sepolia at Vault`. */
export function queryTitle(deployments: readonly IndexedDeployment[], deps: ChainDeps): string {
  const [only, ...others] = deployments;
  if (!only || others.length > 0) {
    return vscode.l10n.t('Query logs · {0} deployments', groupDigits(deployments.length));
  }
  const name = only.contract ?? formatShortAddress(toChecksumAddress(only.address));
  return vscode.l10n.t('Query logs · on {0} at {1}', chainOf(only, deps), name);
}

/** Where a contract is deployed: `Deployed on Sepolia · 0x5FbD…0aa3`. */
export function deployedTitle(deployments: readonly IndexedDeployment[], deps: ChainDeps): string {
  const [only, ...others] = deployments;
  if (!only || others.length > 0) {
    return vscode.l10n.t('{0} deployments', groupDigits(deployments.length));
  }
  const address = formatShortAddress(toChecksumAddress(only.address));
  return vscode.l10n.t('Deployed on {0} · {1}', chainOf(only, deps), address);
}

/** A line for each deployment, the first few. */
export function deploymentLines(
  deployments: readonly IndexedDeployment[],
  deps: ChainDeps,
): readonly string[] {
  const lines = deployments.slice(0, 5).map((deployment) => {
    const { address, block, contract } = deployment;
    const at = block === undefined ? undefined : vscode.l10n.t('block {0}', groupDigits(block));
    const words = [contract, chainOf(deployment, deps), toChecksumAddress(address), at];
    return words.filter((word) => word !== undefined).join(' · ');
  });
  return deployments.length > lines.length ? [...lines, '…'] : lines;
}

/** The argument of the commands on deployments. */
export function deploymentChoice(
  deployments: readonly IndexedDeployment[],
  { name, event }: Pick<DeploymentChoice, 'name' | 'event'>,
): DeploymentChoice {
  return {
    name,
    ...(event !== undefined && { event }),
    deployments: deployments.slice(0, MOST_OFFERED).map(({ address, chainId, contract, block }) => ({
      account: address,
      chainId: readChainId(chainId) ?? 0,
      ...(contract !== undefined && { contractName: contract }),
      ...(block !== undefined && { fromBlock: block.toString() }),
    })),
  };
}

/** Those of the active chain first. */
export function inOrder(
  deployments: readonly IndexedDeployment[],
  { session }: Pick<ChainDeps, 'session'>,
): readonly IndexedDeployment[] {
  return [...deployments].sort(byPlace(session.network.chainId));
}

function chainOf({ chainId }: IndexedDeployment, deps: ChainDeps): string {
  return chainName(deps, readChainId(chainId) ?? 0);
}
