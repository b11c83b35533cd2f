import * as vscode from 'vscode';
import { checkEtherscanKey, ETHERSCAN_URL, isAppError } from '../../core/index.ts';
import { describeError, toSentence } from '../../host/errors.ts';
import { formatValidationError } from '../../host/l10n.ts';
import { formatErrorForLog } from '../../host/log.ts';
import { findProjectEtherscanKey, type ProjectEtherscanKey } from '../../host/settings/projectEndpoints.ts';
import {
  type PickItem,
  pickOne,
  showMessage,
  showModal,
  withDelayedProgress,
} from '../../host/ui/dialogs.ts';
import { askForKey, type CheckedKey, keepSecret, type NetworkDeps, removeSecret } from './secretInput.ts';

const ORIGIN = new URL(ETHERSCAN_URL).origin;
const SIGN_UP_URL = 'https://etherscan.io/apidashboard';

/**
 * Stores a key for Etherscan once a request has tested it: the one that the project names, or one that the user enters.
 * With `offer`, only asks about the one of the project, unless the user has decided; does nothing if there is none.
 */
export async function setEtherscanKey(deps: EtherscanKeyDeps, argument?: unknown): Promise<void> {
  if (argument === 'offer') return offerProjectKey(deps);
  const project = await findProjectEtherscanKey(AbortSignal.timeout(SEARCH_TIMEOUT_MS));
  const chosen = project ? await pickKey(project) : 'enter';
  if (chosen === 'enter') await enterKey(deps);
  else if (project && chosen === 'project') await useProjectKey(deps, project);
}

export interface EtherscanKeyDeps extends NetworkDeps {
  readonly workspaceState: vscode.Memento;
}

/** A slow file system must not hold up the input box. */
const SEARCH_TIMEOUT_MS = 5_000;

type KeyChoice = PickItem & { readonly choice: 'project' | 'enter' };

async function pickKey({ variable, file }: ProjectEtherscanKey): Promise<KeyChoice['choice'] | undefined> {
  const { l10n } = vscode;
  const choices: readonly KeyChoice[] = [
    {
      choice: 'project',
      label: l10n.t('Use Key of This Project'),
      description: variable === undefined ? file : `${variable} · ${file}`,
      iconPath: new vscode.ThemeIcon('file-code'),
    },
    { choice: 'enter', label: l10n.t('Enter Another Key…'), iconPath: new vscode.ThemeIcon('key') },
  ];
  const placeHolder = l10n.t(
    'Chainside keeps the key in the secret storage and sends it only to {0}',
    ORIGIN,
  );
  return (await pickOne(choices, { title: l10n.t('Set Etherscan API Key'), placeHolder }))?.choice;
}

/** Whether the user wants no offer in this workspace. */
const DECLINED_KEY = 'etherscanOfferDeclined';

async function offerProjectKey(deps: EtherscanKeyDeps): Promise<void> {
  const { keys, workspaceState } = deps;
  if (workspaceState.get(DECLINED_KEY) === true || (await keys.get(ETHERSCAN_URL))) return;
  const project = await findProjectEtherscanKey(AbortSignal.timeout(SEARCH_TIMEOUT_MS));
  if (!project) return;
  const { l10n } = vscode;
  const { host } = new URL(ETHERSCAN_URL);
  const { variable, file } = project;
  const place = variable === undefined ? file : `${variable} (${file})`;
  const message = l10n.t(
    'This project has an Etherscan API key: {0}. Use it for data that no other provider has? Chainside sends the key only to {1}, which also receives the chain and the addresses that you view.',
    place,
    host,
  );
  const [use, notNow, never] = [l10n.t('Use Key'), l10n.t('Not Now'), l10n.t('Don’t Ask Again')];
  const answer = await showMessage('information', message, use, notNow, never);
  if (answer === use) await useProjectKey(deps, project);
  if (answer === never) await workspaceState.update(DECLINED_KEY, true);
}

/** Tests and stores the key of the project. A key that could not be tested is stored only if the user says so. */
async function useProjectKey(deps: EtherscanKeyDeps, { key }: ProjectEtherscanKey): Promise<void> {
  const { l10n } = vscode;
  const checked = await withDelayedProgress(l10n.t('Testing the key for {0}', ORIGIN), (options) =>
    checkKey(deps, key, options),
  );
  if (checked === 'cancelled') return;
  const { reason } = checked;
  if (reason) {
    const save = l10n.t('Save Anyway');
    const another = l10n.t('Enter Another Key…');
    const buttons = reason.canSave ? [save, another] : [another];
    const answer = await showMessage('warning', reason.problem, ...buttons);
    if (answer === another) return enterKey(deps);
    if (answer !== save) return;
  }
  await storeKey(deps, key);
}

async function enterKey(deps: EtherscanKeyDeps): Promise<void> {
  const input = await askForKey({
    title: vscode.l10n.t('Set Etherscan API Key'),
    prompt: vscode.l10n.t(
      'Key for {0}. Chainside keeps it in the secret storage of this computer and sends it only there, in the URL of each request.',
      ORIGIN,
    ),
    signUpUrl: SIGN_UP_URL,
    check: (key, options) => checkKey(deps, key, options),
  });
  if (input) await storeKey(deps, input.key);
}

async function storeKey({ keys }: EtherscanKeyDeps, key: string): Promise<void> {
  if (!(await keepSecret(ORIGIN, () => keys.set(ETHERSCAN_URL, key, 'query')))) return;
  void showMessage('information', vscode.l10n.t('The key for {0} is saved.', ORIGIN));
}

export async function forgetEtherscanKey({ keys }: EtherscanKeyDeps): Promise<void> {
  if ((await keys.get(ETHERSCAN_URL)) === undefined) {
    void showMessage('information', vscode.l10n.t('No key is stored for {0}.', ORIGIN));
    return;
  }
  const forget = vscode.l10n.t('Forget');
  const chosen = await showModal(vscode.l10n.t('Forget the key for {0}?', ORIGIN), '', forget);
  if (chosen === forget) await removeSecret(ORIGIN, () => keys.forget(ETHERSCAN_URL));
}

/** Tests a key with one request. */
async function checkKey(
  { http, log, session }: EtherscanKeyDeps,
  key: string,
  { signal }: { readonly signal: AbortSignal },
): Promise<CheckedKey> {
  try {
    await checkEtherscanKey(http, key, { signal });
    return {};
  } catch (error) {
    if (isAppError(error, 'badInput'))
      return { reason: { problem: formatValidationError(error, vscode.l10n), canSave: false } };
    log.warn(formatErrorForLog(error));
    const { message } = describeError(error, { service: 'source', network: session.network });
    if (isAppError(error, 'unauthorized'))
      return { reason: { problem: toSentence(message), canSave: false } };
    const problem = vscode.l10n.t('The key could not be tested. {0}', toSentence(message));
    return { reason: { problem, canSave: true } };
  }
}
