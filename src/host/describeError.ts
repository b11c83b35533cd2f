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
  /** One or two sentences in the editor's language; text from outside in it is plain and bounded. */
  readonly message: string;
  readonly remedies: readonly Remedy[];
}

/** The one place where a kind of error becomes words for the user. */
export function describeError(
  error: unknown,
  from: { readonly service: Service; readonly network: Network },
): ErrorDescription {
  if (!isAppError(error))
    return { message: vscode.l10n.t('Something went wrong in Chainside.'), remedies: [showOutput] };
  const { service, network } = from;
  const origin = safeUrl((service === 'dataApi' ? network.dataApiUrl : undefined) ?? network.rpcUrl);
  return { message: sentence(error, service, origin), remedies: remedies(error, service) };
}

function sentence(error: AppError, service: Service, origin: string): string {
  const { l10n } = vscode;
  const words = plainText(error.details.serverMessage ?? '', 200);
  switch (error.kind) {
    case 'aborted':
      return l10n.t('Cancelled.');
    case 'badInput':
      return plainText(error.message, 300);
    case 'network':
      return l10n.t('{0} cannot be reached ({1}).', origin, systemCode(error));
    case 'timeout':
      return l10n.t('{0} did not answer in time.', origin);
    case 'redirected':
      return l10n.t(
        '{0} redirects elsewhere, which is not followed. Set the address that it leads to.',
        origin,
      );
    case 'badResponse':
      return service === 'dataApi'
        ? l10n.t('{0} did not answer as the data API does.', origin)
        : l10n.t('{0} did not answer in JSON-RPC.', origin);
    case 'tooLarge':
      return l10n.t('The answer of {0} is too large and was not read to its end.', origin);
    case 'requestTooLarge':
      return l10n.t('{0} refused the request as too large.', origin);
    case 'rpc':
      return l10n.t('{0} refused the call: {1}', origin, words);
    case 'notFound':
      return l10n.t('{0} has nothing at this address (HTTP 404). Check the path of its URL.', origin);
    case 'rateLimited':
      return l10n.t('{0} is answering too many requests. Wait a little and try again.', origin);
    case 'unavailable':
      return l10n.t('{0} is not available at the moment (HTTP 503).', origin);
    case 'server':
      return l10n.t('{0} failed (HTTP {1}).', origin, error.details.status ?? 500);
    case 'unauthorized':
      return service === 'dataApi'
        ? l10n.t('The data API does not accept the key.')
        : l10n.t('{0} asks for a key that its URL does not carry.', origin);
    case 'forbidden':
      return service === 'dataApi'
        ? l10n.t('The data API key is not entitled to this data.')
        : l10n.t('{0} forbids this request (HTTP 403).', origin);
    case 'creditsUsedUp':
      return service === 'dataApi'
        ? l10n.t('The credits of the data API key are used up.')
        : l10n.t('{0} asks for payment (HTTP 402).', origin);
    case 'notServed':
      return l10n.t('The data API does not serve this chain.');
    case 'tooHeavy':
      return l10n.t('The address holds more than the data API can answer for.');
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
