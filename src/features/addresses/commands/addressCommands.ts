import * as vscode from 'vscode';
import * as z from 'zod/mini';
import {
  type Address,
  formatShortAddress,
  looksLikeAddress,
  sanitizeName,
  teamLabelsPath,
  toChecksumAddress,
} from '../../../core/index.ts';
import { registerCommand, runCommand } from '../../../host/commands.ts';
import type { DeploymentChecks } from '../../../host/contracts/deploymentChecks.ts';
import { showError } from '../../../host/errors.ts';
import { type FileLocation, parseAddressArgument, parseRowArgument } from '../../../host/rowArguments.ts';
import {
  askOnNetwork,
  type ChainDeps,
  confirmChainSwitch,
  findChainExplorer,
  getChainName,
  listChains,
  switchToChain,
} from '../../../host/session/chains.ts';
import { getExplorerLink } from '../../../host/session/networks.ts';
import type { Session } from '../../../host/session/session.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';
import { pickOne, showInputBox, showMessage, showStatusMessage } from '../../../host/ui/dialogs.ts';
import { showFileLocation } from '../../../host/ui/virtualDocuments.ts';
import type { CommandId } from '../../../manifest.ts';
import {
  type ActiveNames,
  type AddressBook,
  MAX_ADDRESS_LABEL_CHARS,
  MAX_LABELS,
  MAX_WATCHED,
} from '../addressBook.ts';
import { refreshHover } from '../hover/hoverContent.ts';
import { getLabelFile, pickLabelFolder, showNotALabelFile } from './labelFolder.ts';
import { askForAnyAddress, findAddressUnderCursor, pickAddress } from './pickAddress.ts';

interface AddressCommandDeps {
  readonly session: Session;
  readonly settings: SettingsService;
  readonly book: AddressBook;
  readonly active: ActiveNames;
  readonly log: vscode.LogOutputChannel;
  readonly checkDeployments: DeploymentChecks['checkChosen'];
  /** Shows `address` in the view and loads its holdings. */
  readonly show: (address: Address) => Promise<void>;
}

/** `given`: the arguments of the command. */
type Act = (address: Address, ...args: readonly unknown[]) => unknown;

/** Registers the commands on an address: the argument, or the one under the cursor, or one that the user enters. */
export function registerAddressCommands(deps: AddressCommandDeps): vscode.Disposable {
  const { session, book } = deps;

  function command(id: CommandId, ask: () => Promise<Address | undefined>, act: Act): vscode.Disposable {
    return registerCommand(id, async (...args) => {
      try {
        const address =
          parseAddressArgument(args[0]) ?? findAddressUnderCursor() ?? (await askOnNetwork(deps, ask));
        if (address) await act(address, ...args);
      } catch (error) {
        await showError(error, { service: 'endpoint', network: session.network, log: deps.log });
      }
    });
  }

  /** Runs an action on the chain of a row, after the user has agreed to switch to it. */
  const onChainOfRow =
    (act: Act): Act =>
    async (address, ...args) => {
      const { chainId, contractName } = parseRowArgument(args[0]) ?? {};
      const subject = contractName ?? formatShortAddress(toChecksumAddress(address));
      if (chainId === undefined || (await confirmChainSwitch(deps, chainId, subject)))
        await act(address, ...args);
    };

  const askWithTitle = (title: string) => () => askForAnyAddress(title, deps);
  return vscode.Disposable.from(
    command(
      'chainside.lookUpAddress',
      askWithTitle(vscode.l10n.t('Look Up Address')),
      onChainOfRow(async (address) => {
        // The name and the view change once the chain has answered.
        void deps.checkDeployments([address]);
        await deps.show(address);
      }),
    ),
    command(
      'chainside.watchAddress',
      () => askForAnyAddress(vscode.l10n.t('Watch Address'), { ...deps, without: book.watched }),
      onChainOfRow((address, _, hovered) => refreshAfter(watch(deps, address), hovered)),
    ),
    command(
      'chainside.unwatchAddress',
      () => pickWatched(deps),
      (address, _, hovered) => refreshAfter(book.unwatch(address), hovered),
    ),
    command(
      'chainside.labelAddress',
      askWithTitle(vscode.l10n.t('Label Address')),
      async (address, row, label) => {
        const place = typeof label === 'string' ? 'mine' : await pickLabelPlace();
        if (place === 'team') return labelForTeam(deps, address);
        const chainId = parseRowArgument(row)?.chainId ?? session.network.chainId;
        if (place === 'mine') return setLabel(book, { address, chainId }, label);
      },
    ),
    command('chainside.labelForTeam', askWithTitle(vscode.l10n.t('Label Address for the Team')), (address) =>
      labelForTeam(deps, address),
    ),
    registerCommand('chainside.setUnit', async (target) => {
      try {
        const { setUnit } = await import('./setUnit.ts');
        await setUnit(target, deps);
      } catch (error) {
        await showError(error, { service: 'endpoint', network: session.network, log: deps.log });
      }
    }),
    command(
      'chainside.useAsDeployment',
      askWithTitle(vscode.l10n.t('Use as a Deployment')),
      async (address, row) => {
        const { useAsDeployment } = await import('./useAsDeployment.ts');
        await useAsDeployment(deps, address, parseRowArgument(row)?.chainId ?? session.network.chainId);
      },
    ),
    registerCommand('chainside.showTokensInHovers', async (choice, hovered) => {
      const shown = z.enum(['show', 'hide']).safeParse(choice).data;
      if (shown === undefined) return;
      const settings = vscode.workspace.getConfiguration('chainside');
      const provider = shown === 'show' ? 'autoWithHovers' : 'autoWithoutHovers';
      await settings.update('sources.tokens', provider, vscode.ConfigurationTarget.Global);
      await refreshHover(hovered);
    }),
    command('chainside.copyAddress', askWithTitle(vscode.l10n.t('Copy Address')), (address) =>
      runCommand('chainside.copyValue', toChecksumAddress(address)),
    ),
    command('chainside.openInExplorer', askWithTitle(vscode.l10n.t('Open in Explorer')), (address, row) =>
      openInExplorer(deps, address, parseRowArgument(row)?.chainId ?? session.network.chainId),
    ),
    command(
      'chainside.queryLogsOfAddress',
      askWithTitle(vscode.l10n.t('Query Logs')),
      onChainOfRow((address) => runCommand('chainside.queryLogs', { address: toChecksumAddress(address) })),
    ),
  );
}

