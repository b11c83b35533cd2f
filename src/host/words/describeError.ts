import * as vscode from 'vscode';
import {
  type AppError,
  durationText,
  isAppError,
  type Network,
  plainText,
  type SourceLabel,
  safeUrl,
} from '../../core/index.ts';
import { inputText } from './inputTexts.ts';
import { openSettings, type Remedy, setKey, showOutput, watchToken } from './remedies.ts';
import { unreachableAdvice, unreachableReason, unreachableSetting } from './unreachable.ts';

/** What a request went to: the endpoint of the network, or a source of facts about it. */
export type Service = 'endpoint' | 'source';

export interface ErrorDescription {
  /** In the editor's language, with the server that it is about; text from outside in it is plain and bounded. */
  readonly message: string;
  /** The message without the server, for a narrow place that tells that anyway. */
  readonly reason: string;
  /** What helps, where more can be said than the titles of the remedies. */
  readonly advice: string | undefined;
  readonly remedies: readonly Remedy[];
}

/** The one place where a kind of error becomes words for the user. */
export function describeError(
  error: unknown,
  from: { readonly service: Service; readonly network: Network },
): ErrorDescription {
  if (!isAppError(error)) {
    const message = vscode.l10n.t('Something went wrong in Chainside.');
    return { message, reason: message, advice: undefined, remedies: [showOutput] };
  }
  const { service, network } = from;
  const source = service === 'source' ? (error.details.source ?? dataApiOf(network)) : undefined;
  const reason = reasonOf(error, source);
  const origin = source?.origin ?? safeUrl(network.rpcUrl);
  const local = isAppError(error, 'aborted', 'badInput');
  return {
    message: local ? reason : vscode.l10n.t('{0}: {1}', origin, reason),
    reason,
    advice: unreachableAdvice(error.details.failure) ?? (source ? sourceAdvice(error, source) : undefined),
    remedies: remedies(error, source),
  };
}

function reasonOf(error: AppError, source: SourceLabel | undefined): string {
  const { l10n } = vscode;
  switch (error.kind) {
    case 'aborted':
      return l10n.t('cancelled');
    case 'badInput':
      return plainText(inputText(error, l10n), 300);
    case 'network':
      return unreachableReason(error.details.failure);
    case 'timeout':
      return l10n.t('did not answer in time');
    case 'redirected':
      return l10n.t('redirects elsewhere, which is not followed; set the address that it leads to');
    case 'badResponse':
      if (!source) return l10n.t('did not answer in JSON-RPC');
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
      return l10n.t('refused the call: {0}', plainText(error.details.serverMessage ?? '', 200));
    case 'notFound':
      return l10n.t('nothing is at this address (HTTP 404); check the path of the URL');
    case 'rateLimited':
      return error.details.retryAfterMs === undefined
        ? l10n.t('too many requests; wait a little and try again')
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
    case 'unauthorized':
      return source?.takesKey
        ? l10n.t('does not accept the key')
        : l10n.t('asks for a key that its URL does not carry');
    case 'forbidden':
      return source?.takesKey
        ? l10n.t('the key is not entitled to this data')
        : l10n.t('forbids this request (HTTP 403)');
    case 'creditsUsedUp':
      return source?.takesKey
        ? l10n.t('the credits of the key are used up')
        : l10n.t('asks for payment (HTTP 402)');
    case 'notServed':
      return error.details.status === 404
        ? l10n.t('does not serve this chain, or no longer this data')
        : l10n.t('does not serve this chain');
    case 'tooHeavy':
      return l10n.t('the address holds more than it can answer for');
  }
}

const ofDataApi = ['unauthorized', 'forbidden', 'creditsUsedUp', 'badResponse'] as const;

/** The source of a failure that came before any was asked. */
function dataApiOf({ dataApiUrl }: Network): SourceLabel | undefined {
  return dataApiUrl === undefined
    ? undefined
    : { name: 'covalent', origin: safeUrl(dataApiUrl), takesKey: true };
}

/** The reason, with how long the server asks to wait if it does. */
function withItsWait(reason: string, { details }: AppError): string {
  if (details.retryAfterMs === undefined) return reason;
  const wait = durationText(details.retryAfterMs, vscode.env.language);
  return vscode.l10n.t('{0}; asks to wait {1}', reason, wait);
}

function sourceAdvice(error: AppError, { takesKey }: SourceLabel): string | undefined {
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

function remedies(error: AppError, source: SourceLabel | undefined): readonly Remedy[] {
  switch (error.kind) {
    case 'aborted':
    case 'badInput':
      return [];
    case 'unauthorized':
    case 'forbidden':
    case 'creditsUsedUp':
      return source?.takesKey ? [setKey, showOutput] : [openSettings('chainside.networks'), showOutput];
    case 'notServed':
    case 'tooHeavy':
    case 'tooLarge':
      return source ? [watchToken, showOutput] : [showOutput];
    case 'network':
      return [openSettings(unreachableSetting(error.details.failure)), showOutput];
    case 'redirected':
    case 'badLogs':
    case 'badResponse':
    case 'notFound':
      return [openSettings('chainside.networks'), showOutput];
    default:
      return [showOutput];
  }
}
