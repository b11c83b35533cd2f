import * as vscode from 'vscode';
import {
  type AppError,
  formatDuration,
  type Network,
  type ProviderLabel,
  sanitizeText,
} from '../../core/index.ts';
import { inputText } from './inputTexts.ts';
import { keyHolder, keyRefusalText } from './keyRefusal.ts';
import { unreachable } from './unreachable.ts';

/**
 * What went wrong, in words that follow the name of the server, or that have it in them where it was not reached;
 * `source` is the one that was asked, if one was, else the endpoint of `network` was.
 */
export function errorReason(error: AppError, source: ProviderLabel | undefined, network: Network): string {
  const { l10n } = vscode;
  switch (error.kind) {
    case 'aborted':
      return l10n.t('cancelled');
    case 'badInput':
      return sanitizeText(inputText(error, l10n), 300);
    case 'network':
      return unreachable(error.details.failure, source?.origin ?? network.rpcUrl).what;
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
      return keyRefusalText(error, keyHolder(source, network));
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
