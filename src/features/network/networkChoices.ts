import * as vscode from 'vscode';
import {
  builtInNetworks,
  type EndpointFacts,
  type HttpDeps,
  isLoopbackUrl,
  type Network,
  probeEndpoint,
  publicExplorers,
  type ResolvedEndpoint,
  type ResolvedUrl,
} from '../../core/index.ts';
import { formatNumber } from '../../host/numbers.ts';
import { createPortAsker } from '../../host/session/localEndpoints.ts';
import { type FoundEndpoint, findProjectEndpoints } from '../../host/settings/projectEndpoints.ts';
import { formatTooLong } from '../../host/settings/settingErrors.ts';
import { isEndpointId } from '../../host/settings/settingTable.ts';
import type { QuickPickChoice } from '../../host/ui/dialogs.ts';
import { mayRequest } from '../../host/webHost.ts';
import type { NetworkDeps } from './secretInput.ts';

export interface NetworkChoice extends QuickPickChoice {
  readonly target?: NetworkChoiceTarget;
  readonly state?: RowState;
}

type NetworkChoiceTarget =
  | { readonly as: 'network' | 'public'; readonly network: Network }
  | { readonly as: 'node'; readonly url: string; readonly chainId: number }
  | { readonly as: 'endpoint'; readonly endpoint: FoundEndpoint; readonly resolved: ResolvedUrl }
  | { readonly as: 'add' | 'saveAsDefault' }
  /** Reads the config files again, with a longer timeout. */
  | { readonly as: 'readAgain' };

/**
 * What an endpoint answered; `none` if it did not answer in time, or not as a node does. One that nobody has chosen yet
 * is asked for its chain ID only.
 */
type Answer = (Pick<EndpointFacts, 'chainId'> & Partial<Pick<EndpointFacts, 'block'>>) | 'none';

type PortAsker = ReturnType<typeof createPortAsker>;

/**
 * Lists the networks to choose from: those of this workspace, first the ones that answer; then those that the user
 * added; then the public ones. Enter picks the first that answers. Until `signal` aborts, endpoints on this machine that
 * the user added and those of the workspace that the user approved are asked for their latest block, other ports of this
 * machine for their chain ID.
 */
export async function listNetworkChoices(
  deps: NetworkDeps,
  signal: AbortSignal,
): Promise<readonly NetworkChoice[]> {
  const { l10n } = vscode;
  const { settings, session } = deps;
  const { networks } = settings.current;
  const { writtenIds } = settings;
  const added = networks.filter(({ id }) => writtenIds.includes(id) && !isBuiltIn(id));
  const [here, addedRows] = await Promise.all([
    listWorkspaceRows(deps, signal),
    Promise.all(
      added.map(async (network) => ({
        ...(await createProbedRow(deps, network, signal)),
        buttons: [edit, remove],
      })),
    ),
  ]);
  const answering = [...here, ...addedRows].find(({ state }) => state === 'answers');
  const focus = (row: NetworkChoice) => (row === answering ? { ...row, isFocused: true } : row);
  const canSave = session.isChosen && settings.hasChoice && vscode.workspace.workspaceFolders !== undefined;
  const palm = networks.filter(({ id }) => isBuiltIn(id) && id !== 'local');
  const isPublic = ({ id }: Network) => !added.some((network) => network.id === id);
  const explorers = publicExplorers
    .filter(isPublic)
    .map((network) => networks.find(({ id }) => id === network.id) ?? network);
  return [
    ...group(l10n.t('This Workspace'), here.map(focus)),
    ...group(l10n.t('Added'), addedRows.map(focus)),
    // Above the longest group, so that they are noticed.
    ...group(' ', [
      { label: l10n.t('Add Network…'), iconPath: new vscode.ThemeIcon('add'), target: { as: 'add' } },
      ...(canSave ? [createSaveRow(session.network)] : []),
    ]),
    ...group(l10n.t('Public'), [
      ...palm.map((network) => createNetworkRow(deps, network)),
      ...explorers.map((network) => ({
        ...createNetworkRow(deps, network),
        target: { as: 'public' as const, network },
      })),
    ]),
  ];
}

function isBuiltIn(id: string): boolean {
  return builtInNetworks.some((network) => network.id === id);
}

const edit = { icon: 'edit', tooltip: vscode.l10n.t('Edit Network…') };
const remove = { icon: 'trash', tooltip: vscode.l10n.t('Remove Network…') };

