import * as vscode from 'vscode';
import { extractKey, type Network, safeUrl } from '../../core/index.ts';
import { holdsKey } from '../../host/settings/keyInSettings.ts';
import { showMessage, showModal } from '../../host/surface/messages.ts';
import type { NetworkDeps } from './deps.ts';

/** A secret for the origin of a URL, typed and not stored yet. */
export interface TypedSecret {
  readonly secret: string;
  readonly origin: string;
}

export function typedSecret(rpcUrl: string, secret: string): TypedSecret {
  return { secret, origin: new URL(rpcUrl).origin };
}

/** Stores a secret for its origin. Where another is stored already, asks first; false if that is to stay. */
export async function keepSecret(
  { secrets }: NetworkDeps,
  { secret, origin }: TypedSecret,
): Promise<boolean> {
  const stored = await secrets.get(origin);
  if (stored === secret) return true;
  if (stored !== undefined) {
    const replace = vscode.l10n.t('Replace');
    const question = vscode.l10n.t('Replace the key that is stored for {0}?', safeUrl(origin));
    const detail = vscode.l10n.t('Every network with an endpoint there is asked with the new one then.');
    if ((await showModal(question, detail, replace)) !== replace) return false;
  }
  await secrets.set(origin, secret);
  return true;
}

/**
 * Takes the key out of the URL of a network in the settings and stores it in its place; the settings have the mark of it
 * then. False where there is none, or another key is to stay.
 */
export async function moveKeyOutOfUrl(deps: NetworkDeps, network: Network): Promise<boolean> {
  const found = extractKey(network.rpcUrl);
  if (!found || !(await keepSecret(deps, typedSecret(found.url, found.key)))) return false;
  // In this order the network is never without its key.
  await deps.settings.saveNetwork({ ...network, rpcUrl: found.url });
  return true;
}

/** Offers to take the key out of the settings, where a network has one in its URL. */
export async function offerToMoveKey(deps: NetworkDeps, network: Network): Promise<void> {
  if (!holdsKey(network)) return;
  const keep = vscode.l10n.t('Keep in Secret Storage');
  const message = vscode.l10n.t(
    'The URL of {0} seems to hold a key, which settings.json keeps as plain text.',
    network.name,
  );
  if ((await showMessage('information', message, keep)) === keep && (await moveKeyOutOfUrl(deps, network))) {
    void showMessage('information', vscode.l10n.t('The key for {0} is saved.', safeUrl(network.rpcUrl)));
  }
}
