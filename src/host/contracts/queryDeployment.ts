import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { type Address, parseAddress, requireAddress, toChecksumAddress } from '../../core/index.ts';
import { runCommand } from '../commands.ts';
import { formatPlacedAge } from '../formatTime.ts';
import { formatNumber } from '../numbers.ts';
import { type ChainDeps, confirmChainSwitch, getChainName } from '../session/chains.ts';
import { pickOne, showStatusMessage } from '../ui/dialogs.ts';
import type { DeploymentChecks } from './deploymentChecks.ts';
import { findDistinctFile } from './deploymentFiles.ts';
import { createDeploymentComparator } from './knownEvents.ts';
import type { WorkspaceContracts } from './workspaceContracts.ts';

/** A deployment whose logs can be queried. */
export interface QueriedDeployment {
  readonly address: Address;
  readonly chainId: number;
  readonly contractName: string | undefined;
  readonly block: bigint | undefined;
  /** The file that tells of it, relative to the workspace. */
  readonly file?: string | undefined;
  /** When its tool deployed it, in milliseconds. */
  readonly time?: number | undefined;
}

/** Longest path of a file in the argument of a command. */
export const MAX_FILE_PATH_CHARS = 1000;
const text = z.string().check(z.maxLength(MAX_FILE_PATH_CHARS));

const ChosenDeployment = z.object({
  account: z.pipe(
    text.check(z.refine((account) => parseAddress(account) !== undefined)),
    z.transform((account: string) => requireAddress(account)),
  ),
  chainId: z.int().check(z.minimum(1)),
  ...{ contractName: z.optional(text), file: z.optional(text), time: z.optional(z.int()) },
  fromBlock: z.optional(z.string().check(z.regex(/^\d{1,20}$/))),
});
const Choice = z.object({
  ...{
    name: z.string(),
    event: z.optional(z.string()),
    shown: z.optional(z.string()),
    source: z.optional(text),
  },
  deployments: z.array(ChosenDeployment).check(z.maxLength(100)),
});

/** The deployments of a lens or a link; undefined for another argument. */
export interface ChosenDeployments extends Omit<z.infer<typeof Choice>, 'deployments'> {
  readonly deployments: readonly QueriedDeployment[];
}

/** Long enough to be read. */
const STATUS_MS = 5_000;

export interface CheckedDeploymentDeps extends ChainDeps {
  readonly contracts: Pick<WorkspaceContracts, 'index'>;
  readonly checkDeployments: DeploymentChecks['checkChosen'];
}

/**
 * The deployments of a lens or a link as they are on the active chain, if that has any of them, the newest first. On a chain
 * of another machine it is asked now.
 */
export async function checkDeployments<T extends QueriedDeployment>(
  deployments: readonly T[],
  { session, contracts, checkDeployments: check }: CheckedDeploymentDeps,
): Promise<readonly T[]> {
  const { chainId, name } = session.network;
  const here = deployments.filter((one) => one.chainId === chainId);
  await check(here.map(({ address }) => address));
  const index = await contracts.index();
  const isAbsent = ({ address }: T) =>
    index.deploymentRecordsAt(address, chainId).length > 0 &&
    index.deploymentsAt(address, chainId).length === 0;
  const found = here.filter((one) => !isAbsent(one));
  if (found.length === 0) return deployments;
  if (found.length < here.length) {
    const count = vscode.l10n.t('{0} deployments', formatNumber(here.length));
    const missing = formatNumber(here.length - found.length);
    showStatusMessage(vscode.l10n.t('{0}, {1} not on {2}', count, missing, name), STATUS_MS);
  }
  const live = new Map(
    found.flatMap(({ address }) =>
      index.deploymentsAt(address, chainId).map((one) => [address, one] as const),
    ),
  );
  const compare = createDeploymentComparator(chainId);
  const order = (a: T, b: T) => {
    const [one, other] = [live.get(a.address), live.get(b.address)];
    return one && other ? compare(one, other) : 0;
  };
  return [
    ...found.toSorted(order).map((one) => ({ ...one, block: live.get(one.address)?.block ?? one.block })),
    ...deployments.filter((one) => one.chainId !== chainId),
  ];
}

/** Parses the argument of a command on the deployments of a contract. */
export function parseDeploymentChoice(argument: unknown): ChosenDeployments | undefined {
  const choice = Choice.safeParse(argument).data;
  return (
    choice && {
      ...choice,
      deployments: choice.deployments.map(({ account, fromBlock, contractName, ...others }) => ({
        ...{ ...others, address: account, contractName },
        block: fromBlock === undefined ? undefined : BigInt(fromBlock),
      })),
    }
  );
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
  await queryDeployments(deps, [address], {
    name: contractName ?? toChecksumAddress(address),
    chainId,
    event,
  });
}

/** As {@link queryDeployment}, for several deployments on one chain together. */
export async function queryDeployments(
  deps: ChainDeps,
  addresses: readonly Address[],
  {
    name,
    chainId,
    event,
  }: { readonly name: string; readonly chainId: number; readonly event: string | undefined },
): Promise<void> {
  if (!(await confirmChainSwitch(deps, chainId, name))) return;
  const [only, ...others] = addresses.map(toChecksumAddress);
  await runCommand('chainside.queryLogs', {
    ...(only !== undefined && { address: others.length === 0 ? only : [only, ...others] }),
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
  const options = { title, placeHolder: vscode.l10n.t('Choose a deployment'), matchOnDescription: true };
  return (await pickOne(listChoices(deployments, deps), options))?.deployments[0];
}

/** As {@link pickDeployment}, where all deployments on a chain can be picked together. */
export async function pickDeployments<T extends QueriedDeployment>(
  deployments: readonly T[],
  title: string,
  deps: ChainDeps,
): Promise<readonly T[] | undefined> {
  if (deployments.length < 2) return deployments;
  const options = { title, placeHolder: vscode.l10n.t('Choose a deployment'), matchOnDescription: true };
  const choices = [...listTogether(deployments, deps), ...listChoices(deployments, deps)];
  return (await pickOne(choices, options))?.deployments;
}

interface Choice<T> {
  readonly label: string;
  readonly description: string;
  readonly detail?: string;
  readonly deployments: readonly T[];
}

function listChoices<T extends QueriedDeployment>(
  deployments: readonly T[],
  deps: ChainDeps,
): readonly Choice<T>[] {
  return deployments.map((deployment) => {
    const { address, chainId, contractName, block, time } = deployment;
    const file = findDistinctFile(deployment, deployments, (one) => ({
      ...{ chainId: one.chainId, name: one.contractName, file: one.file },
    }));
    const details = [formatPlacedAge({ block, time }, vscode.l10n), file].filter(
      (part) => part !== undefined,
    );
    return {
      label: [contractName, getChainName(deps, chainId)].filter((word) => word !== undefined).join(' · '),
      description: toChecksumAddress(address),
      ...(details.length > 0 && { detail: details.join(' · ') }),
      deployments: [deployment],
    };
  });
}

/** One for each chain with several deployments. */
function listTogether<T extends QueriedDeployment>(
  deployments: readonly T[],
  deps: ChainDeps,
): readonly Choice<T>[] {
  const chains = [...new Set(deployments.map(({ chainId }) => chainId))];
  return chains.flatMap((chainId) => {
    const together = deployments.filter((deployment) => deployment.chainId === chainId);
    const count = new Set(together.map(({ address }) => address)).size;
    if (count < 2) return [];
    const label = vscode.l10n.t('All Deployments on {0}', getChainName(deps, chainId));
    return [{ label, description: formatNumber(count), deployments: together }];
  });
}
