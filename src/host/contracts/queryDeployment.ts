import * as vscode from 'vscode';
import { type Address, groupDigits, toChecksumAddress } from '../../core/index.ts';
import { runCommand } from '../commands.ts';
import { type ChainDeps, confirmChainSwitch, getChainName } from '../session/chains.ts';
import { pickOne } from '../ui/dialogs.ts';
import { findDistinctFile } from './deploymentFiles.ts';

/** A deployment whose logs can be queried. */
export interface QueriedDeployment {
  readonly address: Address;
  readonly chainId: number;
  readonly contractName: string | undefined;
  readonly block: bigint | undefined;
  /** The file that tells of it, relative to the workspace. */
  readonly file?: string | undefined;
}

/**
 * Runs a query for all logs of a deployment, or for one declared event, on its network. Without a first block, the query
 * starts at that of the deployment once the chain has confirmed it.
 */
export async function queryDeployment(
  deps: ChainDeps,
  { address, chainId, contractName }: QueriedDeployment,
  event?: string,
): Promise<void> {
  const checksummed = toChecksumAddress(address);
  if (!(await confirmChainSwitch(deps, chainId, contractName ?? checksummed))) return;
  await runCommand('chainside.queryLogs', {
    address: checksummed,
    ...(event !== undefined && { event }),
    run: true,
  });
}

/** The only deployment, or the one that the user picks; undefined when they leave with Escape. */
export async function pickDeployment<T extends QueriedDeployment>(
  deployments: readonly T[],
  title: string,
  deps: ChainDeps,
): Promise<T | undefined> {
  if (deployments.length < 2) return deployments[0];
  const choices = deployments.map((deployment) => {
    const { address, chainId, contractName, block } = deployment;
    const file = findDistinctFile(deployment, deployments, (one) => ({
      ...one,
      file: one.file,
      name: one.contractName,
    }));
    const details = [
      file,
      block === undefined ? undefined : vscode.l10n.t('block {0}', groupDigits(block)),
    ].filter((part) => part !== undefined);
    return {
      label: [contractName, getChainName(deps, chainId)].filter((word) => word !== undefined).join(' · '),
      description: toChecksumAddress(address),
      ...(details.length > 0 && { detail: details.join(' · ') }),
      deployment,
    };
  });
  const options = { title, placeHolder: vscode.l10n.t('Choose a deployment'), matchOnDescription: true };
  return (await pickOne(choices, options))?.deployment;
}
