import * as vscode from 'vscode';
import {
  builtInNetworks,
  type EndpointFacts,
  type HttpDeps,
  isLoopbackUrl,
  type Network,
  probeEndpoint,
  publicExplorers,
  type ResolvedUrl,
  requiresSecret,
  resolveEndpoint,
} from '../../core/index.ts';
import { showError } from '../../host/errors.ts';
import { parseRowArgument } from '../../host/rowArguments.ts';
import { formatServer } from '../../host/session/chains.ts';
import { hasKeyInUrl } from '../../host/session/networks.ts';
import { getEnvironmentVariable } from '../../host/session/secrets.ts';
import {
  type FoundEndpoint,
  findFoundryEndpoints,
  toEndpointNetwork,
} from '../../host/settings/foundryEndpoints.ts';
import { FOUNDRY_PREFIX } from '../../host/settings/settingTable.ts';
import { openQuickPick, type QuickPickChoice, showMessage, showModal } from '../../host/ui/dialogs.ts';
import { withCancellableProgress } from '../../host/ui/window.ts';
import { addAtGateway, addNetwork, withPublicEndpoint } from './addNetwork.ts';
import { editNetwork, removeNetwork } from './editNetwork.ts';
import { applyEndpoint, askForField, toNetwork } from './networkFields.ts';
import { type NetworkDeps, offerToMoveKey } from './secretInput.ts';

/** Activates the network with `id`; without an ID, or for a row of a view, the user picks one. */
export async function selectNetwork(deps: NetworkDeps, id: unknown): Promise<void> {
  if (id === undefined || parseRowArgument(id)) return pickNetwork(deps);
  const network = deps.settings.current.networks.find((candidate) => candidate.id === id);
  if (network) return deps.settings.selectNetwork(network);
  const name = typeof id === 'string' ? id : '';
  void showMessage('error', vscode.l10n.t('No network has the ID “{0}”.', name));
}

/** The quick pick waits this long for local endpoints, which respond within milliseconds. */
const FIND_MS = 1000;

/** The timeout once the user chose to wait. */
const FIND_AGAIN_MS = 15_000;

async function pickNetwork(deps: NetworkDeps, findMs = FIND_MS): Promise<void> {
  const options = {
    title: vscode.l10n.t('Select Network'),
    placeHolder: vscode.l10n.t('Choose the active network'),
  };
  const picked = await openQuickPick<NetworkChoice>(options, async (closed) =>
    listNetworkChoices(deps, await findHere(deps, AbortSignal.any([closed, AbortSignal.timeout(findMs)]))),
  );
  if (picked === undefined || picked === 'back') return;
  const { target } = picked.choice;
  if (!target) return;
  if (picked.button === undefined || target.as !== 'network') return choose(deps, target);
  const change = picked.button === 'trash' ? removeNetwork : editNetwork;
  await change(deps, target.network.id);
  return pickNetwork(deps);
}

const DEFAULT_URL = 'http://127.0.0.1:8545';

/** The URL of the network `local` if that is on this machine, else the default port. */
function getLocalNodeUrl(networks: readonly Network[]): string {
  const local = networks.find(({ id }) => id === 'local');
  return local && isLoopbackUrl(local.rpcUrl) ? local.rpcUrl : DEFAULT_URL;
}

export async function findLocalNode(http: HttpDeps, url: string, signal: AbortSignal): Promise<LocalNode> {
  try {
    const { chainId, ...facts } = await probeEndpoint(http, url, { signal });
    return chainId === undefined ? 'none' : { ...facts, chainId };
  } catch {
    return signal.aborted ? 'silent' : 'none';
  }
}

type NetworkChoiceTarget =
  | { readonly as: 'network'; readonly network: Network }
  | { readonly as: 'node'; readonly url: string; readonly chainId: number }
  | { readonly as: 'endpoint'; readonly endpoint: FoundEndpoint; readonly resolved: ResolvedUrl }
  | { readonly as: 'public'; readonly network: Network }
  | { readonly as: 'add' }
  /** Searches again, with a longer timeout. */
  | { readonly as: 'findAgain' };