function group(label: string, rows: readonly NetworkChoice[]): readonly NetworkChoice[] {
  return rows.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...rows];
}

/** Those that answer come first: Enter picks the first row. */
async function listWorkspaceRows(deps: NetworkDeps, signal: AbortSignal): Promise<readonly NetworkChoice[]> {
  const { networks } = deps.settings.current;
  const localUrl = getLocalNodeUrl(networks);
  const askPort = createPortAsker(deps.session, signal);
  const chosenHere = networks.filter(
    ({ id, rpcUrl }) =>
      !isBuiltIn(id) &&
      !isEndpointId(id) &&
      rpcUrl !== localUrl &&
      !deps.settings.writtenIds.includes(id) &&
      !publicExplorers.some((each) => each.id === id),
  );
  const [node, { endpoints, unreadable, isWhole }, others] = await Promise.all([
    createNodeRow(deps, localUrl, { askPort, signal }),
    findProjectEndpoints(signal),
    Promise.all(
      chosenHere.map(async (network) => ({
        ...(await createProbedRow(deps, network, signal)),
        buttons: [edit, remove],
      })),
    ),
  ]);
  const rows = await Promise.all(
    endpoints.map((each) =>
      createEndpointRow(deps, each, { askPort, signal }).catch(() =>
        createUnusableRow(each.alias, vscode.l10n.t('cannot be used'), each.file),
      ),
    ),
  );
  const files = unreadable.map((file) =>
    createUnusableRow(vscode.l10n.t('Endpoints'), vscode.l10n.t('cannot be read'), file),
  );
  const isListed = rows.some(
    ({ target, state }) =>
      state !== 'unknown' && target?.as === 'endpoint' && target.resolved.url === localUrl,
  );
  const all = [...(isListed ? [] : [node]), ...rows, ...files, ...others];
  const order = [...new Set<RowState>(['answers', 'unknown', 'silent', 'unusable'])];
  return [
    ...order.flatMap((state) => all.filter((row) => row.state === state)),
    ...(isWhole ? [] : [createMoreRow()]),
  ];
}

type RowState = 'answers' | 'unknown' | 'silent' | 'unusable';
interface StatedChoice extends NetworkChoice {
  readonly state: RowState;
}

const DEFAULT_URL = 'http://127.0.0.1:8545';

/** The URL of the network `local` if that is on this machine, else the default port. */
function getLocalNodeUrl(networks: readonly Network[]): string {
  const local = networks.find(({ id }) => id === 'local');
  return local && isLoopbackUrl(local.rpcUrl) ? local.rpcUrl : DEFAULT_URL;
}

interface Asking {
  readonly askPort: PortAsker;
  readonly signal: AbortSignal;
}

/** The node on this machine: the network of its URL and chain, or one to make for it. */
async function createNodeRow(
  deps: NetworkDeps,
  url: string,
  { askPort, signal }: Asking,
): Promise<StatedChoice> {
  const { session, settings } = deps;
  const { networks } = settings.current;
  const isChosen =
    settings.writtenIds.includes('local') || (session.isChosen && session.network.rpcUrl === url);
  const answer = isChosen
    ? await ask(session.httpFor({ rpcUrl: url }), url, signal)
    : await askForChain(url, askPort);
  const chainId = typeof answer === 'object' ? answer.chainId : undefined;
  const network = networks.find(
    (each) => each.rpcUrl === url && (chainId === undefined || each.chainId === chainId),
  );
  if (network) return createNetworkRow(deps, network, answer);
  const row = createRow({ name: vscode.l10n.t('Local Node'), url, isActive: false, chainId }, answer);
  return chainId === undefined ? row : { ...row, target: { as: 'node', url, chainId } };
}

/** A network that the user added or chose before. Only one on this machine is asked. */
async function createProbedRow(
  deps: NetworkDeps,
  network: Network,
  signal: AbortSignal,
): Promise<StatedChoice> {
  const { rpcUrl } = network;
  if (!isLoopbackUrl(rpcUrl)) return createNetworkRow(deps, network);
  return createNetworkRow(deps, network, await ask(deps.session.httpFor(network), rpcUrl, signal));
}

function createNetworkRow({ session }: NetworkDeps, network: Network, answer?: Answer): StatedChoice {
  const { name, rpcUrl: url, chainId } = network;
  const isActive = session.isChosen && network.id === session.network.id;
  return {
    ...createRow({ name, url, isActive, chainId }, answer),
    target: { as: 'network', network },
  };
}

