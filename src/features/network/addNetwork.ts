import * as vscode from 'vscode';
import * as z from 'zod/mini';
import {
  type EndpointSearch,
  findWorkingEndpoint,
  getEtherscanEndpoint,
  getGatewayUrl,
  isAppError,
  listPublicEndpoints,
  type Network,
  type PublicEndpoint,
  safeUrl,
  type UnusableEndpoint,
} from '../../core/index.ts';
import { describeError, toSentence } from '../../host/errors.ts';
import { formatErrorForLog } from '../../host/log.ts';
import { isEndpointId } from '../../host/settings/settingTable.ts';
import { showMessage } from '../../host/ui/dialogs.ts';
import { withCancellableProgress } from '../../host/ui/window.ts';
import { isWebHost } from '../../host/webHost.ts';
import { applyEndpoint, askForUrl, createChainDraft, toNetwork } from './networkFields.ts';
import { showNetworkPage } from './networkPage.ts';
import { type NetworkDeps, storeSecret } from './secretInput.ts';

/** The last URL typed that was not added. */
let typed = '';

const chainId = z.optional(z.int().check(z.minimum(1)));
const Start = z.object({ gatewayOf: chainId, publicOf: chainId });

/**
 * Runs *Add Network*: with a chain ID, at the gateway or at a public endpoint of that chain; otherwise with the URL
 * that the user enters.
 */
export async function startAddNetwork(deps: NetworkDeps, start: unknown): Promise<void> {
  const { gatewayOf, publicOf } = Start.safeParse(start).data ?? {};
  if (gatewayOf !== undefined) return addAtGateway(deps, gatewayOf);
  return publicOf === undefined ? addNetwork(deps) : addAtPublicEndpoint(deps, publicOf);
}

/**
 * Prompts for a URL, probes the endpoint, and saves the network to the user's settings after confirmation. `goBack`
 * shows the previous step, if there is one.
 */
export async function addNetwork(deps: NetworkDeps, goBack?: () => Promise<void>): Promise<void> {
  const { l10n } = vscode;
  const title = l10n.t('Add Network');
  const onType = (text: string) => {
    typed = text;
  };
  const hasBack = goBack !== undefined;
  const input = await askForUrl(deps, { title, value: typed, onType, hasBack });
  if (input === 'back') return goBack?.();
  if (!input) return;
  const draft = applyEndpoint({}, input, deps.settings.current.networks);
  return addDescribed(deps, { draft, facts: input.facts }, () => addNetwork(deps, goBack));
}

/** Adds the chain on Blockscout's gateway, with its key. */
export async function addAtGateway(deps: NetworkDeps, chainId: number): Promise<void> {
  const draft = withGateway(createChainDraft(chainId, deps.settings.current.networks));
  await addDescribed(deps, { draft, facts: undefined });
}

/** Adds the chain at Etherscan, with the stored key of the user. */
export async function addAtEtherscan(deps: NetworkDeps, chainId: number): Promise<void> {
  const network = createChainDraft(chainId, deps.settings.current.networks);
  const name = vscode.l10n.t('{0} (Etherscan)', network.name);
  const draft = { ...network, name, rpcUrl: getEtherscanEndpoint(chainId) };
  await addDescribed(deps, { draft, facts: undefined });
}

/**
 * Moves the active network to the first public endpoint that responds; adds a new network if the active one is of
 * another chain.
 */
async function addAtPublicEndpoint(deps: NetworkDeps, chainId: number): Promise<void> {
  const { session, settings } = deps;
  const { network } = session;
  const isActive = session.isChosen && network.chainId === chainId;
  const target: Network = isActive
    ? network
    : { id: '', ...createChainDraft(chainId, settings.current.networks) };
  const found = await withPublicEndpoint(deps, target, isActive ? { but: network.rpcUrl } : {});
  if (found === undefined || found === 'anyway') return;
  if (found === 'gateway') return addAtGateway(deps, chainId);
  if (found === 'etherscan') return addAtEtherscan(deps, chainId);
  const isSaved = settings.writtenIds.includes(network.id);
  if (isActive && !isEndpointId(network.id))
    return isSaved ? settings.saveNetwork(found) : settings.selectNetwork(found);
  const { id: _, ...draft } = found;
  await addDescribed(deps, { draft, facts: undefined });
}

type Described = Pick<Parameters<typeof showNetworkPage>[2], 'draft' | 'facts'>;

async function addDescribed(
  deps: NetworkDeps,
  described: Described,
  goBack?: () => Promise<void>,
): Promise<void> {
  const { l10n } = vscode;
  const { settings } = deps;
  const page = {
    title: l10n.t('Add Network'),
    hasBack: goBack !== undefined,
    untested: l10n.t('Endpoint not tested'),
    actions: [
      { act: 'select', label: l10n.t('Add and Select'), icon: 'check' },
      { act: 'add', label: l10n.t('Add Without Selecting'), icon: 'add' },
    ],
  };
  const result = await showNetworkPage(deps, page, described);
  if (result === 'back') return goBack?.();
  const network = result && toNetwork(result.draft, settings.current.networks);
  if (!network) return;
  if (result.typed && !(await storeSecret(deps, result.typed))) return;
  await settings.saveNetwork(network);
  typed = '';
  if (result.act === 'select') return settings.selectNetwork(network);
  void showMessage('information', l10n.t('Added {0}.', network.name));
}

