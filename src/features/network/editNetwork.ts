import * as vscode from 'vscode';
import { builtInNetworks, type Network } from '../../core/index.ts';
import { parseRowArgument } from '../../host/rowArguments.ts';
import { isEndpointId } from '../../host/settings/settingTable.ts';
import { type PickItem, pickOne, showModal } from '../../host/ui/dialogs.ts';
import { toNetwork } from './networkFields.ts';
import { showNetworkPage } from './networkPage.ts';
import { type NetworkDeps, storeSecret } from './secretInput.ts';

/** Edits the network with the ID passed, or the active one for a row, or one that the user picks. */
export async function editNetwork(deps: NetworkDeps, which?: unknown): Promise<void> {
  const { l10n } = vscode;
  const { settings } = deps;
  const title = l10n.t('Edit Network');
  const editable = settings.current.networks.filter(({ id }) => !isEndpointId(id));
  const network = findNetwork(deps, editable, which) ?? (await pickNetwork(editable, title));
  if (!network) return;
  const page = {
    title: l10n.t('Edit {0}', network.name),
    hasBack: false,
    untested: '',
    actions: [{ act: 'save', label: l10n.t('Save'), icon: 'check' }],
  };
  const result = await showNetworkPage(deps, page, { draft: network, facts: undefined });
  const edited = result && result !== 'back' && toNetwork(result.draft, editable);
  if (!edited) return;
  if (result.typed && !(await storeSecret(deps, result.typed))) return;
  await settings.saveNetwork(edited);
}

/** Removes a network from the user's settings after confirmation. If it was active, no network is active afterwards. */
export async function removeNetwork(deps: NetworkDeps, which?: unknown): Promise<void> {
  const { l10n } = vscode;
  const { settings, session } = deps;
  const ids = settings.writtenIds;
  const isBuiltInId = (id: string) => builtInNetworks.some((network) => network.id === id);
  const removable = settings.current.networks.filter(
    ({ id }) => ids.includes(id) || !(isBuiltInId(id) || isEndpointId(id)),
  );
  const title = l10n.t('Remove Network');
  const network = findNetwork(deps, removable, which) ?? (await pickNetwork(removable, title));
  if (!network) return;
  const isBuiltIn = isBuiltInId(network.id);
  const remove = isBuiltIn ? l10n.t('Reset') : l10n.t('Remove');
  const message = isBuiltIn
    ? l10n.t('Reset {0} to its built-in settings?', network.name)
    : l10n.t('Remove {0} from your settings?', network.name);
  const isLost = session.isChosen && network.id === session.network.id && !isBuiltIn;
  const detail = isLost ? l10n.t('This is the active network. Choose another one afterwards.') : '';
  if ((await showModal(message, detail, remove)) === remove) await settings.removeNetwork(network);
}

/** The network with the ID passed, or the active one if a row is passed. */
function findNetwork(
  { session }: NetworkDeps,
  networks: readonly Network[],
  which: unknown,
): Network | undefined {
  const id = parseRowArgument(which) ? session.network.id : which;
  return networks.find((network) => network.id === id);
}

async function pickNetwork(networks: readonly Network[], title: string): Promise<Network | undefined> {
  const choices = networks.map((network): PickItem & { network: Network } => ({
    label: network.name,
    description: vscode.l10n.t('chain {0}', network.chainId),
    network,
  }));
  const placeHolder =
    choices.length === 0
      ? vscode.l10n.t('You have not added any networks')
      : vscode.l10n.t('Choose a network');
  return (await pickOne(choices, { title, placeHolder, matchOnDescription: true }))?.network;
}
