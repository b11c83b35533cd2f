import * as vscode from 'vscode';
import { type Network, requiresSecret, safeUrl } from '../../core/index.ts';
import { hasKeyInUrl } from '../../host/session/networks.ts';
import { isEndpointId } from '../../host/settings/settingTable.ts';
import { showMessage, showModal } from '../../host/ui/dialogs.ts';
import {
  askForSecret,
  askForSecretPlace,
  keepSecret,
  moveKeyOutOfUrl,
  type NetworkDeps,
  removeSecret,
} from './secretInput.ts';

/**
 * Prompts for the secret of a network's endpoint, tests it with a request, and stores it for the origin of the
 * endpoint. If the URL in the settings contains the key, moves it from there.
 */
export async function setEndpointSecret(deps: NetworkDeps, which?: unknown): Promise<void> {
  const network = await resolveNetwork(deps, which);
  if (!network) return;
  if (isEndpointId(network.id)) {
    const message = vscode.l10n.t(
      'The URL of {0} comes from a config file. Set its key in .env or the environment.',
      network.name,
    );
    void showMessage('information', message);
    return;
  }
  if (!requiresSecret(network) && hasKeyInUrl(network)) return moveKey(deps, network);
  const withPlace = requiresSecret(network) ? network : await pickSecretPlace(network);
  const secret = withPlace && (await askForSecret(deps, withPlace));
  if (!withPlace || secret === undefined) return;
  // A new key replaces the old one without confirmation.
  if (!(await keepSecret(withPlace.rpcUrl, () => deps.secrets.set(withPlace.rpcUrl, secret)))) return;
  if (withPlace !== network) await deps.settings.saveNetwork(withPlace);
  showSaved(withPlace);
}

/** The network with the secret's place that the user picks. */
async function pickSecretPlace(network: Network): Promise<Network | undefined> {
  const place = await askForSecretPlace(network);
  return place === undefined || place === 'none' ? undefined : { ...network, rpcAuth: place };
}

async function moveKey(deps: NetworkDeps, network: Network): Promise<void> {
  const { l10n } = vscode;
  const keep = l10n.t('Move to Secret Storage');
  const message = l10n.t('Move the key out of the URL of {0}?', network.name);
  const detail = l10n.t(
    'settings.json stores it as plain text. Chainside moves it to the secret storage of this computer and sends it only to {0}.',
    safeUrl(network.rpcUrl),
  );
  if ((await showModal(message, detail, keep)) !== keep) return;
  if (await moveKeyOutOfUrl(deps, network)) showSaved(network);
}

function showSaved({ rpcUrl }: Network): void {
  void showMessage('information', vscode.l10n.t('The key for {0} is saved.', safeUrl(rpcUrl)));
}

/** Removes the secret of a network's endpoint from the secret storage after confirmation. */
export async function forgetEndpointSecret(deps: NetworkDeps, which?: unknown): Promise<void> {
  const { l10n } = vscode;
  const network = await resolveNetwork(deps, which);
  if (!network) return;
  const origin = safeUrl(network.rpcUrl);
  if ((await deps.secrets.get(network.rpcUrl)) === undefined) {
    void showMessage('information', l10n.t('No key is stored for {0}.', origin));
    return;
  }
  const forget = l10n.t('Forget');
  const chosen = await showModal(
    l10n.t('Forget the key for {0}?', origin),
    formatUsers(deps, network),
    forget,
  );
  if (chosen === forget) await removeSecret(origin, () => deps.secrets.forget(network.rpcUrl));
}

/** The networks that stop working without the secret. */
function formatUsers({ settings }: NetworkDeps, { rpcUrl }: Network): string {
  const { origin } = new URL(rpcUrl);
  const users = settings.current.networks.filter(
    (network) => requiresSecret(network) && new URL(network.rpcUrl).origin === origin,
  );
  const names = users.map(({ name }) => name).join(', ');
  return names === '' ? '' : vscode.l10n.t('Used by: {0}.', names);
}

/** The network with the ID passed, else the active one, which the user picks if there is none. */
async function resolveNetwork(
  { session, settings }: NetworkDeps,
  which: unknown,
): Promise<Network | undefined> {
  const named = settings.current.networks.find(({ id }) => id === which);
  if (named) return named;
  return (await session.choose()) ? session.network : undefined;
}
