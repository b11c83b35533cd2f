import * as vscode from 'vscode';
import {
  builtInNetworks,
  type EndpointFacts,
  findWellKnownChain,
  getDatasetChain,
  getGatewayChain,
  type Network,
  publicExplorers,
} from '../../core/index.ts';
import type { UrlAnswer } from './askForUrl.ts';
import type { NetworkDraft } from './networkFields.ts';

/** `draft` with what the endpoint at its new URL says, and with what is known of its chain where nothing is typed. */
export function withEndpoint(
  draft: Partial<Network>,
  { url, facts }: UrlAnswer,
  networks: readonly Network[],
): NetworkDraft {
  const rpcUrl = facts?.url ?? url;
  const told = facts?.chainId ?? draft.chainId;
  const chainId = told ?? getGatewayChain(rpcUrl) ?? chainOfHost(rpcUrl) ?? getDatasetChain(rpcUrl);
  const chain = chainId === undefined ? undefined : findWellKnownChain(chainId);
  const { host, origin } = new URL(rpcUrl);
  const name = draft.name ?? freeName(chain?.name ?? host, host, networks);
  const explorerUrl =
    draft.explorerUrl ??
    chain?.explorerUrl ??
    (isExplorer(facts) && getGatewayChain(rpcUrl) === undefined ? origin : undefined);
  const dataApiUrl = draft.dataApiUrl ?? chain?.dataApiUrl;
  return {
    ...draft,
    ...{ rpcUrl, name, symbol: draft.symbol ?? chain?.symbol ?? 'ETH' },
    ...(chainId !== undefined && { chainId }),
    ...(explorerUrl !== undefined && { explorerUrl }),
    ...(dataApiUrl !== undefined && { dataApiUrl }),
  };
}

/** What is known of a chain by its id, under a name that no network has. */
export function ofChain(
  chainId: number,
  networks: readonly Network[],
): Omit<Network, 'id' | 'rpcUrl'> & NetworkDraft {
  const known = networks.find((network) => network.chainId === chainId) ?? findWellKnownChain(chainId);
  const { name = vscode.l10n.t('Chain {0}', chainId), symbol = 'ETH', explorerUrl, dataApiUrl } = known ?? {};
  return { chainId, name, symbol, decimals: 18, explorerUrl, dataApiUrl, rpcUrl: '' };
}

/** The draft as a network, once it has all that one needs. */
export function networkOf(draft: NetworkDraft, networks: readonly Network[]): Network | undefined {
  const { id, chainId, name, symbol = 'ETH', decimals = 18, ...others } = draft;
  if (chainId === undefined || name === undefined) return undefined;
  return { ...others, chainId, name, symbol, decimals, id: id ?? freeId(name, networks) };
}

function isExplorer(facts: EndpointFacts | undefined): boolean {
  return facts?.server.server === 'blockscout';
}

/** Explorers of older releases do not offer their chain id: that of a well-known one is known by its host. */
function chainOfHost(url: string): number | undefined {
  const { host } = new URL(url);
  const all = [...builtInNetworks, ...publicExplorers];
  return all.find(({ rpcUrl }) => new URL(rpcUrl).host === host)?.chainId;
}

function freeName(name: string, host: string, networks: readonly Network[]): string {
  return networks.some((network) => network.name === name) ? `${name} (${host})` : name;
}

/** An id made of the name, with a number behind it if a network has it already. */
function freeId(name: string, networks: readonly Network[]): string {
  const slug =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 50) || 'network';
  const taken = new Set(networks.map(({ id }) => id));
  for (let id = slug, count = 2; ; id = `${slug}-${count++}`) {
    if (!taken.has(id)) return id;
  }
}
