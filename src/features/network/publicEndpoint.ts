import * as vscode from 'vscode';
import {
  type EndpointSearch,
  findWorkingEndpoint,
  getGatewayUrl,
  listPublicEndpoints,
  type Network,
  type PublicEndpoint,
  safeUrl,
  type UnusableEndpoint,
} from '../../core/index.ts';
import { cancellable } from '../../host/commands/progress.ts';
import { errorText } from '../../host/log.ts';
import { showMessage } from '../../host/surface/messages.ts';
import { describeError } from '../../host/words/describeError.ts';
import type { NetworkDeps } from './deps.ts';

const TIMEOUT_MS = 8000;

/** What is to be done about a network of which no public endpoint was found. */
export type WithoutPublic = 'gateway' | 'anyway' | undefined;

/**
 * The network at the first of its chain's public endpoints that answers; undefined where the user leaves. What did not
 * answer, and why, is told.
 */
export async function atPublicEndpoint(
  deps: NetworkDeps,
  network: Network,
  { but }: { readonly but?: string } = {},
): Promise<Network | Exclude<WithoutPublic, undefined> | undefined> {
  const { chainId, name } = network;
  const search = await findPublic(deps, { chainId, name, ...(but !== undefined && { but }) });
  if (search === 'cancelled') return undefined;
  if (!search.taken) return askWithoutPublic(network, search);
  if (search.unusable.length > 0) {
    const host = new URL(search.taken.facts.url).host;
    const words = vscode.l10n.t('{0} is asked at {1}. {2}', name, host, reasons(network, search));
    void showMessage('information', words);
  }
  return { ...network, rpcUrl: search.taken.facts.url, rpcAuth: undefined };
}

async function askWithoutPublic(network: Network, search: EndpointSearch): Promise<WithoutPublic> {
  const { l10n } = vscode;
  const gateway = l10n.t('Use Blockscout’s Gateway…');
  const anyway = l10n.t('Use It Anyway');
  const none = l10n.t('No public endpoint of {0} answers.', network.name);
  const words = `${none} ${reasons(network, search)}`;
  const chosen = await showMessage('warning', words, gateway, anyway);
  if (chosen === gateway) return 'gateway';
  return chosen === anyway ? 'anyway' : undefined;
}

function reasons({ chainId }: Network, { unusable }: EndpointSearch): string {
  return unusable.map((each) => `${whyUnusable(chainId, each)}.`).join(' ');
}

/** A network of the chain behind Blockscout's gateway, under a name of its own. */
export function atGateway(network: Omit<Network, 'id'>): Omit<Network, 'id'> {
  const name = vscode.l10n.t('{0} (gateway)', network.name);
  return { ...network, name, rpcUrl: getGatewayUrl(network.chainId), rpcAuth: 'bearer' };
}

/**
 * Asks the public endpoints of a chain one after another, the explorer first, until one answers.
 *
 * @param chain its id, how it is called, and which of its endpoints is not asked, as it is known.
 */
function findPublic(
  { http, log }: NetworkDeps,
  { chainId, name, but }: { readonly chainId: number; readonly name: string; readonly but?: string },
): Promise<EndpointSearch | 'cancelled'> {
  const endpoints = listPublicEndpoints(chainId).filter(({ url }) => url !== but);
  const title = vscode.l10n.t('Asking public endpoints of {0}', name);
  return cancellable(title, async ({ signal, report }) => {
    const onAsk = (endpoint: PublicEndpoint) =>
      report(endpoints.indexOf(endpoint) / endpoints.length, new URL(endpoint.url).host);
    const search = await findWorkingEndpoint(http, {
      chainId,
      endpoints,
      onAsk,
      signal,
      timeoutMs: TIMEOUT_MS,
    });
    for (const each of search.unusable) if ('error' in each) log.warn(errorText(each.error));
    return search;
  });
}

/** Why an endpoint is not taken, with its name. */
function whyUnusable(chainId: number, unusable: UnusableEndpoint): string {
  const { l10n } = vscode;
  const { url } = unusable.endpoint;
  if ('error' in unusable) {
    const network = { id: '', name: '', symbol: '', decimals: 0, chainId, rpcUrl: url };
    return describeError(unusable.error, { service: 'endpoint', network }).message;
  }
  const reason =
    unusable.otherChain === undefined
      ? l10n.t('does not tell its chain id')
      : l10n.t('is of chain {0}', unusable.otherChain);
  return l10n.t('{0}: {1}', safeUrl(url), reason);
}
