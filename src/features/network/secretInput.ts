import * as vscode from 'vscode';
import {
  createChainClient,
  extractKey,
  getGatewayChain,
  type HttpDeps,
  isAppError,
  type Network,
  parseRpcAuth,
  type RpcAuth,
  requiresSecret,
  SECRET_PLACEHOLDER,
  safeUrl,
  withEndpointSecret,
} from '../../core/index.ts';
import { describeError, toSentence } from '../../host/errors.ts';
import { formatErrorForLog } from '../../host/log.ts';
import { hasKeyInUrl, isSecureUrl } from '../../host/session/networks.ts';
import { type EndpointSecrets, type KeyStore, SecretStorageError } from '../../host/session/secrets.ts';
import type { Session } from '../../host/session/session.ts';
import type { SettingsService } from '../../host/settings/settings.ts';
import { openInputBox, type PickItem, pickOne, showMessage, showModal } from '../../host/ui/dialogs.ts';

export interface NetworkDeps {
  readonly session: Session;
  readonly settings: SettingsService;
  readonly keys: KeyStore;
  readonly secrets: EndpointSecrets;
  readonly http: HttpDeps;
  readonly log: vscode.LogOutputChannel;
}

/** Prompts for the secret of an endpoint, and tests it there; undefined if cancelled. */
export async function askForSecret(
  deps: NetworkDeps,
  endpoint: CheckedEndpoint,
): Promise<string | undefined> {
  const input = await askForKey({
    title: vscode.l10n.t('Set API Key for Endpoint'),
    prompt: formatPrompt(endpoint),
    signUpUrl: getSignUpUrl(endpoint.rpcUrl),
    check: (secret, options) => checkSecret(deps, { endpoint, secret }, options),
  });
  return input?.key;
}

/** The parts of a network that determine how its endpoint is requested; the chain ID if it is known. */
type CheckedEndpoint = Pick<Network, 'rpcUrl' | 'rpcAuth'> & { readonly chainId?: number | undefined };

/** Blockscout's sign-up page for its gateway. */
function getSignUpUrl(rpcUrl: string): string | undefined {
  const isGateway =
    new URL(rpcUrl).origin === 'https://api.blockscout.com' && getGatewayChain(rpcUrl) !== undefined;
  return isGateway ? 'https://dev.blockscout.com' : undefined;
}

function formatPrompt({ rpcUrl, rpcAuth }: CheckedEndpoint): string {
  const { l10n } = vscode;
  const origin = safeUrl(rpcUrl);
  const text = isSecureUrl(rpcUrl)
    ? l10n.t(
        'Key for {0}. Chainside keeps it in the secret storage of this computer and sends it only there.',
        origin,
      )
    : l10n.t('Key for {0}. Warning: without https, others can read it in transit.', origin);
  return `${text} ${formatPlaceDetail(rpcAuth)}`;
}

function formatPlaceDetail(rpcAuth: RpcAuth | undefined): string {
  const { l10n } = vscode;
  if (rpcAuth === undefined) {
    return l10n.t(
      'Chainside sends it in the URL of each request. Proxies and logs can record it, including VS Code’s own log at level Debug.',
    );
  }
  if (rpcAuth === 'bearer')
    return l10n.t('Chainside sends it as a bearer token in the header “authorization”.');
  return l10n.t('Chainside sends it in the header “{0}”.', rpcAuth.slice('header:'.length));
}

/** For a row of the network page. */
export function formatSecretPlace({ rpcUrl, rpcAuth }: CheckedEndpoint): string {
  const { l10n } = vscode;
  if (!requiresSecret({ rpcUrl, rpcAuth })) return l10n.t('none');
  if (rpcAuth === undefined) return l10n.t('in the URL');
  return rpcAuth === 'bearer'
    ? l10n.t('bearer token')
    : l10n.t('header {0}', rpcAuth.slice('header:'.length));
}

interface PlaceChoice extends PickItem {
  readonly as: 'bearer' | 'header' | 'none';
}

/**
 * Lets the user pick where the secret of an endpoint goes; undefined if cancelled, `none` if the endpoint takes no
 * secret any more.
 */
export async function askForSecretPlace({
  rpcUrl,
  rpcAuth,
}: CheckedEndpoint): Promise<RpcAuth | 'none' | undefined> {
  const { l10n } = vscode;
  const choices: PlaceChoice[] = [
    { as: 'bearer', label: l10n.t('Bearer Token'), description: l10n.t('header “authorization”') },
    { as: 'header', label: l10n.t('Another Header…'), description: l10n.t('such as x-api-key') },
    ...(rpcAuth === undefined
      ? []
      : [
          {
            as: 'none' as const,
            label: l10n.t('No API Key'),
            description: l10n.t('send requests without a key'),
          },
        ]),
  ];
  const placeHolder = l10n.t(
    'Choose where {0} expects its key. For a key in the URL, write {1} there instead',
    ...[safeUrl(rpcUrl), SECRET_PLACEHOLDER],
  );
  const picked = await pickOne(choices, { title: l10n.t('API Key for Endpoint'), placeHolder });
  return picked?.as === 'header' ? askForHeader() : picked?.as;
}

