import * as vscode from 'vscode';
import {
  type AppError,
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
import { formatErrorForLog } from './log.ts';
import {
  describeUnreachable,
  type EditorSetting,
  findUnreachableSetting,
  getUnreachableAdvice,
} from './networkErrors.ts';
import { showMessage } from './ui/dialogs.ts';
import { formatValidationError } from './validationErrors.ts';

/** Whether the JSON schema of questions says the same of the place in question, so that it need not be said twice. */
export function isSchemaError({ details, cause }: AppError): boolean {
  return details.field !== 'topics' || cause !== undefined;
}

/** Whether it is a name that a workspace may tell which is not trusted, so that nothing of it is read. */
export function isUntrustedWorkspaceError({ details: { validation } }: AppError): boolean {
  const isName = validation?.code === 'unknownName' || validation?.code === 'unknownEvent';
  return isName && !vscode.workspace.isTrusted;
}

/** What a request went to: the endpoint of the network, or a source of facts about it. */
export type ServiceKind = 'endpoint' | 'source';

export interface ErrorDescription {
  /** In the editor's language, with the server that it is about; text from outside in it is plain and bounded. */
  readonly message: string;
  /** The message without the server, for a narrow place that tells that anyway. */
  readonly reason: string;
  /** What to do first, where that is a few words: it ends the message. */
  readonly hint?: string | undefined;
  /** What helps, where more can be said than the titles of the remedies. */
  readonly advice: string | undefined;
  readonly remedies: readonly Remedy[];
}

/** The one place where a kind of error becomes words for the user. */
export function describeError(
  error: unknown,
  from: { readonly service: ServiceKind; readonly network: Network },
): ErrorDescription {
  if (!isAppError(error)) {
    const message = vscode.l10n.t('Something went wrong in Chainside.');
    return { message, reason: message, advice: undefined, remedies: [showOutputRemedy] };
  }
  const { service, network } = from;
  const source = service === 'source' ? (error.details.provider ?? dataApiOf(network)) : undefined;
  const reason = formatErrorReason(error, source, network);
  const origin = source?.origin ?? safeUrl(network.rpcUrl);
  const isWhole = isAppError(error, 'aborted', 'badInput', 'network', 'notChosen');
  const hint =
    error.kind === 'network'
      ? describeUnreachable(error.details.networkError, source?.origin ?? network.rpcUrl).hint
      : undefined;
  const message = isWhole ? reason : vscode.l10n.t('{0}: {1}', origin, reason);
  return {
    message: hint === undefined ? message : vscode.l10n.t('{0}. {1}', message, hint),
    reason,
    hint,
    advice: getErrorAdvice(error, source, network),
    remedies: getErrorRemedies(error, source, network),
  };
}

/** The source of a failure that came before any was asked. */
function dataApiOf({ dataApiUrl }: Network): ProviderLabel | undefined {
  return dataApiUrl === undefined
    ? undefined
    : { name: 'covalent', origin: safeUrl(dataApiUrl), takesKey: true };
}

const ofDataApi = ['unauthorized', 'forbidden', 'creditsUsedUp', 'badResponse'] as const;

/** What helps, in words; undefined where there is no more to say than the remedies do. */
function getErrorAdvice(
  error: AppError,
  source: ProviderLabel | undefined,
  network: Network,
): string | undefined {
  return (
    getUnreachableAdvice(error.details.networkError) ??
    (source ? getProviderAdvice(error, source) : undefined) ??
    getEndpointKeyAdvice(error, getKeyHolder(source, network))
  );
}

/** What can be done with a click, the likeliest first. */
function getErrorRemedies(
  error: AppError,
  source: ProviderLabel | undefined,
  network: Network,
): readonly Remedy[] {
  switch (error.kind) {
    case 'aborted':
    case 'badInput':
      return [];
    case 'needsKey':
      return [setSecretRemedy, chooseOtherNetworkRemedy];
    case 'unauthorized':
    case 'forbidden':
    case 'creditsUsedUp':
      return keyRemedies(getKeyHolder(source, network), network);
    case 'notServed':
    case 'tooHeavy':
    case 'tooLarge':
      return source ? [watchTokenRemedy, showOutputRemedy] : [showOutputRemedy];
    case 'notChosen':
      return [chooseNetworkRemedy];
    case 'network': {
      const setting = findUnreachableSetting(error.details.networkError);
      if (setting !== undefined) return [createSettingsRemedy(setting), showOutputRemedy];
      return source ? [showOutputRemedy] : [chooseOtherNetworkRemedy, showOutputRemedy];
    }
    case 'timeout':
    case 'rateLimited':
    case 'server':
    case 'unavailable':
      return source ? [showOutputRemedy] : [chooseOtherNetworkRemedy, showOutputRemedy];
    case 'redirected':
    case 'badLogs':
    case 'badResponse':
    case 'notFound':
      return [createSettingsRemedy('chainside.networks'), showOutputRemedy];
    default:
      return [showOutputRemedy];
  }
}

function keyRemedies(holder: KeyHolder, { chainId, rpcUrl }: Network): readonly Remedy[] {
  const hasOthers = listPublicEndpoints(chainId).some(({ url }) => url !== rpcUrl);
  const others = hasOthers ? [createPublicEndpointsRemedy(chainId)] : [];
  switch (holder) {
    case 'source':
      return [setKeyRemedy, showOutputRemedy];
    case 'endpoint':
      return [setSecretRemedy, showOutputRemedy];
    case 'hostedExplorer':
      return [createGatewayRemedy(chainId), ...others, showOutputRemedy];
    case 'explorer':
      return [setSecretRemedy, ...others, showOutputRemedy];
    case 'open':
      return [setSecretRemedy, createSettingsRemedy('chainside.networks'), showOutputRemedy];
  }
}

function getProviderAdvice(error: AppError, { takesKey }: ProviderLabel): string | undefined {
  const { l10n } = vscode;
  if (!takesKey && isAppError(error, ...ofDataApi)) return undefined;
  switch (error.kind) {
    case 'unauthorized':
      return l10n.t(
        'The key is wrong or no longer active: set the right one. That also finds out where the server looks for it.',
      );
    case 'forbidden':
      return l10n.t(
        'The plan of the key does not include this: change the plan, or set a key of another one.',
      );
    case 'creditsUsedUp':
      return l10n.t('Wait until the plan of the key renews its credits, or set another key.');
    case 'notServed':
    case 'tooHeavy':
    case 'tooLarge':
      return l10n.t('Single tokens can be watched by their contract: those are read from the chain.');
    case 'unavailable':
    case 'server':
      return l10n.t('The fault is with the service: try again later.');
    case 'badResponse':
      return l10n.t('Is the data API URL of this network right? The output names the fault in the answer.');
    default:
      return undefined;
  }
}

/**
 * What went wrong, in words that follow the name of the server, or that have it in them where it was not reached;
 * `source` is the one that was asked, if one was, else the endpoint of `network` was.
 */
function formatErrorReason(error: AppError, source: ProviderLabel | undefined, network: Network): string {
  const { l10n } = vscode;
  switch (error.kind) {
    case 'aborted':
      return l10n.t('cancelled');
    case 'badInput':
      return sanitizeText(formatValidationError(error, l10n), 300);
    case 'network':
      return describeUnreachable(error.details.networkError, source?.origin ?? network.rpcUrl).what;
    case 'notChosen':
      return l10n.t('No network is chosen');
    case 'timeout':
      return l10n.t('did not answer in time');
    case 'redirected':
      return l10n.t('redirects elsewhere, which is not followed; set the address that it leads to');
    case 'badResponse':
      if (!source) return l10n.t('did not answer in JSON-RPC: check the path of the URL');
      return source.takesKey
        ? l10n.t('did not answer as the data API does')
        : l10n.t('did not answer as expected');
    case 'badLogs':
      return error.details.field === undefined
        ? l10n.t('its answer to eth_getLogs is not a list of logs')
        : l10n.t('an entry of its answer to eth_getLogs is not a log ({0})', error.details.field);
    case 'tooLarge':
      return l10n.t('the answer is too large and was not read to its end');
    case 'requestTooLarge':
      return l10n.t('refused the request as too large');
    case 'rpc':
      return l10n.t('refused the call: {0}', sanitizeText(error.details.serverMessage ?? '', 200));
    case 'notFound':
      return l10n.t('nothing is there (HTTP 404): check the path of the URL');
    case 'rateLimited':
      return error.details.retryAfterMs === undefined
        ? l10n.t('too many requests: wait a little and try again')
        : withItsWait(l10n.t('too many requests'), error);
    case 'unavailable':
      return withItsWait(
        source
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
      return formatKeyError(error, getKeyHolder(source, network));
    case 'notServed':
      if (error.details.field === 'blockTime') {
        return l10n.t('does not tell when blocks were made: give the range by block numbers');
      }
      if (!source)
        return l10n.t('has logs and blocks only, no balances and no calls: choose a node or an explorer');
      return error.details.status === 404
        ? l10n.t('does not support this chain, or no longer this data')
        : l10n.t('does not support this chain');
    case 'tooHeavy':
      return l10n.t('the address holds more than it can answer for');
  }
}

/** The reason, with how long the server asks to wait if it does. */
function withItsWait(reason: string, { details }: AppError): string {
  if (details.retryAfterMs === undefined) return reason;
  const wait = formatDuration(details.retryAfterMs, vscode.env.language);
  return vscode.l10n.t('{0}; asks to wait {1}', reason, wait);
}

/**
 * Whose key a refusal is about: `source` has one of its own; `endpoint` is asked with the secret of the network. Asked
 * without one were a public explorer, `hostedExplorer` where Blockscout runs it and has a gateway to it, or `open`.
 */
type KeyHolder = 'source' | 'endpoint' | 'hostedExplorer' | 'explorer' | 'open';

function getKeyHolder(source: ProviderLabel | undefined, network: Network): KeyHolder {
  if (source?.takesKey) return 'source';
  const { rpcUrl } = network;
  // Elsewhere than at the endpoint neither its secret nor its gateway is of use.
  if (source && URL.canParse(rpcUrl) && new URL(rpcUrl).origin !== source.origin) return 'open';
  if (requiresSecret(network)) return 'endpoint';
  if (!isPublicExplorer(rpcUrl)) return 'open';
  return new URL(rpcUrl).hostname.endsWith('.blockscout.com') ? 'hostedExplorer' : 'explorer';
}

/** A key is missing or refused, or what it has is used up. */
export function isKeyError(error: unknown): error is AppError {
  return isAppError(error, 'needsKey', 'unauthorized', 'forbidden', 'creditsUsedUp');
}

/** Why a server answered with 401, 402 or 403, in words that follow its name. */
function formatKeyError({ kind }: AppError, holder: KeyHolder): string {
  const { l10n } = vscode;
  const hasKey = holder === 'source' || holder === 'endpoint';
  const isExplorer = holder === 'hostedExplorer' || holder === 'explorer';
  switch (kind) {
    case 'unauthorized':
      if (hasKey) return l10n.t('does not accept the key');
      return isExplorer
        ? l10n.t('this explorer wants a key now (HTTP 401)')
        : l10n.t('needs a key (HTTP 401)');
    case 'creditsUsedUp':
      if (hasKey) return l10n.t('the credits of the key are used up');
      return isExplorer
        ? l10n.t('this explorer asks for payment now (HTTP 402)')
        : l10n.t('asks for payment (HTTP 402)');
    default:
      if (holder === 'source') return l10n.t('the key is not entitled to this data');
      if (holder === 'endpoint') return l10n.t('the key is not entitled to this (HTTP 403)');
      return isExplorer
        ? l10n.t('this explorer forbids requests without a key (HTTP 403)')
        : l10n.t('forbids this request (HTTP 403)');
  }
}

/** What helps where the endpoint of a network refuses a key or wants one; undefined where the remedies say it all. */
function getEndpointKeyAdvice(error: AppError, holder: KeyHolder): string | undefined {
  const { l10n } = vscode;
  if (!isKeyError(error)) return undefined;
  if (holder === 'hostedExplorer') {
    return l10n.t(
      'Explorers that Blockscout hosts no longer answer everyone without a key. Its gateway answers for them with one, which is free for some requests a day; other public endpoints answer without.',
    );
  }
  if (error.kind === 'creditsUsedUp' && holder === 'endpoint') {
    return l10n.t('Wait until the plan of the key renews its credits, or set another key.');
  }
  if (error.kind === 'forbidden' && holder === 'endpoint') {
    return l10n.t('The plan of the key does not include this: change the plan, or set a key of another one.');
  }
  return error.kind === 'needsKey' ? l10n.t('Nothing is sent to it before its key is set.') : undefined;
}

/** An explorer that anyone is meant to ask: by itself, and not on this machine. */
function isPublicExplorer(rpcUrl: string): boolean {
  if (!URL.canParse(rpcUrl) || isLoopbackUrl(rpcUrl)) return false;
  return explorerApiUrl(rpcUrl, '/api') !== undefined && getGatewayChain(rpcUrl) === undefined;
}

/** Something that a person can do about an error, besides trying again. */
export interface Remedy extends vscode.Command {
  readonly run: () => Thenable<unknown>;
}

export const setKeyRemedy = remedy('chainside.setApiKey', vscode.l10n.t('Set Data API Key…'));

export const setSecretRemedy = remedy('chainside.setEndpointSecret', vscode.l10n.t('Set Endpoint Secret…'));

/** A network of the chain behind Blockscout's gateway, which takes a key. */
function createGatewayRemedy(chainId: number): Remedy {
  return remedy('chainside.addNetwork', vscode.l10n.t('Use Blockscout’s Gateway…'), { gatewayOf: chainId });
}

/** The public endpoints of the chain, one after another. */
function createPublicEndpointsRemedy(chainId: number): Remedy {
  return remedy('chainside.addNetwork', vscode.l10n.t('Try Public Endpoints…'), { publicOf: chainId });
}

export const watchTokenRemedy = remedy('chainside.watchToken', vscode.l10n.t('Watch Token…'));

export const chooseNetworkRemedy = remedy('chainside.selectNetwork', vscode.l10n.t('Choose a Network…'));

export const chooseOtherNetworkRemedy = remedy(
  'chainside.selectNetwork',
  vscode.l10n.t('Choose Another Network…'),
);

export const showOutputRemedy = remedy('chainside.showOutput', vscode.l10n.t('Show Output'));

export function createSettingsRemedy(setting: SettingId | EditorSetting): Remedy {
  const title = vscode.l10n.t('Open Settings');
  return withRun({ title, command: 'workbench.action.openSettings', arguments: [setting] });
}

function remedy<Id extends CommandId>(id: Id, title: string, ...args: ArgumentsOf<Id>): Remedy {
  return withRun(createCommand(id, title, ...args));
}

function withRun(command: vscode.Command): Remedy {
  return {
    ...command,
    run: () => vscode.commands.executeCommand(command.command, ...(command.arguments ?? [])),
  };
}

interface ErrorContext {
  readonly service: ServiceKind;
  readonly network: Network;
  readonly log: vscode.LogOutputChannel;
}

/**
 * Tells the user why a command that they ran has failed, with what can be done. A cancelled one shows nothing.
 *
 * @returns whether they chose to try again, which is offered if `canRetry`.
 */
export async function showError(error: unknown, context: ErrorContext, canRetry = false): Promise<boolean> {
  if (isAppError(error, 'aborted')) return false;
  context.log.error(formatErrorForLog(error));
  const { message, remedies } = describeError(error, context);
  const tryAgain = vscode.l10n.t('Try Again');
  const titles = [...(canRetry ? [tryAgain] : []), ...remedies.map(({ title }) => title)];
  const chosen = await showMessage('error', message, ...titles);
  if (chosen === tryAgain) return true;
  await remedies.find(({ title }) => title === chosen)?.run();
  return false;
}
