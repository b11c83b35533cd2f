import * as vscode from 'vscode';
import {
  type Address,
  badInput,
  type Clock,
  fetchWrittenState,
  knownAddresses,
  parseAddress,
  requireAddress,
  type StateKind,
} from '../../core/index.ts';
import { registerCommand } from '../../host/commands.ts';
import type { WorkspaceContracts } from '../../host/contracts/workspaceContracts.ts';
import { showError } from '../../host/errors.ts';
import type { LogDecoding } from '../../host/logDecoding.ts';
import type { AddressNames } from '../../host/names/addressNames.ts';
import { askForAddress } from '../../host/names/addressPicker.ts';
import { parseRowArgument } from '../../host/rowArguments.ts';
import { askOnNetwork, type ChainDeps } from '../../host/session/chains.ts';
import { createSessionOperations } from '../../host/sessionOperations.ts';
import { Panels } from '../../host/ui/panels.ts';
import { type CommandId, statePanelType } from '../../manifest.ts';
import { stateCellSchema, stateKinds, stateViewStateSchema } from './protocol.ts';
import type { StatePanel, StatePanelDeps, StateTarget } from './statePanel.ts';

export interface StatesDeps extends ChainDeps {
  readonly extensionUri: vscode.Uri;
  readonly storageUri: vscode.Uri;
  readonly workspaceState: vscode.Memento;
  readonly contracts: WorkspaceContracts;
  /** Loaded with the first use. */
  readonly meaning: () => Promise<LogDecoding>;
  /** Loaded with the first use. */
  readonly names: () => Promise<AddressNames>;
  readonly clock: Clock;
  readonly log: vscode.LogOutputChannel;
  readonly version: string;
}

interface StatePanels extends vscode.Disposable {
  /** Restores a panel of an earlier window. */
  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
}

/** The panels of state rebuilt from logs, and their commands. */
export function openStatePanels(deps: StatesDeps): StatePanels {
  const panels = new Panels<StatePanel, StateTarget>({
    viewType: statePanelType,
    title: ({ kind }) => getTitle(kind),
    async fill(panel, target) {
      const { StatePanel } = await import('./statePanel.ts');
      return new StatePanel(panel, { ...deps, fetchState: createFetchState(deps) }, target);
    },
    restore(saved) {
      const state = stateViewStateSchema.safeParse(saved).data;
      const address = parseAddress(state?.address);
      // It may be of millions of logs: the user loads it again.
      return (
        state && address && { asked: { kind: state.kind, address, restored: state }, begin: () => undefined }
      );
    },
    shows: (panel, target) => panel.shows(target),
    contextKeys: {},
  });

  async function show(kind: StateKind, argument: unknown): Promise<void> {
    const address = parseAddressOf(argument) ?? (await askOnNetwork(deps, () => askFor(kind, deps)));
    if (address === undefined) return;
    (await panels.open({ kind, address })).start();
  }

  const commands = stateKinds.map((kind) =>
    registerCommand(commandIds[kind], async (argument) => {
      try {
        await show(kind, argument);
      } catch (error) {
        await showError(error, { service: 'endpoint', network: deps.session.network, log: deps.log });
      }
    }),
  );
  const registered = vscode.Disposable.from(
    panels,
    ...commands,
    panels.cellCommand('chainside.state.copyRowsAs', stateCellSchema, (panel, cell) =>
      panel.copyRowsAs(cell),
    ),
  );
  return {
    restore: (panel, state) => panels.restore(panel, state),
    dispose: () => registered.dispose(),
  };
}

const commandIds = {
  holders: 'chainside.showHolders',
  roles: 'chainside.showRoles',
  allowances: 'chainside.showAllowances',
} as const satisfies Readonly<Record<StateKind, CommandId>>;

function getTitle(kind: StateKind): string {
  const { l10n } = vscode;
  return { holders: l10n.t('Holders'), roles: l10n.t('Roles'), allowances: l10n.t('Allowances') }[kind];
}

/** An address as text, a row of a tree, or a cell. @throws AppError `badInput` for another argument. */
function parseAddressOf(argument: unknown): Address | undefined {
  if (argument === undefined || argument === null || argument instanceof vscode.Uri) return undefined;
  if (typeof argument === 'string') return requireAddress(argument);
  const row = parseRowArgument(argument);
  const address = row?.contract ?? row?.account;
  if (address) return address;
  throw badInput('address', 'Expected an address.');
}

async function askFor(kind: StateKind, { names, session }: StatesDeps): Promise<Address | undefined> {
  const { l10n } = vscode;
  const prompt =
    kind === 'allowances' ? l10n.t('Address of a token or an owner') : l10n.t('Address of a contract');
  return askForAddress(getTitle(kind), prompt, {
    names: await names(),
    chainId: session.network.chainId,
    without: knownAddresses.map(({ address }) => address),
  });
}

/** Rebuilds state with what the workspace knows of names and deployments. */
function createFetchState(deps: StatesDeps): StatePanelDeps['fetchState'] {
  const operations = createSessionOperations(deps);
  return ({ block, ...query }, connection, { signal, onShare }) =>
    fetchWrittenState({ ...query, block: block.toString() }, operations.depsOf(connection), {
      signal,
      onProgress: ({ share }) => share !== undefined && onShare(share),
    });
}
