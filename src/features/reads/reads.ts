import * as vscode from 'vscode';
import * as z from 'zod/mini';
import {
  type Address,
  badInput,
  type Clock,
  knownAddresses,
  parseAddress,
  requireAddress,
} from '../../core/index.ts';
import { registerCommand } from '../../host/commands.ts';
import {
  type CheckedDeploymentDeps,
  checkDeployments,
  parseDeploymentChoice,
  pickDeployment,
} from '../../host/contracts/queryDeployment.ts';
import type { WorkspaceContracts } from '../../host/contracts/workspaceContracts.ts';
import { showError } from '../../host/errors.ts';
import type { LogDecoding } from '../../host/logDecoding.ts';
import { askForAddress } from '../../host/names/addressPicker.ts';
import { parseRowArgument } from '../../host/rowArguments.ts';
import { askOnNetwork, type ChainDeps } from '../../host/session/chains.ts';
import { createSessionOperations } from '../../host/sessionOperations.ts';
import { Panels } from '../../host/ui/panels.ts';
import { readsPanelType } from '../../manifest.ts';
import { readsViewStateSchema, viewId } from './protocol.ts';
import type { ReadPanel, ReadPanelDeps, ReadTarget } from './readPanel.ts';

export interface ReadsDeps extends ChainDeps {
  readonly extensionUri: vscode.Uri;
  readonly contracts: WorkspaceContracts;
  /** Loaded with the first use. */
  readonly meaning: () => Promise<LogDecoding>;
  /** Loaded with the first use. */
  readonly names: ReadPanelDeps['names'];
  readonly checkDeployments: CheckedDeploymentDeps['checkDeployments'];
  readonly clock: Clock;
  readonly log: vscode.LogOutputChannel;
  readonly version: string;
}

interface ReadPanels extends vscode.Disposable {
  /** Restores a panel of an earlier window. */
  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
}

/** The panels that read contracts, and their command. */
export function openReadPanels(deps: ReadsDeps): ReadPanels {
  const operations = createSessionOperations(deps);
  const panels = new Panels<ReadPanel, ReadTarget>({
    viewType: readsPanelType,
    title: () => vscode.l10n.t('Read Contract'),
    async fill(panel, target) {
      const { ReadPanel } = await import('./readPanel.ts');
      return new ReadPanel(panel, { ...deps, operations }, target);
    },
    restore(state) {
      const contract = parseAddress(readsViewStateSchema.safeParse(state).data?.address);
      return contract && { asked: { contract }, begin: () => undefined };
    },
    shows: (panel, target) => panel.canShow(target),
    contextKeys: {},
  });

  async function show(argument: unknown, shown: unknown, args: unknown, from: unknown): Promise<void> {
    const choice = parseDeploymentChoice(argument);
    const contract = choice
      ? (
          await pickDeployment(
            await checkDeployments(choice.deployments, deps),
            vscode.l10n.t('Read {0}', choice.name),
            deps,
          )
        )?.address
      : (parseContract(argument) ?? (await askOnNetwork(deps, () => askForContract(deps))));
    if (contract === undefined) return;
    if (!choice) await deps.checkDeployments([contract]);
    const target = {
      contract,
      shown: viewId.safeParse(choice?.shown ?? shown).data,
      args: Arguments.safeParse(args).data,
      from: typeof from === 'string' ? from && requireAddress(from, 'from') : undefined,
    };
    const panel = await panels.open(target);
    panel.show(target);
  }

  const command = registerCommand('chainside.readContract', async (argument, shown, args, from) => {
    try {
      await show(argument, shown, args, from);
    } catch (error) {
      await showError(error, { service: 'endpoint', network: deps.session.network, log: deps.log });
    }
  });
  return {
    restore: (panel, state) => panels.restore(panel, state),
    dispose: () => vscode.Disposable.from(panels, command).dispose(),
  };
}

const Arguments = z.array(z.string().check(z.maxLength(10_000))).check(z.maxLength(64));

/** An address as text, or a row of a tree. @throws AppError `badInput` for another argument. */
function parseContract(argument: unknown): Address | undefined {
  if (argument === undefined || argument === null || argument instanceof vscode.Uri) return undefined;
  if (typeof argument === 'string') return requireAddress(argument, 'contract');
  const row = parseRowArgument(argument);
  const contract = row?.contract ?? row?.account;
  if (contract) return contract;
  throw badInput('contract', 'Expected the address of a contract.');
}

async function askForContract({ names, session }: ReadsDeps): Promise<Address | undefined> {
  const among = { names: await names(), chainId: session.network.chainId };
  const without = knownAddresses.map(({ address }) => address);
  return askForAddress(vscode.l10n.t('Read Contract'), vscode.l10n.t('Address of a contract'), {
    ...among,
    without,
  });
}