function askForHeader(): Promise<RpcAuth | undefined> {
  const { l10n } = vscode;
  return new Promise((resolve) => {
    const { box, showValidation } = openInputBox(
      l10n.t('API Key for Endpoint'),
      l10n.t('Name of the header'),
      {
        placeHolder: 'x-api-key',
      },
    );
    box.ignoreFocusOut = true;
    box.onDidChangeValue(() => showValidation());
    box.onDidAccept(() => {
      const place = parseRpcAuth(`header:${box.value.trim()}`);
      if (place === undefined) {
        const message = l10n.t('This header name is invalid or reserved.');
        return showValidation({ message, severity: vscode.InputBoxValidationSeverity.Error });
      }
      resolve(place);
      box.hide();
    });
    box.onDidHide(() => {
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}

const CHECK_TIMEOUT_MS = 15_000;

/** Tests a secret by requesting the latest block and the chain ID. */
async function checkSecret(
  { http, log }: NetworkDeps,
  { endpoint, secret }: { readonly endpoint: CheckedEndpoint; readonly secret: string },
  { signal }: { readonly signal: AbortSignal },
): Promise<CheckedKey> {
  const { l10n } = vscode;
  const store = { read: async () => secret };
  const httpDeps = withEndpointSecret(http, endpoint, () => store);
  const client = createChainClient({ ...httpDeps, url: endpoint.rpcUrl, timeoutMs: CHECK_TIMEOUT_MS });
  try {
    await client.getBlockNumber({ signal, retries: 0 });
    const chainId = await client.getChainId({ signal, retries: 0 });
    if (chainId === undefined || endpoint.chainId === undefined || chainId === endpoint.chainId) return {};
    const problem = l10n.t('The key is valid, but the endpoint serves chain {0}.', chainId);
    return { reason: { problem, canSave: true } };
  } catch (error) {
    if (isAppError(error, 'badInput')) return { reason: { problem: formatNotASecret(), canSave: false } };
    log.warn(formatErrorForLog(error));
    const { message } = describeError(error, { service: 'endpoint', network: toNetwork(endpoint) });
    if (isAppError(error, 'unauthorized')) {
      return { reason: { problem: toSentence(message), canSave: false } };
    }
    return {
      reason: { problem: l10n.t('The key could not be tested. {0}', toSentence(message)), canSave: true },
    };
  }
}

function formatNotASecret(): string {
  return vscode.l10n.t('Not a key: use up to 512 letters, digits and symbols, without spaces.');
}

function toNetwork({ rpcUrl, rpcAuth, chainId = 0 }: CheckedEndpoint): Network {
  return { id: '', name: '', symbol: '', decimals: 0, chainId, rpcUrl, rpcAuth };
}

/** Not stored yet; `origin` is that of the endpoint. */
export interface TypedSecret {
  readonly secret: string;
  readonly origin: string;
}

export function toTypedSecret(rpcUrl: string, secret: string): TypedSecret {
  return { secret, origin: new URL(rpcUrl).origin };
}

/** Stores a secret for its origin. The user confirms before it replaces another one; false if they decline. */
export async function storeSecret(
  { secrets }: NetworkDeps,
  { secret, origin }: TypedSecret,
): Promise<boolean> {
  const stored = await secrets.get(origin);
  if (stored === secret) return true;
  if (stored !== undefined) {
    const replace = vscode.l10n.t('Replace');
    const message = vscode.l10n.t('Replace the stored key for {0}?', safeUrl(origin));
    const detail = vscode.l10n.t('All networks with an endpoint there will use the new key.');
    if ((await showModal(message, detail, replace)) !== replace) return false;
  }
  return keepSecret(origin, () => secrets.set(origin, secret));
}

/** Stores the secret of an origin. False where the secret storage fails, with a message that says what helps. */
export function keepSecret(origin: string, store: () => Promise<void>): Promise<boolean> {
  const failed = vscode.l10n.t(
    'The key for {0} cannot be kept here: the secret storage of this editor fails.',
    safeUrl(origin),
  );
  return changeSecret(store, failed);
}

/** As {@link keepSecret}, to remove it. */
export function removeSecret(origin: string, remove: () => Promise<void>): Promise<boolean> {
  const failed = vscode.l10n.t(
    'The key for {0} cannot be removed: the secret storage of this editor fails.',
    safeUrl(origin),
  );
  return changeSecret(remove, failed);
}

async function changeSecret(change: () => Promise<void>, failed: string): Promise<boolean> {
  try {
    await change();
    return true;
  } catch (error) {
    if (!(error instanceof SecretStorageError)) throw error;
    const advice = vscode.l10n.t(
      'On Linux, install and unlock a keyring, or start the editor with “--password-store”. Then try again.',
    );
    void showMessage('error', `${failed} ${advice}`);
    return false;
  }
}

/**
 * Moves the key in the URL of a network from the settings to the secret storage, and leaves a placeholder. False if
 * there is no key, or the user keeps another stored one.
 */
export async function moveKeyOutOfUrl(deps: NetworkDeps, network: Network): Promise<boolean> {
  const found = extractKey(network.rpcUrl);
  if (!found || !(await storeSecret(deps, toTypedSecret(found.url, found.key)))) return false;
  // In this order the network never lacks its key.
  await deps.settings.saveNetwork({ ...network, rpcUrl: found.url });
  return true;
}

/** Offers to move the key out of the settings, if the URL of a network contains one. */
export async function offerToMoveKey(deps: NetworkDeps, network: Network): Promise<void> {
  if (!hasKeyInUrl(network)) return;
  const keep = vscode.l10n.t('Move to Secret Storage');
  const message = vscode.l10n.t(
    'The URL of {0} seems to contain a key, which settings.json stores as plain text.',
    network.name,
  );
  if ((await showMessage('information', message, keep)) === keep && (await moveKeyOutOfUrl(deps, network))) {
    void showMessage('information', vscode.l10n.t('The key for {0} is saved.', safeUrl(network.rpcUrl)));
  }
}

export interface CheckedKey {
  /** Undefined if the key is right; otherwise what is wrong, and whether it may be saved anyway. */
  readonly reason?: { readonly problem: string; readonly canSave: boolean };
}

interface KeyInputOptions<Checked> {
  readonly title: string;
  readonly prompt: string;
  /** The page on which the user gets a key, if it is known. */
  readonly signUpUrl?: string | undefined;
  readonly check: (key: string, options: { readonly signal: AbortSignal }) => Promise<Checked>;
}

interface KeyInput<Checked> {
  readonly key: string;
  readonly checked: Checked;
}

/**
 * A password field that stays open until the key is right, is saved anyway, or Escape cancels. Enter tests the key;
 * errors are shown at the field.
 */
export function askForKey<Checked extends CheckedKey>(
  options: KeyInputOptions<Checked>,
): Promise<KeyInput<Checked> | undefined> {
  const saveAnyway = { icon: 'save', tooltip: vscode.l10n.t('Save Anyway') };
  const { signUpUrl } = options;
  const signUp = signUpUrl
    ? { icon: 'link-external', tooltip: vscode.l10n.t('Sign Up for a Key') }
    : undefined;
  const { box, showValidation, isLasting } = openInputBox(options.title, options.prompt, {
    ...(signUp && { lasting: signUp }),
  });
  box.password = true;
  box.ignoreFocusOut = true;
  const closed = new AbortController();
  let unconfirmed: KeyInput<Checked> | undefined;

  function showReason({ problem, canSave }: NonNullable<CheckedKey['reason']>): void {
    const { Warning, Error: Wrong } = vscode.InputBoxValidationSeverity;
    if (canSave) {
      const again = vscode.l10n.t('{0} Press Enter to retry, or use the button “Save Anyway”.', problem);
      showValidation({ message: again, severity: Warning }, saveAnyway);
    } else {
      showValidation({ message: problem, severity: Wrong });
    }
  }

  return new Promise((resolve) => {
    const finish = (result: KeyInput<Checked> | undefined) => {
      resolve(result);
      box.hide();
    };
    box.onDidChangeValue(() => showValidation());
    box.onDidAccept(async () => {
      const key = box.value.trim();
      box.busy = true;
      box.enabled = false;
      showValidation();
      const checked = await options.check(key, { signal: closed.signal });
      if (closed.signal.aborted) return;
      if (!checked.reason) return finish({ key, checked });
      unconfirmed = { key, checked };
      box.busy = false;
      box.enabled = true;
      showReason(checked.reason);
    });
    box.onDidTriggerButton((button) => {
      if (!isLasting(button)) finish(unconfirmed);
      else if (signUpUrl) void vscode.env.openExternal(vscode.Uri.parse(signUpUrl, true));
    });
    box.onDidHide(() => {
      closed.abort();
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}
