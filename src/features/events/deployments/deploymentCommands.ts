import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { groupDigits, parseAddress, toChecksumAddress } from '../../../core/index.ts';
import { registerCommand, runCommand } from '../../../host/commands/commands.ts';
import { agreesToChain, type ChainDeps, chainName, explorerOfChain } from '../../../host/session/chains.ts';
import { pickOne } from '../../../host/surface/questions.ts';
import { showError } from '../../../host/words/showError.ts';

export interface CommandDeps extends ChainDeps {
  readonly log: vscode.LogOutputChannel;
}

const Deployment = z.object({
  account: z.pipe(
    z.custom<string>((value) => typeof value === 'string' && parseAddress(value) !== undefined),
    z.transform(toChecksumAddress),
  ),
  chainId: z.int().check(z.minimum(1)),
  contractName: z.optional(z.string()),
  fromBlock: z.optional(z.string().check(z.regex(/^\d{1,20}$/))),
});
const Choice = z.object({
  name: z.string(),
  event: z.optional(z.string()),
  deployments: z.array(Deployment),
});
type Deployment = z.infer<typeof Deployment>;
type Choice = z.infer<typeof Choice>;

/** What lenses and links do with the deployments of a contract. */
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

/** Queries logs of a deployment, of several the one that the user picks. */
export async function queryLogsOfDeployment(deps: ChainDeps, argument: unknown): Promise<void> {
  const choice = Choice.safeParse(argument).data;
  const deployment = choice && (await pickDeployment(choice, deps));
  if (deployment) await queryLogs(deps, deployment, choice.event);
}

/** Lets the user pick what to do with a deployment, of several with the one picked. */
export async function showDeployments(deps: ChainDeps, argument: unknown): Promise<void> {
  const choice = Choice.safeParse(argument).data;
  const deployment = choice && (await pickDeployment(choice, deps));
  if (!deployment) return;
  const action = await pickOne(actionsOn(deployment, deps), {
    title: nameOf(deployment),
    placeHolder: [chainName(deps, deployment.chainId), deployment.account].join(' · '),
  });
  await action?.run();
}

/** Runs the query at once, from the block of the deployment on and on its network: what is open is asked for. */
async function queryLogs(deps: ChainDeps, deployment: Deployment, event?: string): Promise<void> {
  const { account, chainId, fromBlock } = deployment;
  if (!(await agreesToChain(deps, chainId, nameOf(deployment)))) return;
  await runCommand('chainside.queryLogs', {
    address: account,
    ...(event !== undefined && { event }),
    ...(fromBlock !== undefined && { fromBlock }),
    run: true,
  });
}

async function pickDeployment(
  { name, deployments }: Choice,
  deps: ChainDeps,
): Promise<Deployment | undefined> {
  if (deployments.length < 2) return deployments[0];
  const choices = deployments.map((deployment) => {
    const { account, chainId, contractName, fromBlock } = deployment;
    return {
      label: [contractName, chainName(deps, chainId)].filter((word) => word !== undefined).join(' · '),
      description: account,
      ...(fromBlock !== undefined && { detail: vscode.l10n.t('block {0}', groupDigits(BigInt(fromBlock))) }),
      deployment,
    };
  });
  const words = {
    title: vscode.l10n.t('Deployments of {0}', name),
    placeHolder: vscode.l10n.t('Choose a deployment'),
    matchOnDescription: true,
  };
  return (await pickOne(choices, words))?.deployment;
}

function actionsOn(deployment: Deployment, deps: ChainDeps) {
  const { l10n } = vscode;
  const row = { account: deployment.account, chainId: deployment.chainId, contractName: nameOf(deployment) };
  const explorer = explorerOfChain(deps, deployment.chainId);
  return [
    { label: l10n.t('Query Logs'), run: () => queryLogs(deps, deployment) },
    { label: l10n.t('Look Up'), run: () => runCommand('chainside.lookUpAddress', row) },
    { label: l10n.t('Watch'), run: () => runCommand('chainside.watchAddress', row) },
    {
      label: l10n.t('Copy Address'),
      run: () => runCommand('chainside.copyAddress', deployment.account),
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

function nameOf({ contractName, account }: Deployment): string {
  return contractName ?? account;
}
