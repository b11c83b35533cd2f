import * as vscode from 'vscode';
import { type Address, groupDigits, toChecksumAddress } from '../../core/index.ts';
import { runCommand } from '../commands.ts';
import { type ChainDeps, confirmChainSwitch, getChainName } from '../session/chains.ts';
import { pickOne } from '../ui/dialogs.ts';

/** A deployment whose logs can be asked for. */
export interface QueriedDeployment {
  readonly address: Address;
  readonly chainId: number;
  readonly contractName: string | undefined;
  /** Undefined where it is not known. */
  readonly block: bigint | undefined;
}

/** The only one of several deployments, or the one that the user picks; undefined when left with Escape. */
export async function pickDeployment<T extends QueriedDeployment>(
  deployments: readonly T[],
  title: string,
  deps: ChainDeps,
): Promise<T | undefined> {
  if (deployments.length < 2) return deployments[0];
  const choices = deployments.map((deployment) => {
    const { address, chainId, contractName, block } = deployment;
    return {
      label: [contractName, getChainName(deps, chainId)].filter((word) => word !== undefined).join(' · '),
      description: toChecksumAddress(address),
      ...(block !== undefined && { detail: vscode.l10n.t('block {0}', groupDigits(block)) }),
      deployment,
    };
  });
  const words = { title, placeHolder: vscode.l10n.t('Choose a deployment'), matchOnDescription: true };
  return (await pickOne(choices, words))?.deployment;
}

/**
 * Asks for the logs of a deployment, or for those of an event as it is declared: at once, from its block on and on its
 * network; what is open is asked for.
 */
export async function queryDeployment(
  deps: ChainDeps,
  { address, chainId, contractName, block }: QueriedDeployment,
  event?: string,
): Promise<void> {
  const checksummed = toChecksumAddress(address);
  if (!(await confirmChainSwitch(deps, chainId, contractName ?? checksummed))) return;
  await runCommand('chainside.queryLogs', {
    address: checksummed,
    ...(event !== undefined && { event }),
    ...(block !== undefined && { fromBlock: block.toString() }),
    run: true,
  });
}
