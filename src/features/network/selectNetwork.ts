import * as vscode from 'vscode';
import {
  builtInNetworks,
  listUrlVariables,
  type Network,
  probeEndpoint,
  publicExplorers,
  type ResolvedUrl,
} from '../../core/index.ts';
import { showError } from '../../host/errors.ts';
import { parseRowArgument } from '../../host/rowArguments.ts';
import {
  type FoundEndpoint,
  findProjectEndpoints,
  toEndpointNetwork,
} from '../../host/settings/projectEndpoints.ts';
import { isEndpointId, type UnapprovedEndpoint } from '../../host/settings/settingTable.ts';
import { openQuickPick, showMessage, showModal } from '../../host/ui/dialogs.ts';
import { withCancellableProgress } from '../../host/ui/window.ts';
import { noteChosenServer } from '../../host/webHost.ts';
import { addAtEtherscan, addAtGateway, addNetwork, withPublicEndpoint } from './addNetwork.ts';
import { editNetwork, removeNetwork } from './editNetwork.ts';
import { listNetworkChoices, type NetworkChoice } from './networkChoices.ts';
import { applyEndpoint, askForField, toNetwork } from './networkFields.ts';
import { type NetworkDeps, offerToMoveKey } from './secretInput.ts';

/**
 * Activates the network with the ID `which`: one of the settings, a public one, or an endpoint in a config file of the
 * workspace. Without an ID, or for a row of a view, the user picks one; with `'needed'`, after the offer to use the one
 * that a setting names.
 */
export async function selectNetwork(deps: NetworkDeps, which: unknown): Promise<void> {
  if (which === undefined || parseRowArgument(which)) return pickNetwork(deps);
  const { current, invalidSettings } = deps.settings;
  if (which === NEEDED) {
    const unapproved = invalidSettings.find(({ error }) => error.code === 'endpointUnapproved')?.error;
    return unapproved?.code === 'endpointUnapproved' ? offerEndpoint(deps, unapproved) : pickNetwork(deps);
  }
  const id = typeof which === 'string' ? which : '';
  const network = current.networks.find((candidate) => candidate.id === id);
  if (network) return deps.settings.selectNetwork(network);
  if (isEndpointId(id)) {
    const { endpoints } = await findProjectEndpoints(AbortSignal.timeout(READ_AGAIN_MS));
    const endpoint = endpoints.find((each) => each.id === id);
    if (endpoint && 'url' in endpoint.resolved) return selectEndpoint(deps, endpoint, endpoint.resolved);
  }
  const explorer = publicExplorers.find((candidate) => candidate.id === id);
  if (explorer) return selectPublic(deps, explorer);
  void showMessage('error', vscode.l10n.t('No network has the ID “{0}”.', id));
}

/** The argument of the command where another command needs a network. */
const NEEDED = 'needed:';

/** The quick pick waits this long for nodes on this machine, which respond within milliseconds. */
const FIND_MS = 1000;

/** The timeout once the user chose to wait. */
const READ_AGAIN_MS = 15_000;

async function pickNetwork(deps: NetworkDeps, findMs = FIND_MS): Promise<void> {
  const options = {
    title: vscode.l10n.t('Select Network'),
    placeHolder: vscode.l10n.t('Choose the active network'),
  };
  const picked = await openQuickPick<NetworkChoice>(options, (closed) =>
    listNetworkChoices(deps, AbortSignal.any([closed, AbortSignal.timeout(findMs)])),
  );
  if (picked === undefined || picked === 'back') return;
  const { target } = picked.choice;
  if (!target) return;
  if (picked.button === undefined || target.as !== 'network') return choose(deps, target);
  const change = picked.button === 'trash' ? removeNetwork : editNetwork;
  await change(deps, target.network.id);
  return pickNetwork(deps);
}

async function choose(deps: NetworkDeps, target: NonNullable<NetworkChoice['target']>): Promise<void> {
  const { settings, session } = deps;
  switch (target.as) {
    case 'add':
      return addNetwork(deps, () => pickNetwork(deps));
    case 'readAgain':
      return pickNetwork(deps, READ_AGAIN_MS);
    case 'saveAsDefault':
      return saveAsDefault(deps, session.network);
    case 'network':
      await settings.selectNetwork(target.network);
      return offerToMoveKey(deps, target.network);
    case 'public':
      return selectPublic(deps, target.network);
    case 'endpoint':
      return selectEndpoint(deps, target.endpoint, target.resolved);
    case 'node': {
      const { url, chainId } = target;
      const { networks } = settings.current;
      const network = toNetwork(applyEndpoint({ chainId }, { url, facts: undefined }, networks), networks);
      return network && settings.selectNetwork(network);
    }
  }
}

