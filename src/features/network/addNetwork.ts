import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Network } from '../../core/index.ts';
import { FOUNDRY } from '../../host/settings/settingTable.ts';
import { showMessage } from '../../host/surface/messages.ts';
import { askForUrl } from './askForUrl.ts';
import type { NetworkDeps } from './deps.ts';
import { networkOf, ofChain, withEndpoint } from './describedNetwork.ts';
import { keepSecret } from './keepSecret.ts';
import { showNetworkPage } from './networkPage.ts';
import { atGateway, atPublicEndpoint } from './publicEndpoint.ts';

/** What was typed last and not added yet. */
let typed = '';

const chainId = z.optional(z.int().check(z.minimum(1)));
const Start = z.object({ gatewayOf: chainId, publicOf: chainId });

/** Adds a network as a command is run: with a chain, at the gateway or at public endpoints of that; else as the user types it. */
export async function startAddNetwork(deps: NetworkDeps, start: unknown): Promise<void> {
  const { gatewayOf, publicOf } = Start.safeParse(start).data ?? {};
  if (gatewayOf !== undefined) return addAtGateway(deps, gatewayOf);
  return publicOf === undefined ? addNetwork(deps) : addAtPublicEndpoint(deps, publicOf);
}

/**
 * Asks for a URL, finds out what answers there, and saves it to the user's settings once the user agrees. `goBack` leads
 * to what was asked before, if anything was.
 */
export async function addNetwork(deps: NetworkDeps, goBack?: () => Promise<void>): Promise<void> {
  const { l10n } = vscode;
  const title = l10n.t('Add Network');
  const onType = (text: string) => {
    typed = text;
  };
  const hasBack = goBack !== undefined;
  const answer = await askForUrl(deps, { title, value: typed, onType, hasBack });
  if (answer === 'back') return goBack?.();
  if (!answer) return;
  const draft = withEndpoint({}, answer, deps.settings.current.networks);
  return addDescribed(deps, { draft, facts: answer.facts }, () => addNetwork(deps, goBack));
}

/** A network of the chain behind Blockscout's gateway, with the key that it takes. */
export async function addAtGateway(deps: NetworkDeps, chainId: number): Promise<void> {
  const draft = atGateway(ofChain(chainId, deps.settings.current.networks));
  await addDescribed(deps, { draft, facts: undefined });
}

/** The active network moved to the first public endpoint that answers; a new one where that is of another chain. */
async function addAtPublicEndpoint(deps: NetworkDeps, chainId: number): Promise<void> {
  const { session, settings } = deps;
  const { network } = session;
  const isActive = session.isChosen && network.chainId === chainId;
  const known: Network = isActive ? network : { id: '', ...ofChain(chainId, settings.current.networks) };
  const found = await atPublicEndpoint(deps, known, isActive ? { but: network.rpcUrl } : {});
  if (found === undefined || found === 'anyway') return;
  if (found === 'gateway') return addAtGateway(deps, chainId);
  if (isActive && !network.id.startsWith(FOUNDRY)) return settings.saveNetwork(found);
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
    ...{
      title: l10n.t('Add Network'),
      hasBack: goBack !== undefined,
      untested: l10n.t('Endpoint not tested'),
    },
    actions: [
      { act: 'select', label: l10n.t('Add and Select'), icon: 'check' },
      { act: 'add', label: l10n.t('Add Without Selecting'), icon: 'add' },
    ],
  };
  const agreed = await showNetworkPage(deps, page, described);
  if (agreed === 'back') return goBack?.();
  const network = agreed && networkOf(agreed.draft, settings.current.networks);
  if (!network) return;
  if (agreed.typed && !(await keepSecret(deps, agreed.typed))) return;
  await settings.saveNetwork(network);
  typed = '';
  if (agreed.act === 'select') return settings.selectNetwork(network);
  void showMessage('information', l10n.t('{0} is added.', network.name));
}