/** Refreshes the hover whose link was followed. */
async function refreshAfter(done: Promise<void>, hovered: unknown): Promise<void> {
  await done;
  await refreshHover(hovered);
}

async function watch({ book, active }: AddressCommandDeps, address: Address): Promise<void> {
  if (await book.watch(address)) {
    const name = active.name(address) ?? formatShortAddress(toChecksumAddress(address));
    showStatusMessage(vscode.l10n.t('Watching {0}', name), 3000);
    return;
  }
  void showMessage(
    'warning',
    vscode.l10n.t('You can watch at most {0} addresses. Stop watching one first.', MAX_WATCHED),
  );
}

function pickWatched({ book, active }: AddressCommandDeps): Promise<Address | undefined> {
  return pickAddress(book, {
    active,
    title: vscode.l10n.t('Stop Watching Address'),
    placeHolder: vscode.l10n.t('Choose an address'),
    choices: ({ watched }) => watched,
    ifNone: vscode.l10n.t('No addresses are watched on this network.'),
  });
}

async function openInExplorer(deps: AddressCommandDeps, address: Address, chainId: number): Promise<void> {
  const { network } = deps.session;
  const explorerUrl = network.chainId === chainId ? network.explorerUrl : findChainExplorer(deps, chainId);
  const page = getExplorerLink(explorerUrl, 'address', toChecksumAddress(address));
  if (page) await vscode.env.openExternal(vscode.Uri.parse(page, true));
  else
    void showMessage(
      'information',
      vscode.l10n.t('{0} has no explorer website.', getChainName(deps, chainId)),
    );
}

/** Opens the line of the file in which an address appears, or from which it is deployed. */
export function registerGoToPlace(): vscode.Disposable {
  return registerCommand('chainside.goToPlace', async (argument) => {
    const place = parseRowArgument(argument)?.place ?? parseLinkedPlace(argument);
    if (place) await showFileLocation(place);
  });
}

/** A place as a hover link encodes it. */
const LinkedPlaceSchema = z.object({ file: z.string(), line: z.int().check(z.minimum(0)) });

/** Only files of the workspace: a link may come from anywhere. */
function parseLinkedPlace(argument: unknown): FileLocation | undefined {
  const place = LinkedPlaceSchema.safeParse(argument).data;
  if (!place) return undefined;
  const uri = vscode.Uri.parse(place.file);
  return vscode.workspace.getWorkspaceFolder(uri) && { uri, line: place.line };
}

interface SwitchDeps extends ChainDeps {
  readonly active: ActiveNames;
  readonly log: vscode.LogOutputChannel;
}

const ChainIdSchema = z.int().check(z.minimum(1));

/** Switches to the chain passed, to that of a row, or to one on which something is deployed at the address passed. */
export function registerSwitchToChain(deps: SwitchDeps): vscode.Disposable {
  return registerCommand('chainside.switchToChain', async (where) => {
    try {
      const chainId =
        ChainIdSchema.safeParse(where).data ??
        parseRowArgument(where)?.chainId ??
        (await pickChain(deps, where));
      if (chainId !== undefined) await switchToChain(deps, chainId);
    } catch (error) {
      await showError(error, { service: 'endpoint', network: deps.session.network, log: deps.log });
    }
  });
}

