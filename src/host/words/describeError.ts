import * as vscode from 'vscode';
import { isAppError, type Network, type ProviderLabel, safeUrl } from '../../core/index.ts';
import { errorAdvice, errorRemedies } from './errorHelp.ts';
import { errorReason } from './errorReason.ts';
import { type Remedy, showOutput } from './remedies.ts';
import { unreachable } from './unreachable.ts';

/** What a request went to: the endpoint of the network, or a source of facts about it. */
export type Service = 'endpoint' | 'source';

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
  from: { readonly service: Service; readonly network: Network },
): ErrorDescription {
  if (!isAppError(error)) {
    const message = vscode.l10n.t('Something went wrong in Chainside.');
    return { message, reason: message, advice: undefined, remedies: [showOutput] };
  }
  const { service, network } = from;
  const source = service === 'source' ? (error.details.source ?? dataApiOf(network)) : undefined;
  const reason = errorReason(error, source, network);
  const origin = source?.origin ?? safeUrl(network.rpcUrl);
  const isWhole = isAppError(error, 'aborted', 'badInput', 'network', 'notChosen');
  const hint =
    error.kind === 'network'
      ? unreachable(error.details.failure, source?.origin ?? network.rpcUrl).hint
      : undefined;
  const message = isWhole ? reason : vscode.l10n.t('{0}: {1}', origin, reason);
  return {
    message: hint === undefined ? message : vscode.l10n.t('{0}. {1}', message, hint),
    reason,
    hint,
    advice: errorAdvice(error, source, network),
    remedies: errorRemedies(error, source, network),
  };
}

/** The source of a failure that came before any was asked. */
function dataApiOf({ dataApiUrl }: Network): ProviderLabel | undefined {
  return dataApiUrl === undefined
    ? undefined
    : { name: 'covalent', origin: safeUrl(dataApiUrl), takesKey: true };
}
