import * as vscode from 'vscode';
import {
  type Hex,
  type IndexedDeployment,
  isDevelopmentChain,
  isLoopbackUrl,
  type Network,
  providers,
  publicExplorers,
  type ServerDescription,
} from '../../core/index.ts';
import { runCommand } from '../commands.ts';
import { parseChainId } from '../names/addressName.ts';
import type { SettingsService } from '../settings/settings.ts';
import { isEndpointId } from '../settings/settingTable.ts';
import { pickOne, showMessage } from '../ui/dialogs.ts';
import type { LocalEndpoint } from './localEndpoints.ts';
import { isOnBothNetworks, isSameChain, orderChainNetworks } from './networks.ts';
import type { AccessOptions } from './providerAccess.ts';
import type { Session } from './session.ts';

export interface ChainDeps {
  readonly session: Session;
  readonly settings: SettingsService;
}

/** The network to use for a chain: the active one, else the likeliest that is configured for it. */
export function findChainNetwork({ session, settings }: ChainDeps, chainId: number): Network | undefined {
  if (session.network.chainId === chainId) return session.network;
  return orderChainNetworks(settings.current.networks.filter((network) => network.chainId === chainId))[0];
}

/** A network to switch to. With a template, it is an endpoint of the project that the user has not chosen before. */
type ChosenNetwork = Pick<LocalEndpoint, 'network'> & Partial<LocalEndpoint>;

/**
 * The network to switch to for a chain: that of the project, or the only one. Among several nodes of a development
 * chain, which may all be of other projects, the user picks one; undefined if they do not, or if there is none.
 */
async function chooseChainNetwork(deps: ChainDeps, chainId: number): Promise<ChosenNetwork | undefined> {
  const { session, settings } = deps;
  if (session.network.chainId === chainId) return session;
  const configured = settings.current.networks.filter((network) => network.chainId === chainId);
  const ofProject = configured.filter(({ id }) => isEndpointId(id));
  if (ofProject.length === 1 || !isDevelopmentChain(chainId)) {
    const network = ofProject[0] ?? findChainNetwork(deps, chainId);
    return network && { network };
  }
  const toChosen = (network: Network): ChosenNetwork => ({ network });
  const { findLocalEndpoints } = await import('./localEndpoints.ts');
  const ownNetworks =
    ofProject.length > 0 ? ofProject.map(toChosen) : await findLocalEndpoints(deps, chainId);
  const networks = ownNetworks.length > 0 ? ownNetworks : orderChainNetworks(configured).map(toChosen);
  if (networks.length < 2) return networks[0];
  const choices = networks.map((chosen) => ({
    label: chosen.network.name,
    description: new URL(chosen.network.rpcUrl).host,
    chosen,
  }));
  const placeHolder = vscode.l10n.t('Several nodes have chain ID {0}. Choose that of your project', chainId);
  return (await pickOne(choices, { title: vscode.l10n.t('Switch Network'), placeHolder }))?.chosen;
}

/**
 * The name of a chain: of its configured network, else of a well-known chain, else its ID. A development chain is named
 * by its ID unless its network is active or of the project: any project may have a node with that ID.
 */
export function getChainName(deps: ChainDeps, chainId: number): string {
  const network = findChainNetwork(deps, chainId);
  const isSure =
    network === deps.session.network || !isDevelopmentChain(chainId) || isEndpointId(network?.id ?? '');
  const chain = network && isSure ? network : publicExplorers.find((known) => known.chainId === chainId);
  return chain?.name ?? vscode.l10n.t('chain {0}', String(chainId));
}

/** Whether a provider without a key has the transfers and balances of addresses over time. */
export function offersHistory(network: Network): boolean {
  return providers.some((kind) => !kind.takesKey && kind.offers.history && kind.urlFor(network));
}

/** Whether only a provider with a key has the transfers of addresses. */
export function offersKeyedHistory(network: Network): boolean {
  const isKeyed = providers.some((kind) => kind.takesKey && kind.offers.history && kind.urlFor(network));
  return isKeyed && !isLoopbackUrl(network.rpcUrl) && !offersHistory(network);
}

/** A fork on this machine has transfers of its own, which only an explorer of it knows. */
export function getHistoryAccess({ rpcUrl }: Network): AccessOptions {
  return isLoopbackUrl(rpcUrl) ? { name: 'blockscout' } : {};
}

/** The explorer website of a chain, also of a well-known chain that is not configured. */
export function findChainExplorer(deps: ChainDeps, chainId: number): string | undefined {
  const network =
    findChainNetwork(deps, chainId) ?? publicExplorers.find((known) => known.chainId === chainId);
  return network?.explorerUrl;
}

/** Makes a network of the chain the active one. Where none is configured, offers to add one and returns false. */
export async function switchToChain(deps: ChainDeps, chainId: number): Promise<boolean> {
  const chosen = await chooseChainNetwork(deps, chainId);
  if (!chosen) {
    if (!findChainNetwork(deps, chainId)) await showNoNetworkMessage(chainId);
    return false;
  }
  const { network, template } = chosen;
  if (network === deps.session.network && deps.session.isChosen) return true;
  if (template === undefined) await deps.settings.selectNetwork(network);
  else await deps.settings.selectEndpoint(network, template);
  return deps.session.network.chainId === chainId;
}

