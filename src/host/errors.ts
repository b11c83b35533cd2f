import * as vscode from 'vscode';
import {
  type AppError,
  asAppError,
  explorerApiUrl,
  formatDuration,
  getGatewayChain,
  isAppError,
  isLoopbackUrl,
  listPublicEndpoints,
  type Network,
  type ProviderLabel,
  requiresSecret,
  safeUrl,
  sanitizeText,
} from '../core/index.ts';
import type { ArgumentsOf, CommandId, SettingId } from '../manifest.ts';
import { createCommand } from './commands.ts';
import { formatValidationError } from './l10n.ts';
import { formatErrorForLog } from './log.ts';
import {
  describeUnreachable,
  type EditorSetting,
  findUnreachableSetting,
  getUnreachableAdvice,
} from './networkErrors.ts';
import { isEndpointId } from './settings/settingTable.ts';
import { showMessage } from './ui/dialogs.ts';

/** What received the request: the endpoint of the network, or another provider. */
export type ServiceKind = 'endpoint' | 'source';

export interface ErrorDescription {
  /** In the user's language, with the server's origin; untrusted text in it is escaped and bounded. */
  readonly message: string;
  /** The message without the server, for a narrow place that shows it anyway. */
  readonly reason: string;
  /** A short advice at the end of the message. */
  readonly hint?: string | undefined;
  /** Longer advice than the titles of the remedies. */
  readonly advice: string | undefined;
  readonly remedies: readonly Remedy[];
}

/** Their messages do not need the server. */
const completeKinds = [
  'aborted',
  'badInput',
  'internal',
  'network',
  'notAContract',
  'notChosen',
  'reverted',
] as const;

/** Describes an error to the user. Only this function formats errors for users. */
export function describeError(
  cause: unknown,
  { service, network }: { readonly service: ServiceKind; readonly network: Network },
): ErrorDescription {
  const error = asAppError(cause);
  const provider = service === 'source' ? (error.details.provider ?? getDataApiLabel(network)) : undefined;
  const reason = formatErrorReason(error, provider, network);
  const origin = provider?.origin ?? safeUrl(network.rpcUrl);
  const isComplete = isAppError(error, ...completeKinds) || isEmptyResult(error);
  const hint = getErrorHint(error, provider, network);
  const message = isComplete ? reason : vscode.l10n.t('{0}: {1}', origin, reason);
  return {
    message: hint === undefined ? message : vscode.l10n.t('{0}. {1}.', message, hint),
    reason,
    hint,
    advice: getErrorAdvice(error, provider, network),
    remedies: getErrorRemedies(error, provider, network),
  };
}

/**
 * Shows the user why their command failed, with its remedies. Shows nothing for a cancelled one.
 *
 * @returns whether they chose to retry, which is offered if `canRetry`.
 */
export async function showError(error: unknown, context: ErrorContext, canRetry = false): Promise<boolean> {
  if (isAppError(error, 'aborted')) return false;
  context.log.error(formatErrorForLog(error));
  const { message, remedies: known } = describeError(error, context);
  const remedies = [...(context.more ?? []), ...known];
  const tryAgain = vscode.l10n.t('Retry');
  const titles = [...(canRetry ? [tryAgain] : []), ...remedies.map(({ title }) => title)];
  const chosen = await showMessage('error', message, ...titles);
  if (chosen === tryAgain) return true;
  await remedies.find(({ title }) => title === chosen)?.run();
  return false;
}

interface ErrorContext {
  readonly service: ServiceKind;
  readonly network: Network;
  readonly log: vscode.LogOutputChannel;
  /** Offered before the remedies of the error. */
  readonly more?: readonly Pick<Remedy, 'title' | 'run'>[];
}

/** The provider of an error that occurred before any request. */
function getDataApiLabel({ dataApiUrl }: Network): ProviderLabel | undefined {
  return dataApiUrl === undefined
    ? undefined
    : { name: 'covalent', origin: safeUrl(dataApiUrl), takesKey: true };
}

/**
 * Formats an error to follow the name of the server, or with the server in it where it was not reached; `provider`
 * received the request, or else the endpoint of `network`.
 */