interface NetworkChoice extends QuickPickChoice {
  readonly target?: NetworkChoiceTarget;
}

/** Endpoints found on this machine and in this workspace. */
interface LocalEndpoints {
  readonly url: string;
  readonly node: LocalNode;
  readonly foundry: Awaited<ReturnType<typeof findFoundryEndpoints>>;
}

const edit = { icon: 'edit', tooltip: vscode.l10n.t('Edit Network…') };
const remove = { icon: 'trash', tooltip: vscode.l10n.t('Remove Network…') };

export async function listNetworkChoices(
  deps: NetworkDeps,
  found: LocalEndpoints,
): Promise<readonly NetworkChoice[]> {
  const { l10n } = vscode;
  const { networks } = deps.settings.current;
  const builtInIds = new Set(builtInNetworks.map(({ id }) => id));
  const knownIds = new Set(networks.map(({ id }) => id));
  const rowOf = (network: Network) => createNetworkRow(deps, network);
  const builtIn = networks.filter(({ id }) => builtInIds.has(id));
  const mine = networks.filter(({ id }) => !builtInIds.has(id) && !id.startsWith(FOUNDRY_PREFIX));
  const here = [
    createNodeRow(found),
    ...found.foundry.endpoints.map((each) => createEndpointRow(deps, each)),
    ...(found.foundry.isWhole ? [] : [createMoreEndpointsRow()]),
  ];
  return [
    // Selectable rows first: Enter picks the first row.
    ...group(l10n.t('Found here'), here.filter(isSelectable)),
    ...group(
      l10n.t('Yours'),
      (await Promise.all(mine.map(rowOf))).map((row) => ({ ...row, buttons: [edit, remove] })),
    ),
    ...group(l10n.t('Built in'), await Promise.all(builtIn.map(rowOf))),
    // Above the longest group, so that they are noticed.
    ...group(
      l10n.t('Not ready'),
      here.filter((row) => !isSelectable(row)),
    ),
    ...group(' ', [
      { label: l10n.t('Add Network…'), iconPath: new vscode.ThemeIcon('add'), target: { as: 'add' } },
    ]),
    ...group(l10n.t('Public'), publicExplorers.filter(({ id }) => !knownIds.has(id)).map(createPublicRow)),
  ];
}

/** `none`: no node, or one without a chain ID. `silent`: no response before the signal aborted. */
type LocalNode = (EndpointFacts & { readonly chainId: number }) | 'none' | 'silent';

function group(label: string, rows: readonly NetworkChoice[]): readonly NetworkChoice[] {
  return rows.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...rows];
}

async function createNetworkRow(
  { session, keys, secrets }: NetworkDeps,
  network: Network,
): Promise<NetworkChoice> {
  const { chainId, dataApiUrl } = network;
  const parts = [
    vscode.l10n.t('chain {0}', chainId),
    ...(await formatSecretState()),
    ...(await formatKeyState(dataApiUrl)),
  ];
  return {
    label: network.name,
    iconPath: createIcon(session.isChosen && network.id === session.network.id),
    description: parts.join(' · '),
    target: { as: 'network', network },
  };
  async function formatSecretState(): Promise<readonly string[]> {
    if (hasKeyInUrl(network)) return [vscode.l10n.t('key in settings.json')];
    if (!requiresSecret(network)) return [];
    const secret = await secrets.get(network.rpcUrl).catch(() => undefined);
    return [secret === undefined ? vscode.l10n.t('endpoint needs a key') : vscode.l10n.t('endpoint key set')];
  }
  async function formatKeyState(url: string | undefined): Promise<readonly string[]> {
    const key = url === undefined ? undefined : await keys.get(url).catch(() => undefined);
    return key === undefined ? [] : [vscode.l10n.t('data API key set')];
  }
}

