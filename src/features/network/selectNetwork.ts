import * as vscode from 'vscode';
import type { Network } from '../../core/index.ts';
import { readRow } from '../../host/commands/rowArguments.ts';
import { endpointsOfWorkspace } from '../../host/settings/foundryFiles.ts';
import { openList } from '../../host/surface/lists/openList.ts';
import { showMessage } from '../../host/surface/messages.ts';
import { addAtGateway, addNetwork } from './addNetwork.ts';
import type { NetworkDeps } from './deps.ts';
import { networkOf, withEndpoint } from './describedNetwork.ts';
import { editNetwork, removeNetwork } from './editNetwork.ts';
import { offerToMoveKey } from './keepSecret.ts';
import { findLocalNode, localNodeUrl } from './localNode.ts';
import { type Choosable, type FoundHere, type NetworkChoice, networkChoices } from './networkChoices.ts';
import { atPublicEndpoint } from './publicEndpoint.ts';
import { selectEndpoint } from './selectEndpoint.ts';

/** Makes the network with `id` the active one, or lets the user pick one: also where a row of a view is handed over. */
export async function selectNetwork(deps: NetworkDeps, id: unknown): Promise<void> {
  if (id === undefined || readRow(id)) return pickNetwork(deps);
  const network = deps.settings.current.networks.find((known) => known.id === id);
  if (network) return deps.settings.selectNetwork(network);
  const name = typeof id === 'string' ? id : '';
  void showMessage('error', vscode.l10n.t('No network has the id “{0}”.', name));
}

/** How long the list waits for what must be found: what is near takes milliseconds. */
const FIND_MS = 1000;
/** The same, once the user chose to wait. */
const FIND_AGAIN_MS = 15_000;

async function pickNetwork(deps: NetworkDeps, findMs = FIND_MS): Promise<void> {
  const words = {
    title: vscode.l10n.t('Select Network'),
    placeHolder: vscode.l10n.t('Choose the active network'),
  };
  const picked = await openList<NetworkChoice>(words, async (closed) =>
    networkChoices(deps, await findHere(deps, AbortSignal.any([closed, AbortSignal.timeout(findMs)]))),
  );
  if (picked === undefined || picked === 'back') return;
  const { what } = picked.choice;
  if (!what) return;
  if (picked.button === undefined || what.as !== 'network') return choose(deps, what);
  const change = picked.button === 'trash' ? removeNetwork : editNetwork;
  await change(deps, what.network.id);
  return pickNetwork(deps);
}

async function findHere({ session, settings }: NetworkDeps, signal: AbortSignal): Promise<FoundHere> {
  const url = localNodeUrl(settings.current.networks);
  const [node, foundry] = await Promise.all([
    findLocalNode(session.httpFor({ rpcUrl: url }), url, signal),
    endpointsOfWorkspace(signal),
  ]);
  return { url, node, foundry };
}

async function choose(deps: NetworkDeps, what: Choosable): Promise<void> {
  const { settings } = deps;
  switch (what.as) {
    case 'add':
      return addNetwork(deps, () => pickNetwork(deps));
    case 'findAgain':
      return pickNetwork(deps, FIND_AGAIN_MS);
    case 'network':
      await settings.selectNetwork(what.network);
      return offerToMoveKey(deps, what.network);
    case 'public': {
      const found = await atPublicEndpoint(deps, what.network);
      if (found === 'gateway') return addAtGateway(deps, what.network.chainId);
      if (found === 'anyway') return saveAndSelect(deps, what.network);
      return found && saveAndSelect(deps, found);
    }
    case 'endpoint':
      return selectEndpoint(deps, what.endpoint, what.url);
    case 'node': {
      const { networks } = settings.current;
      const known = networks.find(({ rpcUrl, chainId }) => rpcUrl === what.url && chainId === what.chainId);
      if (known) return settings.selectNetwork(known);
      const draft = withEndpoint({ chainId: what.chainId }, { url: what.url, facts: undefined }, networks);
      const network = networkOf(draft, networks);
      return network && saveAndSelect(deps, network);
    }
  }
}

async function saveAndSelect({ settings }: NetworkDeps, network: Network): Promise<void> {
  await settings.saveNetwork(network);
  await settings.selectNetwork(network);
}