function formatErrorReason(error: AppError, provider: ProviderLabel | undefined, network: Network): string {
  const { l10n } = vscode;
  switch (error.kind) {
    case 'aborted':
      return l10n.t('cancelled');
    case 'badInput':
    case 'reverted':
      return sanitizeText(formatValidationError(error, l10n), 300);
    case 'internal':
      return l10n.t('Something went wrong in Chainside.');
    case 'network':
      return describeUnreachable(error.details.networkError, provider?.origin ?? network.rpcUrl).what;
    case 'notChosen':
      return l10n.t('No network is chosen');
    case 'timeout':
      return l10n.t('did not respond in time');
    case 'redirected':
      return l10n.t('redirects to another URL');
    case 'badResponse':
      if (isEmptyResult(error)) return sanitizeText(formatValidationError(error, l10n), 300);
      if (!provider) return l10n.t('the response is not JSON-RPC');
      return provider.takesKey && provider.name !== 'etherscan'
        ? l10n.t('did not return a valid data API response')
        : l10n.t('returned an unexpected response');
    case 'badLogs':
      return error.details.field === undefined
        ? l10n.t('the result of eth_getLogs is not a list of logs')
        : l10n.t('an entry in the result of eth_getLogs is not a valid log ({0})', error.details.field);
    case 'tooLarge':
      return l10n.t('the response is too large');
    case 'requestTooLarge':
      return l10n.t('rejected the request because it is too large');
    case 'rpc':
      return l10n.t('rejected the request: {0}', sanitizeText(error.details.serverMessage ?? '', 200));
    case 'notAContract':
      return l10n.t('There is no contract at this address in this block.');
    case 'historyUnavailable':
      return error.details.field === 'pastBlock'
        ? l10n.t('has the state of the latest block only')
        : l10n.t('no longer has the state of this block');
    case 'blockNotSeen':
      if (error.details.field === 'noBlocks')
        return l10n.t('is still fetching the chain and has no blocks yet');
      return l10n.t('has not seen this block yet, as some of its replicas lag');
    case 'notFound':
      return l10n.t('not found (HTTP 404)');
    case 'rateLimited':
      return appendRetryDelay(l10n.t('too many requests'), error);
    case 'unavailable':
      return appendRetryDelay(
        provider
          ? l10n.t('is under maintenance or overloaded (HTTP 503)')
          : l10n.t('not available at the moment (HTTP 503)'),
        error,
      );
    case 'server':
      return l10n.t('failed (HTTP {0})', error.details.status ?? 500);
    case 'needsKey':
      return l10n.t('this endpoint needs a key');
    case 'unauthorized':
    case 'forbidden':
    case 'creditsUsedUp':
      return formatKeyError(error, getKeyHolder(provider, network));
    case 'notServed':
      if (error.details.field === 'blockTime') return l10n.t('does not report block times');
      if (!provider) return l10n.t('serves only logs and blocks');
      return error.details.status === 404
        ? l10n.t('does not support this chain, or no longer offers this data')
        : l10n.t('does not support this chain');
    case 'tooHeavy':
      return l10n.t('the address has too much data for this service');
  }
}

/** Whether a contract, not the server, returned nothing that can be read. */
function isEmptyResult(error: AppError): boolean {
  return error.kind === 'badResponse' && error.details.validation !== undefined;
}

/** What to do first, without a full stop. */
function getErrorHint(
  error: AppError,
  provider: ProviderLabel | undefined,
  network: Network,
): string | undefined {
  const { l10n } = vscode;
  const { networkError, retryAfterMs, field } = error.details;
  switch (error.kind) {
    case 'network':
      return describeUnreachable(networkError, provider?.origin ?? network.rpcUrl).hint;
    case 'redirected':
      return l10n.t('Set that URL instead');
    case 'rateLimited':
      return retryAfterMs === undefined ? l10n.t('Wait a moment and retry') : undefined;
    case 'badResponse':
      return provider || isEmptyResult(error) ? undefined : l10n.t('Check the path of the URL');
    case 'blockNotSeen':
      return l10n.t('Wait a moment and retry');
    case 'historyUnavailable':
      if (field === 'pastBlock') return l10n.t('Choose the latest block or another endpoint');
      return l10n.t('Choose a later block or an archive node. Most nodes keep the last 128 blocks only');
    case 'notFound':
      return l10n.t('Check the path of the URL');
    case 'notServed':
      if (field === 'blockTime') return l10n.t('Use block numbers for the range');
      return provider ? undefined : l10n.t('Choose a node or an explorer for balances and calls');
    default:
      return undefined;
  }
}