/** What the user chose when no public endpoint was found; undefined if nothing. */
type NoPublicEndpointChoice = 'gateway' | 'etherscan' | 'anyway' | undefined;

/**
 * The network at the first public endpoint of its chain that responds; undefined if cancelled. Shows which endpoints
 * failed, and why.
 */
export async function withPublicEndpoint(
  deps: NetworkDeps,
  network: Network,
  { but }: { readonly but?: string } = {},
): Promise<Network | Exclude<NoPublicEndpointChoice, undefined> | undefined> {
  const { chainId, name } = network;
  const search = await probePublicEndpoints(deps, { chainId, name, ...(but !== undefined && { but }) });
  if (search === 'cancelled') return undefined;
  if (!search.taken) {
    const hasEtherscanKey = await deps.session.canUseEtherscan(chainId);
    const chosen = await pickWithoutPublic(network, search, { hasEtherscanKey });
    return chosen === 'retry' ? withPublicEndpoint(deps, network, but === undefined ? {} : { but }) : chosen;
  }
  if (search.unusable.length > 0) {
    const host = new URL(search.taken.facts.url).host;
    const message = vscode.l10n.t('{0} now uses {1}. {2}', name, host, formatReasons(network, search));
    void showMessage('information', message);
  }
  return { ...network, rpcUrl: search.taken.facts.url, rpcAuth: undefined };
}

async function pickWithoutPublic(
  network: Network,
  search: EndpointSearch,
  { hasEtherscanKey }: { readonly hasEtherscanKey: boolean },
): Promise<NoPublicEndpointChoice | 'retry'> {
  const { l10n } = vscode;
  const { unusable } = search;
  const retry = l10n.t('Retry');
  const gateway = l10n.t('Use Blockscout’s Gateway…');
  const etherscan = l10n.t('Use Etherscan (Your Key)…');
  const anyway = l10n.t('Select Anyway');
  const isOffline = unusable.every((each) => 'error' in each && isAppError(each.error, 'network'));
  const couldNotReach = isWebHost
    ? l10n.t(
        'None of the {0} public endpoints of {1} responds and allows web pages (CORS). Check your connection, or use VS Code on the desktop.',
        ...[unusable.length, network.name],
      )
    : l10n.t(
        'Couldn’t reach any of the {0} public endpoints of {1}. Check your connection.',
        ...[unusable.length, network.name],
      );
  const message = isOffline
    ? couldNotReach
    : l10n.t('No public endpoint of {0} can be used. {1}', ...[network.name, formatReasons(network, search)]);
  const keyed = hasEtherscanKey ? [gateway, etherscan] : [gateway];
  const buttons = [retry, ...(isOffline ? [] : keyed), anyway];
  const chosen = await showMessage('warning', message, ...buttons);
  if (chosen === retry) return 'retry';
  if (chosen === gateway) return 'gateway';
  if (chosen === etherscan) return 'etherscan';
  return chosen === anyway ? 'anyway' : undefined;
}

function formatReasons({ chainId }: Network, { unusable }: EndpointSearch): string {
  return unusable.map((each) => toSentence(formatUnusableReason(chainId, each))).join(' ');
}

/** The network on Blockscout's gateway, under another name. */
function withGateway(network: Omit<Network, 'id'>): Omit<Network, 'id'> {
  const name = vscode.l10n.t('{0} (gateway)', network.name);
  return { ...network, name, rpcUrl: getGatewayUrl(network.chainId), rpcAuth: 'bearer' };
}

const TIMEOUT_MS = 8000;

/**
 * Probes the public endpoints of a chain one after another, the explorer first, until one responds.
 *
 * @param chain `but`: the URL of an endpoint to skip, which is in use already.
 */
function probePublicEndpoints(
  { http, log }: NetworkDeps,
  { chainId, name, but }: { readonly chainId: number; readonly name: string; readonly but?: string },
): Promise<EndpointSearch | 'cancelled'> {
  const endpoints = listPublicEndpoints(chainId, { pagesFirst: isWebHost }).filter(({ url }) => url !== but);
  const title = vscode.l10n.t('Testing public endpoints of {0}', name);
  return withCancellableProgress(title, async ({ signal, report }) => {
    const onAsk = (endpoint: PublicEndpoint) =>
      report(endpoints.indexOf(endpoint) / endpoints.length, new URL(endpoint.url).host);
    const search = await findWorkingEndpoint(http, {
      chainId,
      endpoints,
      onAsk,
      signal,
      timeoutMs: TIMEOUT_MS,
    });
    for (const each of search.unusable) if ('error' in each) log.warn(formatErrorForLog(each.error));
    return search;
  });
}

/** Why an endpoint was rejected. */
function formatUnusableReason(chainId: number, unusable: UnusableEndpoint): string {
  const { l10n } = vscode;
  const { url } = unusable.endpoint;
  if ('error' in unusable) {
    const network = { id: '', name: '', symbol: '', decimals: 0, chainId, rpcUrl: url };
    return describeError(unusable.error, { service: 'endpoint', network }).message;
  }
  const reason =
    unusable.otherChain === undefined
      ? l10n.t('does not report its chain ID')
      : l10n.t('serves chain {0}', unusable.otherChain);
  return l10n.t('{0}: {1}', safeUrl(url), reason);
}
