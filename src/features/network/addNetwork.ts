import * as vscode from 'vscode';
import { groupDigits, type Network, publicExplorers, safeUrl } from '../../core/index.ts';
import { cancellable } from '../../host/commands/progress.ts';
import { errorText } from '../../host/log.ts';
import { showMessage, showModal } from '../../host/surface/messages.ts';
import { type Choice, pickOne } from '../../host/surface/questions.ts';
import { describeError } from '../../host/words/describeError.ts';
import { checkEndpoint } from './checkEndpoint.ts';
import type { NetworkDeps } from './deps.ts';
import { askForNetwork } from './networkForm.ts';

/** Lets the user choose a public explorer or type a network, asks its endpoint, and saves it to the user's settings. */
export async function addNetwork(deps: NetworkDeps): Promise<void> {
  const chosen = await pickTemplate(deps);
  if (!chosen) return;
  let network = chosen === 'custom' ? await typeNetwork(deps, {}) : chosen;
  while (network) {
    const outcome = await checkAndAsk(deps, network);
    if (outcome === 'leave') return;
    if (outcome === 'save') return save(deps, network, undefined);
    if (outcome === 'edit') network = await typeNetwork(deps, network);
    else if ('block' in outcome) return save(deps, network, outcome.block);
    else network = { ...network, chainId: outcome.chainId };
  }
}

interface Template extends Choice {
  readonly network?: Network;
  readonly custom?: true;
}

async function pickTemplate({ settings }: NetworkDeps): Promise<Network | 'custom' | undefined> {
  const known = new Set(settings.current.networks.map(({ id }) => id));
  const explorers: Template[] = publicExplorers.map((network) => ({
    label: network.name,
    description: vscode.l10n.t('chain {0}', network.chainId),
    detail: known.has(network.id) ? vscode.l10n.t('Already added') : safeUrl(network.rpcUrl),
    network,
  }));
  const picked = await pickOne<Template>(
    [
      { label: vscode.l10n.t('Custom Network…'), iconPath: new vscode.ThemeIcon('edit'), custom: true },
      { label: vscode.l10n.t('public explorers'), kind: vscode.QuickPickItemKind.Separator },
      ...explorers,
    ],
    {
      title: vscode.l10n.t('Add Network'),
      placeHolder: vscode.l10n.t('Choose a public explorer, or describe a network of your own'),
      matchOnDescription: true,
    },
  );
  return picked?.custom ? 'custom' : picked?.network;
}

async function typeNetwork({ settings }: NetworkDeps, draft: Partial<Network>): Promise<Network | undefined> {
  const fields = await askForNetwork(draft);
  return fields && { ...fields, id: draft.id ?? freeId(fields.name, settings.current.networks) };
}

type Outcome =
  | 'save'
  | 'edit'
  | 'leave'
  | 'retry'
  | { readonly block: bigint }
  | { readonly chainId: number };

/** Checks the endpoint; when it does not fit, asks the user what to do. Tries again as often as they want. */
async function checkAndAsk(deps: NetworkDeps, network: Network): Promise<Exclude<Outcome, 'retry'>> {
  for (;;) {
    const outcome = await checkOnce(deps, network);
    if (outcome !== 'retry') return outcome;
  }
}

async function checkOnce({ http, log }: NetworkDeps, network: Network): Promise<Outcome> {
  const title = vscode.l10n.t('Asking {0}', safeUrl(network.rpcUrl));
  const check = await cancellable(title, ({ signal }) => checkEndpoint(http, network, { signal })).catch(
    (error: unknown) => ({ state: 'failed' as const, error }),
  );
  if (check === 'cancelled') return 'leave';
  switch (check.state) {
    case 'fits':
      return { block: check.block };
    case 'otherChain':
      return askAboutChain(network, check.chainId);
    case 'failed':
      log.warn(errorText(check.error));
      return askAboutFailure(describeError(check.error, { service: 'endpoint', network }).message);
  }
}

/** A dialog: a notification would hide itself after some seconds, and with it all that has been typed. */
async function askAboutChain(network: Network, chainId: number): Promise<Outcome> {
  const use = vscode.l10n.t('Use {0}', chainId);
  const edit = vscode.l10n.t('Edit…');
  const message = vscode.l10n.t(
    '{0} says that its chain ID is {1}, not {2}.',
    safeUrl(network.rpcUrl),
    chainId,
    network.chainId,
  );
  const chosen = await showModal(message, '', use, edit);
  if (chosen === use) return { chainId };
  return chosen === edit ? 'edit' : 'leave';
}

async function askAboutFailure(reason: string): Promise<Outcome> {
  const retry = vscode.l10n.t('Try Again');
  const edit = vscode.l10n.t('Edit…');
  const save = vscode.l10n.t('Save Anyway');
  const message = vscode.l10n.t('The network is not saved yet.');
  switch (await showModal(message, reason, retry, edit, save)) {
    case retry:
      return 'retry';
    case edit:
      return 'edit';
    case save:
      return 'save';
    default:
      return 'leave';
  }
}

async function save({ settings }: NetworkDeps, network: Network, block: bigint | undefined): Promise<void> {
  await settings.saveNetwork(network);
  const use = vscode.l10n.t('Select It');
  const message =
    block === undefined
      ? vscode.l10n.t('{0} is saved, unchecked.', network.name)
      : vscode.l10n.t('{0} is saved. Its latest block is {1}.', network.name, groupDigits(block));
  if ((await showMessage('information', message, use)) === use) await settings.selectNetwork(network);
}

/** An id made of the name, with a number behind it if a network has it already. */
function freeId(name: string, networks: readonly Network[]): string {
  const slug =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'network';
  const taken = new Set(networks.map(({ id }) => id));
  for (let id = slug, count = 2; ; id = `${slug}-${count++}`) {
    if (!taken.has(id)) return id;
  }
}