/** A message as a sentence that another one may follow. */
export function toSentence(message: string): string {
  return message.endsWith('.') ? message : `${message}.`;
}

/** Appends the wait that the server requests. */
function appendRetryDelay(reason: string, { details }: AppError): string {
  if (details.retryAfterMs === undefined) return reason;
  const wait = formatDuration(details.retryAfterMs, vscode.env.language);
  return vscode.l10n.t('{0}; retry after {1}', reason, wait);
}

const dataApiErrorKinds = ['unauthorized', 'forbidden', 'creditsUsedUp', 'badResponse'] as const;

/** Advice in addition to the remedies, if any. */
function getErrorAdvice(
  error: AppError,
  provider: ProviderLabel | undefined,
  network: Network,
): string | undefined {
  return (
    getUnreachableAdvice(
      error.details.networkError,
      provider?.origin ?? network.rpcUrl,
      provider ? undefined : network.rpcAuth,
    ) ??
    (provider ? getProviderAdvice(error, provider) : undefined) ??
    getEndpointKeyAdvice(error, getKeyHolder(provider, network))
  );
}

function getProviderAdvice(error: AppError, { name, takesKey }: ProviderLabel): string | undefined {
  const { l10n } = vscode;
  if (name === 'etherscan') return getEtherscanAdvice(error);
  if (!takesKey && isAppError(error, ...dataApiErrorKinds)) return undefined;
  switch (error.kind) {
    case 'unauthorized':
      return l10n.t(
        'The key is wrong or inactive. Set a valid key. Chainside then also detects where the server expects it.',
      );
    case 'forbidden':
      return l10n.t(
        'The plan of this key does not include this request. Change the plan, or set another key.',
      );
    case 'creditsUsedUp':
      return l10n.t('Wait until the credits of the key renew, or set another key.');
    case 'notServed':
    case 'tooHeavy':
    case 'tooLarge':
      return l10n.t('You can watch single tokens by their contract. Chainside reads those from the chain.');
    case 'unavailable':
    case 'server':
      return l10n.t('The service has a problem. Retry later.');
    case 'badResponse':
      return l10n.t(
        'Check the data API URL of this network. The output shows what is wrong with the response.',
      );
    default:
      return undefined;
  }
}

function getEtherscanAdvice({ kind }: AppError): string | undefined {
  const { l10n } = vscode;
  switch (kind) {
    case 'unauthorized':
      return l10n.t('The key is wrong or inactive. Set a valid key.');
    case 'forbidden':
      return l10n.t(
        'Etherscan serves this chain only with a paid plan. Source code and ABIs are free on every chain.',
      );
    case 'creditsUsedUp':
      return l10n.t('The requests of this day are used up. Retry tomorrow, or set another key.');
    default:
      return undefined;
  }
}

/** Advice where the endpoint of a network rejects or requires a key, in addition to the remedies, if any. */
function getEndpointKeyAdvice(error: AppError, holder: KeyHolder): string | undefined {
  const { l10n } = vscode;
  if (!isKeyError(error)) return undefined;
  if (holder === 'hostedExplorer') {
    return l10n.t(
      'Explorers hosted by Blockscout may require a key now. Blockscout’s gateway serves the same chains with a key, free for some requests a day. Other public endpoints need no key.',
    );
  }
  if (error.kind === 'creditsUsedUp' && holder === 'endpoint') {
    return l10n.t('Wait until the credits of the key renew, or set another key.');
  }
  if (error.kind === 'forbidden' && holder === 'endpoint') {
    return l10n.t('The plan of this key does not include this request. Change the plan, or set another key.');
  }
  return error.kind === 'needsKey'
    ? l10n.t('Chainside sends it no requests until you set its key.')
    : undefined;
}