/** A network that only this workspace knows is saved to the user's settings too. */
async function saveAsDefault({ settings }: NetworkDeps, network: Network): Promise<void> {
  const { id } = network;
  const isKnown =
    isEndpointId(id) ||
    settings.writtenIds.includes(id) ||
    [...builtInNetworks, ...publicExplorers].some((each) => each.id === id);
  if (!isKnown) await settings.saveNetwork(network);
  await settings.saveAsDefault(network);
}

async function selectPublic(deps: NetworkDeps, network: Network): Promise<void> {
  const found = await withPublicEndpoint(deps, network);
  if (found === 'gateway') return addAtGateway(deps, network.chainId);
  if (found === 'etherscan') return addAtEtherscan(deps, network.chainId);
  if (found !== undefined) await deps.settings.selectNetwork(found === 'anyway' ? network : found);
}

/** Offers the endpoint that a setting names and that the user has not approved yet. */
async function offerEndpoint(
  deps: NetworkDeps,
  { id, alias, file, host }: UnapprovedEndpoint,
): Promise<void> {
  const { l10n } = vscode;
  const use = l10n.t('Use It');
  const other = l10n.t('Select Another Network…');
  const message = l10n.t('This workspace uses “{0}” from {1} ({2}).', alias, file, host);
  const chosen = await showMessage('warning', message, use, other);
  if (chosen === use) return selectNetwork(deps, id);
  if (chosen === other) return pickNetwork(deps);
}

/**
 * Probes an endpoint in a config file of the workspace for its chain ID, and makes it the active network. The user
 * agrees first to what it sends of the environment. Its URL is stored nowhere.
 */
async function selectEndpoint(
  deps: NetworkDeps,
  endpoint: FoundEndpoint,
  resolved: ResolvedUrl,
): Promise<void> {
  const { session, settings, log } = deps;
  const { url } = resolved;
  if (!(await settings.isSendingAllowed(resolved))) {
    if (!(await confirmSending(endpoint, resolved))) return;
    await settings.allowSending(endpoint, resolved);
  }
  noteChosenServer(url);
  const select = (chainId: number) =>
    settings.selectEndpoint(toEndpointNetwork(endpoint, { url, chainId }), endpoint.template);
  const knownChain = (await settings.getApprovedChain(endpoint)) ?? endpoint.chainId;
  const title = vscode.l10n.t('Connecting to {0}', endpoint.alias);
  try {
    const http = session.httpFor({ rpcUrl: url });
    const facts = await withCancellableProgress(title, ({ signal }) => probeEndpoint(http, url, { signal }));
    if (facts === 'cancelled') return;
    const chainId = facts.chainId ?? (await askForField(endpoint.alias, 'chainId', { rpcUrl: url }))?.value;
    if (typeof chainId === 'number') await select(chainId);
  } catch (error) {
    const network: Network = toEndpointNetwork(endpoint, { url, chainId: knownChain ?? 0 });
    const anyway = {
      title: vscode.l10n.t('Select Anyway'),
      run: async () => (knownChain === undefined ? undefined : select(knownChain)),
    };
    const more = knownChain === undefined ? [] : [anyway];
    const again = await showError(error, { service: 'endpoint', network, log, more }, true);
    if (again) await selectEndpoint(deps, endpoint, resolved);
  }
}

async function confirmSending(endpoint: FoundEndpoint, { url, variables }: ResolvedUrl): Promise<boolean> {
  const { l10n } = vscode;
  const { origin } = new URL(url);
  const file = vscode.workspace.asRelativePath(endpoint.file);
  if (listUrlVariables(url).length === 0) {
    const connect = l10n.t('Connect');
    const question = l10n.t('Connect to {0}?', origin);
    const detail = l10n.t(
      '{0} uses {1} as the URL of “{2}”. Chainside sends its requests to {3}.',
      ...[file, formatSources(endpoint.sources), endpoint.alias, origin],
    );
    return (await showModal(question, detail, connect)) === connect;
  }
  const send = l10n.t('Send');
  const message =
    variables.length === 1
      ? l10n.t('Send an environment variable to {0}?', origin)
      : l10n.t('Send {0} environment variables to {1}?', variables.length, origin);
  const detail = l10n.t(
    '{0} uses {1} in the URL of “{2}”. Chainside sends the value with each request to {3}, and nowhere else.',
    ...[file, formatSources(endpoint.sources), endpoint.alias, origin],
  );
  return (await showModal(message, detail, send)) === send;
}

function formatSources(sources: FoundEndpoint['sources']): string {
  const { l10n } = vscode;
  return sources
    .map(({ name, file }) =>
      l10n.t('{0} from {1}', `\${${name}}`, file ?? l10n.t('the environment of VS Code')),
    )
    .join(', ');
}
