import * as vscode from 'vscode';
import {
  type AppError,
  isAppError,
  listPublicEndpoints,
  type Network,
  type ProviderLabel,
} from '../../core/index.ts';
import { endpointKeyAdvice, type KeyHolder, keyHolder } from './keyRefusal.ts';
import {
  chooseAnother,
  chooseNetwork,
  openSettings,
  type Remedy,
  setKey,
  setSecret,
  showOutput,
  tryPublicEndpoints,
  useGateway,
  watchToken,
} from './remedies.ts';
import { unreachableAdvice, unreachableSetting } from './unreachable.ts';

const ofDataApi = ['unauthorized', 'forbidden', 'creditsUsedUp', 'badResponse'] as const;

/** What helps, in words; undefined where there is no more to say than the remedies do. */
export function errorAdvice(
  error: AppError,
  source: ProviderLabel | undefined,
  network: Network,
): string | undefined {
  return (
    unreachableAdvice(error.details.failure) ??
    (source ? sourceAdvice(error, source) : undefined) ??
    endpointKeyAdvice(error, keyHolder(source, network))
  );
}

/** What can be done with a click, the likeliest first. */
export function errorRemedies(
  error: AppError,
  source: ProviderLabel | undefined,
  network: Network,
): readonly Remedy[] {
  switch (error.kind) {
    case 'aborted':
    case 'badInput':
      return [];
    case 'needsKey':
      return [setSecret, chooseAnother];
    case 'unauthorized':
    case 'forbidden':
    case 'creditsUsedUp':
      return keyRemedies(keyHolder(source, network), network);
    case 'notServed':
    case 'tooHeavy':
    case 'tooLarge':
      return source ? [watchToken, showOutput] : [showOutput];
    case 'notChosen':
      return [chooseNetwork];
    case 'network': {
      const setting = unreachableSetting(error.details.failure);
      if (setting !== undefined) return [openSettings(setting), showOutput];
      return source ? [showOutput] : [chooseAnother, showOutput];
    }
    case 'timeout':
    case 'rateLimited':
    case 'server':
    case 'unavailable':
      return source ? [showOutput] : [chooseAnother, showOutput];
    case 'redirected':
    case 'badLogs':
    case 'badResponse':
    case 'notFound':
      return [openSettings('chainside.networks'), showOutput];
    default:
      return [showOutput];
  }
}

function keyRemedies(holder: KeyHolder, { chainId, rpcUrl }: Network): readonly Remedy[] {
  const hasOthers = listPublicEndpoints(chainId).some(({ url }) => url !== rpcUrl);
  const others = hasOthers ? [tryPublicEndpoints(chainId)] : [];
  switch (holder) {
    case 'source':
      return [setKey, showOutput];
    case 'endpoint':
      return [setSecret, showOutput];
    case 'hostedExplorer':
      return [useGateway(chainId), ...others, showOutput];
    case 'explorer':
      return [setSecret, ...others, showOutput];
    case 'open':
      return [setSecret, openSettings('chainside.networks'), showOutput];
  }
}

function sourceAdvice(error: AppError, { takesKey }: ProviderLabel): string | undefined {
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