async function createEndpointRow(
  { session, settings }: NetworkDeps,
  endpoint: FoundEndpoint,
  { askPort, signal }: Asking,
): Promise<StatedChoice> {
  const { alias, id, file, resolved } = endpoint;
  if (!('url' in resolved)) return createUnusableRow(alias, formatUnresolved(resolved), file);
  const place = vscode.workspace.asRelativePath(file);
  const { url, variables } = resolved;
  const approved = await settings.getApprovedChain(endpoint);
  const isChosen = approved !== undefined && (await settings.isSendingAllowed(resolved));
  const answer = isChosen
    ? await ask(session.httpFor({ rpcUrl: url }), url, signal)
    : variables.length === 0
      ? await askForChain(url, askPort)
      : undefined;
  const reported = answer === undefined || answer === 'none' ? undefined : answer.chainId;
  const chainId = reported ?? approved ?? endpoint.chainId;
  const isActive = session.isChosen && session.network.id === id;
  const row = createRow({ name: alias, url, isActive, chainId }, answer);
  return {
    ...row,
    description: `${row.description} · ${place}`,
    target: { as: 'endpoint', endpoint, resolved },
  };
}

function createUnusableRow(label: string, reason: string, file: vscode.Uri): StatedChoice {
  return {
    label,
    description: `${reason} · ${vscode.workspace.asRelativePath(file)}`,
    iconPath: new vscode.ThemeIcon('warning'),
    isInformation: true,
    state: 'unusable',
  };
}

/** Undefined for a server that may not be asked yet. */
async function askForChain(url: string, askPort: PortAsker): Promise<Answer | undefined> {
  const answer = mayRequest(url) ? await askPort(url) : undefined;
  return typeof answer === 'number' ? { chainId: answer } : answer;
}

/** Undefined for a server that may not be asked yet. */
async function ask(http: HttpDeps, url: string, signal: AbortSignal): Promise<Answer | undefined> {
  if (!mayRequest(url)) return undefined;
  return probeEndpoint(http, url, { signal }).catch(() => 'none' as const);
}

interface RowFacts {
  readonly name: string;
  readonly url: string;
  readonly isActive: boolean;
  readonly chainId: number | undefined;
}

function createRow({ name, url, isActive, chainId }: RowFacts, answer: Answer | undefined): StatedChoice {
  const { l10n } = vscode;
  const parts = [
    ...(chainId === undefined ? [] : [l10n.t('chain {0}', chainId)]),
    formatHost(url),
    ...(answer === 'none' ? [l10n.t('does not answer')] : []),
    ...(typeof answer === 'object' ? [formatOnline(answer.block)] : []),
  ];
  return {
    label: name,
    iconPath: new vscode.ThemeIcon(isActive ? 'check' : 'blank'),
    description: parts.join(' · '),
    state: answer === undefined ? 'unknown' : answer === 'none' ? 'silent' : 'answers',
  };
}

function formatOnline(block: bigint | undefined): string {
  const { l10n } = vscode;
  return block === undefined ? l10n.t('online') : l10n.t('online, block {0}', formatNumber(block));
}

function createSaveRow({ name }: Network): NetworkChoice {
  return {
    label: vscode.l10n.t('Save as Default for This Workspace'),
    description: vscode.l10n.t('{0}, in the settings of the workspace', name),
    iconPath: new vscode.ThemeIcon('save'),
    target: { as: 'saveAsDefault' },
  };
}

function createMoreRow(): NetworkChoice {
  return {
    label: vscode.l10n.t('More From Config Files'),
    description: vscode.l10n.t('Chainside is still reading files. Choose this to wait longer'),
    iconPath: new vscode.ThemeIcon('clock'),
    target: { as: 'readAgain' },
  };
}

function formatUnresolved(resolved: Exclude<ResolvedEndpoint, ResolvedUrl>): string {
  const { l10n } = vscode;
  if ('missing' in resolved) return l10n.t('needs {0} in .env', resolved.missing.join(', '));
  if ('tooLong' in resolved) return formatTooLong(resolved.tooLong, l10n);
  return resolved.error === 'variableInOrigin'
    ? l10n.t('a variable may only be in the path or query of the URL')
    : l10n.t('not an http or https URL');
}

/** The end of a long host, which says whose it is. */
function formatHost(url: string): string {
  const { host } = new URL(url);
  return host.length > MAX_HOST_CHARS ? `…${host.slice(-MAX_HOST_CHARS)}` : host;
}

const MAX_HOST_CHARS = 40;