async function pickChain(deps: SwitchDeps, argument: unknown): Promise<number | undefined> {
  const address = parseAddressArgument(argument);
  const { names, chainId } = deps.active;
  const chains = address ? listChains(names.elsewhere(address, chainId)) : [];
  if (chains.length < 2) return chains[0];
  const choices = chains.map((chain) => ({
    label: getChainName(deps, chain),
    description: vscode.l10n.t('chain {0}', String(chain)),
    chain,
  }));
  const options = {
    title: vscode.l10n.t('Switch Network'),
    placeHolder: vscode.l10n.t('Deployed on several networks'),
  };
  return (await pickOne(choices, options))?.chain;
}

/** Where a label goes: the user picks, if the workspace can keep labels of the team; undefined if cancelled. */
async function pickLabelPlace(): Promise<'mine' | 'team' | undefined> {
  if (!vscode.workspace.isTrusted || vscode.workspace.workspaceFolders === undefined) return 'mine';
  const places = [
    {
      label: vscode.l10n.t('For You'),
      description: vscode.l10n.t('on this computer'),
      place: 'mine' as const,
    },
    { label: vscode.l10n.t('For the Team'), description: teamLabelsPath, place: 'team' as const },
  ];
  const options = {
    title: vscode.l10n.t('Label Address'),
    placeHolder: vscode.l10n.t('Choose where to save the label'),
  };
  return (await pickOne(places, options))?.place;
}

/** Labels an address on a chain, with the argument or an entered label. */
export async function setLabel(
  book: AddressBook,
  { address, chainId }: { readonly address: Address; readonly chainId: number },
  label: unknown,
): Promise<void> {
  const text =
    typeof label === 'string'
      ? label
      : await askForLabel(vscode.l10n.t('Label Address'), address, await book.labelOn(chainId, address));
  if (text === undefined) return;
  if (looksLikeAddress(text)) {
    void showMessage('warning', formatAddressAsLabel());
    return;
  }
  if (await book.setLabel(address, text, chainId)) return;
  void showMessage(
    'warning',
    vscode.l10n.t('You can label at most {0} addresses. Remove a label first.', MAX_LABELS),
  );
}

/** Writes a label into the label file of the workspace, which the team shares. */
export async function labelForTeam(
  { active, session }: { readonly active: ActiveNames; readonly session: Session },
  address: Address,
): Promise<void> {
  const title = vscode.l10n.t('Label Address for the Team');
  const folder = await pickLabelFolder(title);
  if (!folder) return;
  await active.ready();
  const { network } = session;
  const present = active.names
    .namesOf(address, network.chainId)
    .find(({ provider, file }) => provider === 'label' && file === active.names.pathOf(getLabelFile(folder)));
  const label = await askForLabel(title, address, present?.name ?? active.name(address));
  if (label === undefined) return;
  const everywhere = {
    label: vscode.l10n.t('Every chain'),
    description: vscode.l10n.t('for contracts with the same address on every chain'),
    chainId: undefined,
  };
  const here = {
    label: vscode.l10n.t('{0} only', network.name),
    description: vscode.l10n.t('chain {0}', String(network.chainId)),
    chainId: network.chainId,
  };
  const chain = await pickOne<typeof everywhere | typeof here>([here, everywhere], {
    title,
    placeHolder:
      label.trim() === '' ? vscode.l10n.t('Remove the label from') : vscode.l10n.t('Use this label on'),
  });
  if (!chain) return;
  const name = sanitizeName(label, MAX_ADDRESS_LABEL_CHARS);
  if (await active.names.team.write(folder, { address, name, chainId: chain.chainId })) return;
  await showNotALabelFile(active, folder);
}

/** Undefined if cancelled. */
function askForLabel(
  title: string,
  address: Address,
  present: string | undefined,
): Thenable<string | undefined> {
  return showInputBox({
    title,
    prompt: vscode.l10n.t('Label for {0}. Leave empty to remove the label.', toChecksumAddress(address)),
    value: present ?? '',
    validateInput(text) {
      if (looksLikeAddress(text)) return formatAddressAsLabel();
      return text.trim().length > MAX_ADDRESS_LABEL_CHARS
        ? vscode.l10n.t('A label can have at most {0} characters.', MAX_ADDRESS_LABEL_CHARS)
        : undefined;
    },
  });
}

function formatAddressAsLabel(): string {
  return vscode.l10n.t('A label cannot look like an address, as it is shown in place of one. Use a name.');
}
