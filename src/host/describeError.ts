import * as vscode from 'vscode';
import { type AppError, isAppError, type Network, plainText, safeUrl } from '../core/index.ts';
import type { SettingId } from '../manifest.ts';
import { runCommand } from './commands.ts';

/** Which of a network's two servers a request went to. */
export type Service = 'endpoint' | 'dataApi';

/** Something that a person can do about an error, besides trying again. */
export interface Remedy {
  readonly title: string;
  readonly run: () => unknown;
}

export interface ErrorDescription {
  /** In the editor's language, with the server that it is about; text from outside in it is plain and bounded. */
  readonly message: string;
  /** The message without the server, for a narrow place that tells that anyway. */
  readonly reason: string;
  readonly remedies: readonly Remedy[];
}

/** The one place where a kind of error becomes words for the user. */
export function describeError(
  error: unknown,
  from: { readonly service: Service; readonly network: Network },
): ErrorDescription {
  if (!isAppError(error)) {
    const message = vscode.l10n.t('Something went wrong in Chainside.');
    return { message, reason: message, remedies: [showOutput] };
  }
  const { service, network } = from;
  const reason = reasonOf(error, service);
  const origin = safeUrl((service === 'dataApi' ? network.dataApiUrl : undefined) ?? network.rpcUrl);
  const local = isAppError(error, 'aborted', 'badInput');
  return {
    message: local ? reason : vscode.l10n.t('{0}: {1}', origin, reason),
    reason,
    remedies: remedies(error, service),
  };
}

function reasonOf(error: AppError, service: Service): string {
  const { l10n } = vscode;
  const dataApi = service === 'dataApi';
  switch (error.kind) {
    case 'aborted':
      return l10n.t('cancelled');
    case 'badInput':
      return plainText(error.message, 300);
    case 'network':
      return l10n.t('cannot be reached ({0})', systemCode(error));
    case 'timeout':
      return l10n.t('did not answer in time');
    case 'redirected':
      return l10n.t('redirects elsewhere, which is not followed; set the address that it leads to');
    case 'badResponse':
      return dataApi ? l10n.t('did not answer as the data API does') : l10n.t('did not answer in JSON-RPC');
    case 'tooLarge':
      return l10n.t('the answer is too large and was not read to its end');
    case 'requestTooLarge':
      return l10n.t('refused the request as too large');
    case 'rpc':
      return l10n.t('refused the call: {0}', plainText(error.details.serverMessage ?? '', 200));
    case 'notFound':
      return l10n.t('nothing is at this address (HTTP 404); check the path of the URL');
    case 'rateLimited':
      return l10n.t('too many requests; wait a little and try again');
    case 'unavailable':
      return l10n.t('not available at the moment (HTTP 503)');
    case 'server':
      return l10n.t('failed (HTTP {0})', error.details.status ?? 500);
    case 'unauthorized':
      return dataApi
        ? l10n.t('does not accept the key')
        : l10n.t('asks for a key that its URL does not carry');
    case 'forbidden':
      return dataApi
        ? l10n.t('the key is not entitled to this data')
        : l10n.t('forbids this request (HTTP 403)');
    case 'creditsUsedUp':
      return dataApi ? l10n.t('the credits of the key are used up') : l10n.t('asks for payment (HTTP 402)');
    case 'notServed':
      return l10n.t('does not serve this chain');
    case 'tooHeavy':
      return l10n.t('the address holds more than it can answer for');
  }
}

function remedies(error: AppError, service: Service): readonly Remedy[] {
  switch (error.kind) {
    case 'aborted':
    case 'badInput':
      return [];
    case 'unauthorized':
    case 'forbidden':
    case 'creditsUsedUp':
      return service === 'dataApi' ? [setKey, showOutput] : [openSettings('chainside.networks'), showOutput];
    case 'network':
    case 'redirected':
    case 'badResponse':
    case 'notFound':
      return [openSettings('chainside.networks'), showOutput];
    default:
      return [showOutput];
  }
}

export const setKey: Remedy = {
  title: vscode.l10n.t('Set Data API Key…'),
  run: () => runCommand('chainside.setApiKey'),
};

export const showOutput: Remedy = {
  title: vscode.l10n.t('Show Output'),
  run: () => runCommand('chainside.showOutput'),
};

export function openSettings(setting: SettingId): Remedy {
  return {
    title: vscode.l10n.t('Open Settings'),
    run: () => vscode.commands.executeCommand('workbench.action.openSettings', setting),
  };
}

/** The system's short code for a failed connection, such as ECONNREFUSED, from the end of the cause chain. */
function systemCode(error: Error): string {
  let code = vscode.l10n.t('no connection');
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') code = plainText(cause.code);
  }
  return code;
}
