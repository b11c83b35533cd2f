import * as vscode from 'vscode';
import {
  createDataApiClient,
  createKeyPlaceFinder,
  isAppError,
  type KeyPlace,
  type KeyStatus,
  type Network,
  safeUrl,
} from '../../core/index.ts';
import { createSettingsRemedy, describeError, toSentence } from '../../host/errors.ts';
import { formatErrorForLog } from '../../host/log.ts';
import { isSecureUrl } from '../../host/session/networks.ts';
import type { KeyPlaceSetting } from '../../host/settings/settingTable.ts';
import { showMessage, showModal } from '../../host/ui/dialogs.ts';
import { askForKey, type CheckedKey, keepSecret, type NetworkDeps, removeSecret } from './secretInput.ts';

type ServedNetwork = Network & { readonly dataApiUrl: string };

/**
 * Prompts for a key of the active network's data API, tests it with a request, and stores it for the origin of that
 * API.
 */
export async function setApiKey(deps: NetworkDeps): Promise<void> {
  const network = await requireDataApi(deps.session.network);
  if (!network) return;
  const { keyIn } = deps.settings.current;
  const input = await askForKey({
    title: vscode.l10n.t('Set Data API Key'),
    prompt: formatPrompt(network.dataApiUrl, keyIn),
    signUpUrl: getSignUpUrl(network.dataApiUrl),
    check: (key, options) => checkKey(deps, { network, key, keyIn }, options),
  });
  if (!input) return;
  const { key, checked } = input;
  const { dataApiUrl } = network;
  if (!(await keepSecret(dataApiUrl, () => deps.keys.set(dataApiUrl, key, checked.place)))) return;
  void showMessage('information', formatSaved(network.dataApiUrl, keyIn === 'auto' ? checked.place : keyIn));
}

/** The sign-up page of the provider of a data API. */
function getSignUpUrl(url: string): string | undefined {
  const isCovalent = new URL(url).origin === 'https://api.covalenthq.com';
  return isCovalent ? 'https://goldrush.dev/platform/auth/register/' : undefined;
}

function formatSaved(url: string, place: KeyPlace | undefined): string {
  const origin = safeUrl(url);
  return place === 'query'
    ? vscode.l10n.t(
        'The key for {0} is saved. Chainside sends it in the URL of each request. Proxies and logs can record it, including VS Code’s own log at level Debug.',
        origin,
      )
    : vscode.l10n.t('The key for {0} is saved.', origin);
}

export async function forgetApiKey({ session, keys }: NetworkDeps): Promise<void> {
  const network = await requireDataApi(session.network);
  if (!network) return;
  const origin = safeUrl(network.dataApiUrl);
  if ((await keys.get(network.dataApiUrl)) === undefined) {
    void showMessage('information', vscode.l10n.t('No key is stored for {0}.', origin));
    return;
  }
  const forget = vscode.l10n.t('Forget');
  const message = vscode.l10n.t('Forget the key for {0}?', origin);
  const chosen = await showModal(message, '', forget);
  if (chosen === forget) await removeSecret(origin, () => keys.forget(network.dataApiUrl));
}

/** The network if it has a data API; otherwise shows a message. */
async function requireDataApi(network: Network): Promise<ServedNetwork | undefined> {
  const { dataApiUrl } = network;
  if (dataApiUrl !== undefined) return { ...network, dataApiUrl };
  const { title, run } = createSettingsRemedy('chainside.networks');
  const message = vscode.l10n.t('{0} has no data API, so there is no key to set.', network.name);
  if ((await showMessage('warning', message, title)) === title) await run();
  return undefined;
}

function formatPrompt(url: string, keyIn: KeyPlaceSetting): string {
  const origin = safeUrl(url);
  const text = isSecureUrl(url)
    ? vscode.l10n.t(
        'Key for {0}. Chainside keeps it in the secret storage of this computer and sends it only there.',
        origin,
      )
    : vscode.l10n.t('Key for {0}. Warning: without https, others can read it in transit.', origin);
  if (keyIn !== 'auto') return text;
  return `${text} ${vscode.l10n.t('Chainside sends it in a header, or in the URL if the server refuses it there.')}`;
}

interface TypedKey {
  readonly network: ServedNetwork;
  readonly key: string;
  readonly keyIn: KeyPlaceSetting;
}

interface FoundKey extends CheckedKey {
  /** Where the server accepts the key; undefined if a setting decides this, because the setting may change. */
  readonly place?: KeyPlace;
}

async function checkKey(
  { http, log }: NetworkDeps,
  { network, key, keyIn }: TypedKey,
  { signal }: { readonly signal: AbortSignal },
): Promise<FoundKey> {
  const { dataApiUrl: baseUrl, chainId } = network;
  const finder = createKeyPlaceFinder();
  try {
    const client = createDataApiClient({
      ...http,
      baseUrl,
      chainId,
      key,
      keyIn: keyIn === 'auto' ? finder : keyIn,
      timeoutMs: 15_000,
    });
    const status = await client.checkKey({ signal });
    const found = finder.found === undefined ? {} : { place: finder.found };
    if (status === 'right') return found;
    return { ...found, reason: { problem: formatKeyStatus(status, network), canSave: status !== 'wrong' } };
  } catch (error) {
    if (isAppError(error, 'badInput')) return { reason: { problem: formatNotAKey(), canSave: false } };
    log.warn(formatErrorForLog(error));
    const { message } = describeError(error, { service: 'source', network });
    return {
      reason: {
        problem: vscode.l10n.t('The key could not be tested. {0}', toSentence(message)),
        canSave: true,
      },
    };
  }
}

function formatNotAKey(): string {
  return vscode.l10n.t('Not an API key: use up to 512 letters, digits and symbols, without spaces.');
}

function formatKeyStatus(verdict: Exclude<KeyStatus, 'right'>, { name }: Network): string {
  switch (verdict) {
    case 'wrong':
      return vscode.l10n.t('The data API does not accept this key: it is wrong or inactive.');
    case 'exhausted':
      return vscode.l10n.t('The key is valid, but its credits are used up.');
    case 'notEntitled':
      return vscode.l10n.t('The key is valid, but has no access to token balances.');
    case 'chainNotServed':
      return vscode.l10n.t('The data API does not support {0}, so the key could not be tested.', name);
  }
}