function createPublicRow(network: Network): NetworkChoice {
  return {
    label: network.name,
    iconPath: createIcon(false),
    description: vscode.l10n.t('chain {0} · {1}', network.chainId, new URL(network.rpcUrl).host),
    target: { as: 'public', network },
  };
}

function createNodeRow({ node, url }: LocalEndpoints): NetworkChoice {
  const { l10n } = vscode;
  const { host } = new URL(url);
  if (node === 'none') {
    return {
      label: l10n.t('No node at {0}', host),
      description: l10n.t('Start anvil or hardhat node, then choose this to retry'),
      iconPath: new vscode.ThemeIcon('circle-slash'),
      target: { as: 'findAgain' },
    };
  }
  if (node === 'silent') {
    return {
      label: l10n.t('Node at {0}', host),
      description: l10n.t('No response yet. Choose this to wait longer'),
      iconPath: new vscode.ThemeIcon('clock'),
      target: { as: 'findAgain' },
    };
  }
  const server = formatServer(node.server);
  return {
    label: l10n.t('Node at {0}', host),
    description: [l10n.t('chain {0}', node.chainId), server].filter(Boolean).join(' · '),
    iconPath: new vscode.ThemeIcon('vm-running'),
    target: { as: 'node', url, chainId: node.chainId },
  };
}

function createMoreEndpointsRow(): NetworkChoice {
  return {
    label: vscode.l10n.t('More from foundry.toml'),
    description: vscode.l10n.t('Chainside is still reading files. Choose this to wait longer'),
    iconPath: new vscode.ThemeIcon('clock'),
    target: { as: 'findAgain' },
  };
}

function isSelectable({ target }: NetworkChoice): boolean {
  return target?.as === 'node' || target?.as === 'endpoint';
}

/** Shows where requests would go, and the names of the variables that go with them; never the path. */
function createEndpointRow({ session }: NetworkDeps, endpoint: FoundEndpoint): NetworkChoice {
  const { l10n } = vscode;
  const { alias, template, id, file } = endpoint;
  const resolved = resolveEndpoint(template, getEnvironmentVariable);
  const place = vscode.workspace.asRelativePath(file);
  if (!('url' in resolved)) {
    return {
      label: alias,
      description: `${formatUnresolved(resolved)} · ${place}`,
      iconPath: new vscode.ThemeIcon('warning'),
      isInformation: true,
    };
  }
  const variables = formatVariables(resolved.variables.slice(0, MAX_SHOWN_VARIABLES));
  const more = resolved.variables.length > MAX_SHOWN_VARIABLES ? ', …' : '';
  const sends = variables === '' ? [] : [l10n.t('sends {0}', `${variables}${more}`)];
  return {
    label: alias,
    description: [formatHost(resolved.url), ...sends, place].join(' · '),
    iconPath: createIcon(session.isChosen && session.network.id === id),
    target: { as: 'endpoint', endpoint, resolved },
  };
}

function formatUnresolved(resolved: Exclude<ReturnType<typeof resolveEndpoint>, ResolvedUrl>): string {
  const { l10n } = vscode;
  if ('missing' in resolved) return l10n.t('not set in the environment: {0}', resolved.missing.join(', '));
  return resolved.error === 'variableInOrigin'
    ? l10n.t('a variable may only be in the path or query of the URL')
    : l10n.t('not an http or https URL');
}

const MAX_SHOWN_VARIABLES = 5;

function formatVariables(names: readonly string[]): string {
  return names.map((name) => `\${${name}}`).join(', ');
}

/** The end of a long host, which says whose it is. */
function formatHost(url: string): string {
  const { host } = new URL(url);
  return host.length > MAX_HOST_CHARS ? `…${host.slice(-MAX_HOST_CHARS)}` : host;
}

const MAX_HOST_CHARS = 40;

function createIcon(isActive: boolean): vscode.ThemeIcon {
  return new vscode.ThemeIcon(isActive ? 'check' : 'blank');
}