/** Lets the user confirm a switch to the chain of `subject`, unless it is active. False if they decline. */
export async function confirmChainSwitch(
  deps: ChainDeps,
  chainId: number,
  subject: string,
): Promise<boolean> {
  const { network, isChosen } = deps.session;
  if (network.chainId === chainId && isChosen) return true;
  if (!findChainNetwork(deps, chainId)) return switchToChain(deps, chainId);
  const name = getChainName(deps, chainId);
  const switchButton = isChosen ? vscode.l10n.t('Switch to {0}', name) : vscode.l10n.t('Use {0}', name);
  const message = isChosen
    ? vscode.l10n.t('{0} is deployed on {1}, not on {2}.', subject, name, network.name)
    : vscode.l10n.t('{0} is deployed on {1}. No network is chosen yet.', subject, name);
  return (
    (await showMessage('information', message, switchButton)) === switchButton && switchToChain(deps, chainId)
  );
}

/**
 * Lets the user confirm a switch to the network of what is shown, unless it is active. False if they decline.
 *
 * @param why the message, with the names of both networks.
 */
export async function confirmNetworkSwitch(
  deps: ChainDeps,
  shown: Network,
  why: (name: string, active: string) => string = (name, active) =>
    vscode.l10n.t('This is on {0}. The Addresses view shows {1}.', name, active),
): Promise<boolean> {
  const { session, settings } = deps;
  if (isOnBothNetworks(session.network, shown)) return true;
  const switchButton = vscode.l10n.t('Switch to {0}', shown.name);
  const message = why(shown.name, session.network.name);
  if ((await showMessage('information', message, switchButton)) !== switchButton) return false;
  const configured = settings.current.networks.find((network) => isSameChain(network, shown));
  if (configured) await settings.selectNetwork(configured);
  else await switchToChain(deps, shown.chainId);
  return isOnBothNetworks(session.network, shown);
}

/**
 * Runs a dialog about the active network. If another network has become active meanwhile, returns the result only
 * if the user agrees to switch back.
 */
export async function askOnNetwork<T>(
  deps: ChainDeps,
  ask: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const { network } = deps.session;
  const result = await ask();
  const why = (name: string, active: string) =>
    vscode.l10n.t('You entered this for {0}. The active network is {1}.', name, active);
  return result !== undefined && (await confirmNetworkSwitch(deps, network, why)) ? result : undefined;
}

/** Shows a transaction. Lets the user confirm a switch to its network first, unless it is active. */
export async function showTransactionOn(deps: ChainDeps, network: Network, hash: Hex): Promise<void> {
  const why = (name: string, active: string) =>
    vscode.l10n.t('This transaction is on {0}. The active network is {1}.', name, active);
  if (await confirmNetworkSwitch(deps, network, why)) await runCommand('chainside.showTransaction', hash);
}

/** Says that no network is configured for a chain, and offers to add one. */
export async function showNoNetworkMessage(chainId: number): Promise<void> {
  const add = vscode.l10n.t('Add Network…');
  const message = vscode.l10n.t('No network with chain ID {0} is configured.', String(chainId));
  if ((await showMessage('warning', message, add)) === add) await runCommand('chainside.addNetwork');
}

/** The chain IDs of deployments, each once. */
export function listChains(deployments: readonly IndexedDeployment[]): readonly number[] {
  const chains = deployments.flatMap(({ chainId }) => parseChainId(chainId) ?? []);
  return [...new Set(chains)];
}

/**
 * Says that something is deployed on other chains and not on `here`, by default the active network if one is chosen;
 * undefined where it is on none.
 */
export function formatOtherChains(
  deployments: readonly IndexedDeployment[],
  deps: ChainDeps,
  here: { readonly name: string } = deps.session.network,
): string | undefined {
  const chains = listChains(deployments);
  if (chains.length === 0) return undefined;
  const named = chains.slice(0, MAX_NAMED_CHAINS).map((chainId) => getChainName(deps, chainId));
  const list = chains.length > MAX_NAMED_CHAINS ? `${named.join(', ')}, …` : named.join(', ');
  if (here === deps.session.network && !deps.session.isChosen) return vscode.l10n.t('Deployed on {0}', list);
  return vscode.l10n.t('Deployed on {0}, not on {1}', list, here.name);
}

/** The rest is counted. */
const MAX_NAMED_CHAINS = 3;

/** Names the server software of an endpoint; undefined where it is unknown. */
export function formatServer({ server, version, before }: ServerDescription): string | undefined {
  if (server === 'unknown') return undefined;
  if (server === 'portal') return 'SQD Portal';
  if (server === 'node') return version ?? vscode.l10n.t('Ethereum node');
  if (before !== undefined) return vscode.l10n.t('Blockscout before {0}', before);
  return version === undefined ? 'Blockscout' : `Blockscout ${version}`;
}