/** Actions for the user, the most promising first. */
function getErrorRemedies(
  error: AppError,
  provider: ProviderLabel | undefined,
  network: Network,
): readonly Remedy[] {
  const isEtherscan = provider?.name === 'etherscan';
  switch (error.kind) {
    case 'aborted':
    case 'badInput':
      return [];
    case 'internal':
      return [reportIssueRemedy, showOutputRemedy];
    case 'needsKey':
      return [setSecretRemedy, chooseOtherNetworkRemedy];
    case 'unauthorized':
    case 'forbidden':
    case 'creditsUsedUp':
      if (isEtherscan) return [setEtherscanKeyRemedy, showOutputRemedy];
      return getKeyRemedies(getKeyHolder(provider, network), network);
    case 'notServed':
    case 'tooHeavy':
    case 'tooLarge':
      return provider && !isEtherscan ? [watchTokenRemedy, showOutputRemedy] : [showOutputRemedy];
    case 'notChosen':
      return [chooseNetworkRemedy];
    case 'network': {
      const { networkError } = error.details;
      const setting = findUnreachableSetting(networkError);
      if (setting !== undefined) return [createSettingsRemedy(setting), showOutputRemedy];
      if (networkError?.at === 'localNotChosen') return [connectRemedy];
      if (!provider && (networkError?.at === 'crossOrigin' || networkError?.at === 'pagePolicy')) {
        const canEdit = networkError.at === 'pagePolicy' && !isEndpointId(network.id);
        const edit = canEdit ? [createEditRemedy(network)] : [];
        return [...edit, ...getPublicRemedies(network), chooseOtherNetworkRemedy, showOutputRemedy];
      }
      return provider ? [showOutputRemedy] : [chooseOtherNetworkRemedy, showOutputRemedy];
    }
    case 'timeout':
    case 'rateLimited':
    case 'server':
    case 'unavailable':
      return provider ? [showOutputRemedy] : [chooseOtherNetworkRemedy, showOutputRemedy];
    case 'redirected':
    case 'badLogs':
    case 'badResponse':
    case 'notFound':
      return isEtherscan ? [showOutputRemedy] : [getUrlRemedy(network), showOutputRemedy];
    default:
      return [showOutputRemedy];
  }
}

/** To where the URL of the endpoint is written, which may be a config file of the project. */
function getUrlRemedy({ id }: Network): Remedy {
  return isEndpointId(id) ? chooseOtherNetworkRemedy : createSettingsRemedy('chainside.networks');
}

function getKeyRemedies(holder: KeyHolder, network: Network): readonly Remedy[] {
  const { chainId } = network;
  const others = getPublicRemedies(network);
  switch (holder) {
    case 'provider':
      return [setKeyRemedy, showOutputRemedy];
    case 'endpoint':
      return [setSecretRemedy, showOutputRemedy];
    case 'hostedExplorer':
      return [createGatewayRemedy(chainId), ...others, showOutputRemedy];
    case 'explorer':
      return [setSecretRemedy, ...others, showOutputRemedy];
    case 'open':
      return [setSecretRemedy, getUrlRemedy(network), showOutputRemedy];
  }
}

/** Offers the other public endpoints of the chain, if it has any. */
function getPublicRemedies({ chainId, rpcUrl }: Network): readonly Remedy[] {
  const hasOthers = listPublicEndpoints(chainId).some(({ url }) => url !== rpcUrl);
  return hasOthers ? [createPublicEndpointsRemedy(chainId)] : [];
}

/**
 * Whose key an error is about: `provider` has its own; `endpoint` uses the secret of the network. Without a key: a
 * public explorer, which is a `hostedExplorer` if Blockscout hosts it and has a gateway to it, or another server
 * (`open`).
 */
type KeyHolder = 'provider' | 'endpoint' | 'hostedExplorer' | 'explorer' | 'open';

function getKeyHolder(provider: ProviderLabel | undefined, network: Network): KeyHolder {
  if (provider?.takesKey) return 'provider';
  const { rpcUrl } = network;
  // Neither the endpoint's secret nor its gateway applies to another origin.
  if (provider && URL.canParse(rpcUrl) && new URL(rpcUrl).origin !== provider.origin) return 'open';
  if (requiresSecret(network)) return 'endpoint';
  if (!isPublicExplorer(rpcUrl)) return 'open';
  return new URL(rpcUrl).hostname.endsWith('.blockscout.com') ? 'hostedExplorer' : 'explorer';
}

/** Formats HTTP status 401, 402 or 403 to follow the name of the server. */
function formatKeyError({ kind }: AppError, holder: KeyHolder): string {
  const { l10n } = vscode;
  const hasKey = holder === 'provider' || holder === 'endpoint';
  const isExplorer = holder === 'hostedExplorer' || holder === 'explorer';
  switch (kind) {
    case 'unauthorized':
      if (hasKey) return l10n.t('does not accept the key');
      return isExplorer
        ? l10n.t('this explorer now requires a key (HTTP 401)')
        : l10n.t('needs a key (HTTP 401)');
    case 'creditsUsedUp':
      if (hasKey) return l10n.t('the credits of the key are used up');
      return isExplorer
        ? l10n.t('this explorer now requires payment (HTTP 402)')
        : l10n.t('requires payment (HTTP 402)');
    default:
      if (holder === 'provider') return l10n.t('the key has no access to this data');
      if (holder === 'endpoint') return l10n.t('the key has no access to this (HTTP 403)');
      return isExplorer
        ? l10n.t('this explorer forbids requests without a key (HTTP 403)')
        : l10n.t('forbids this request (HTTP 403)');
  }
}