/**
 * Probes an endpoint of a `foundry.toml` for its chain ID, and makes it the active network. The user agrees first to what
 * it sends of the environment. Its URL is stored nowhere.
 */
async function selectEndpoint(
  deps: NetworkDeps,
  endpoint: FoundEndpoint,
  resolved: ResolvedUrl,
): Promise<void> {
  const { session, settings, log } = deps;
  const { url } = resolved;
  if (!(await settings.isSendingAllowed(resolved)) && !(await confirmSending(endpoint, resolved))) return;
  const title = vscode.l10n.t('Connecting to {0}', endpoint.alias);
  try {
    const http = session.httpFor({ rpcUrl: url });
    const facts = await withCancellableProgress(title, ({ signal }) => probeEndpoint(http, url, { signal }));
    if (facts === 'cancelled') return;
    const chainId = facts.chainId ?? (await askForField(endpoint.alias, 'chainId', { rpcUrl: url }))?.value;
    if (typeof chainId !== 'number') return;
    const network = toEndpointNetwork(endpoint, { url, chainId });
    await settings.selectEndpoint(network, endpoint.template);
  } catch (error) {
    const network: Network = toEndpointNetwork(endpoint, { url, chainId: 0 });
    const again = await showError(error, { service: 'endpoint', network, log }, true);
    if (again) await selectEndpoint(deps, endpoint, resolved);
  }
}

async function confirmSending(endpoint: FoundEndpoint, { url, variables }: ResolvedUrl): Promise<boolean> {
  const { l10n } = vscode;
  const send = l10n.t('Send');
  const { origin } = new URL(url);
  const message =
    variables.length === 1
      ? l10n.t('Send an environment variable to {0}?', origin)
      : l10n.t('Send {0} environment variables to {1}?', variables.length, origin);
  const detail = l10n.t(
    '{0} uses {1} in the URL of “{2}”. Chainside sends the value with each request to {3}, and nowhere else.',
    ...[vscode.workspace.asRelativePath(endpoint.file), formatVariables(variables), endpoint.alias, origin],
  );
  return (await showModal(message, detail, send)) === send;
}

async function findHere({ session, settings }: NetworkDeps, signal: AbortSignal): Promise<LocalEndpoints> {
  const url = getLocalNodeUrl(settings.current.networks);
  const [node, foundry] = await Promise.all([
    findLocalNode(session.httpFor({ rpcUrl: url }), url, signal),
    findFoundryEndpoints(signal),
  ]);
  return { url, node, foundry };
}

async function choose(deps: NetworkDeps, target: NetworkChoiceTarget): Promise<void> {
  const { settings } = deps;
  switch (target.as) {
    case 'add':
      return addNetwork(deps, () => pickNetwork(deps));
    case 'findAgain':
      return pickNetwork(deps, FIND_AGAIN_MS);
    case 'network':
      await settings.selectNetwork(target.network);
      return offerToMoveKey(deps, target.network);
    case 'public': {
      const found = await withPublicEndpoint(deps, target.network);
      if (found === 'gateway') return addAtGateway(deps, target.network.chainId);
      if (found === 'anyway') return saveAndSelect(deps, target.network);
      return found && saveAndSelect(deps, found);
    }
    case 'endpoint':
      return selectEndpoint(deps, target.endpoint, target.resolved);
    case 'node': {
      const { networks } = settings.current;
      const existing = networks.find(
        ({ rpcUrl, chainId }) => rpcUrl === target.url && chainId === target.chainId,
      );
      if (existing) return settings.selectNetwork(existing);
      const draft = applyEndpoint(
        { chainId: target.chainId },
        { url: target.url, facts: undefined },
        networks,
      );
      const network = toNetwork(draft, networks);
      return network && saveAndSelect(deps, network);
    }
  }
}

async function saveAndSelect({ settings }: NetworkDeps, network: Network): Promise<void> {
  await settings.saveNetwork(network);
  await settings.selectNetwork(network);
}
