import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { parseAddress, requireAddress, toChecksumAddress } from '../../../core/index.ts';
import { registerCommand, runCommand } from '../../../host/commands/commands.ts';
import {
  pickDeployment,
  type QueriedDeployment,
  queryDeployment,
} from '../../../host/contracts/queryDeployment.ts';
import { type ChainDeps, chainName, explorerOfChain } from '../../../host/session/chains.ts';
import { pickOne } from '../../../host/surface/questions.ts';
import { showError } from '../../../host/words/showError.ts';

interface CommandDeps extends ChainDeps {
  readonly log: vscode.LogOutputChannel;
}

const Deployment = z.object({
  account: z.pipe(
    z.custom<string>((value) => typeof value === 'string' && parseAddress(value) !== undefined),
    z.transform((value: string) => requireAddress(value)),
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
  const deployment = choice && (await pick(choice, deps));
  if (deployment) await queryDeployment(deps, deployment, choice.event);
}

/** Lets the user pick what to do with a deployment, of several with the one picked. */
export async function showDeployments(deps: ChainDeps, argument: unknown): Promise<void> {
  const choice = Choice.safeParse(argument).data;
  const deployment = choice && (await pick(choice, deps));
  if (!deployment) return;
  const action = await pickOne(actionsOn(deployment, deps), {
    title: nameOf(deployment),
    placeHolder: [chainName(deps, deployment.chainId), toChecksumAddress(deployment.address)].join(' · '),
  });
  await action?.run();
}

function pick({ name, deployments }: Choice, deps: ChainDeps): Promise<QueriedDeployment | undefined> {
  const found = deployments.map(({ account, chainId, contractName, fromBlock }) => {
    const block = fromBlock === undefined ? undefined : BigInt(fromBlock);
    return { address: account, chainId, contractName, block };
  });
  return pickDeployment(found, vscode.l10n.t('Deployments of {0}', name), deps);
}

function actionsOn(deployment: QueriedDeployment, deps: ChainDeps) {
  const { l10n } = vscode;
  const account = toChecksumAddress(deployment.address);
  const row = { account, chainId: deployment.chainId, contractName: nameOf(deployment) };
  const explorer = explorerOfChain(deps, deployment.chainId);
  return [
    { label: l10n.t('Query Logs'), run: () => queryDeployment(deps, deployment) },
    { label: l10n.t('Look Up'), run: () => runCommand('chainside.lookUpAddress', row) },
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

function nameOf({ contractName, address }: QueriedDeployment): string {
  return contractName ?? toChecksumAddress(address);
}