/** Whether an endpoint is a public explorer: not local, and not through the gateway. */
function isPublicExplorer(rpcUrl: string): boolean {
  if (!URL.canParse(rpcUrl) || isLoopbackUrl(rpcUrl)) return false;
  return explorerApiUrl(rpcUrl, '/api') !== undefined && getGatewayChain(rpcUrl) === undefined;
}

/** Whether a key is missing or rejected, or its credits are used up. */
export function isKeyError(error: unknown): error is AppError {
  return isAppError(error, 'needsKey', 'unauthorized', 'forbidden', 'creditsUsedUp');
}

/** Whether the JSON schema of query files reports the same error, so that it need not be shown twice. */
export function isSchemaError({ details, cause }: AppError): boolean {
  return (details.field !== 'topics' && details.field !== 'groupBy') || cause !== undefined;
}

/** Whether an unknown name may be defined in the workspace, which is not read because it is untrusted. */
export function isUntrustedWorkspaceError({ details: { validation } }: AppError): boolean {
  const isName = validation?.code === 'unknownName' || validation?.code === 'unknownEvent';
  return isName && !vscode.workspace.isTrusted;
}

/** An action for an error, besides retrying. */
export interface Remedy extends vscode.Command {
  readonly run: () => Thenable<unknown>;
}

export const setKeyRemedy = createRemedy('chainside.setApiKey', vscode.l10n.t('Set Data API Key…'));

export const setEtherscanKeyRemedy = createRemedy(
  'chainside.setEtherscanKey',
  vscode.l10n.t('Set Etherscan API Key…'),
);

export const setSecretRemedy = createRemedy(
  'chainside.setEndpointSecret',
  vscode.l10n.t('Set API Key for Endpoint…'),
);

/** Adds a network of the chain behind Blockscout's gateway, which takes a key. */
function createGatewayRemedy(chainId: number): Remedy {
  return createRemedy('chainside.addNetwork', vscode.l10n.t('Use Blockscout’s Gateway…'), {
    gatewayOf: chainId,
  });
}

/** Offers the public endpoints of the chain one after another. */
function createPublicEndpointsRemedy(chainId: number): Remedy {
  return createRemedy('chainside.addNetwork', vscode.l10n.t('Try Public Endpoints…'), { publicOf: chainId });
}

function createEditRemedy({ id }: Network): Remedy {
  return createRemedy('chainside.editNetwork', vscode.l10n.t('Edit Network…'), id);
}

export const watchTokenRemedy = createRemedy('chainside.watchToken', vscode.l10n.t('Watch Token…'));

export const chooseNetworkRemedy = createRemedy('chainside.selectNetwork', vscode.l10n.t('Select Network…'));

export const chooseOtherNetworkRemedy = createRemedy(
  'chainside.selectNetwork',
  vscode.l10n.t('Select Another Network…'),
);

/** Opens VS Code's issue reporter for this extension. */
const reportIssueRemedy = withRun({
  title: vscode.l10n.t('Report Issue…'),
  command: 'workbench.action.openIssueReporter',
  arguments: [{ extensionId: 'chainside.chainside' }],
});

const connectRemedy = createRemedy('chainside.refresh', vscode.l10n.t('Connect'));

export const showOutputRemedy = createRemedy('chainside.showOutput', vscode.l10n.t('Show Output'));

export function createSettingsRemedy(setting: SettingId | EditorSetting): Remedy {
  const title = vscode.l10n.t('Open Settings');
  return withRun({ title, command: 'workbench.action.openSettings', arguments: [setting] });
}

function createRemedy<Id extends CommandId>(id: Id, title: string, ...args: ArgumentsOf<Id>): Remedy {
  return withRun(createCommand(id, title, ...args));
}

function withRun(command: vscode.Command): Remedy {
  return {
    ...command,
    run: () => vscode.commands.executeCommand(command.command, ...(command.arguments ?? [])),
  };
}
