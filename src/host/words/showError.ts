import * as vscode from 'vscode';
import { isAppError, type Network } from '../../core/index.ts';
import { errorText } from '../log.ts';
import { showMessage } from '../surface/messages.ts';
import { describeError, type Service } from './describeError.ts';

interface ErrorContext {
  readonly service: Service;
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
  context.log.error(errorText(error));
  const { message, remedies } = describeError(error, context);
  const tryAgain = vscode.l10n.t('Try Again');
  const titles = [...(canRetry ? [tryAgain] : []), ...remedies.map(({ title }) => title)];
  const chosen = await showMessage('error', message, ...titles);
  if (chosen === tryAgain) return true;
  await remedies.find(({ title }) => title === chosen)?.run();
  return false;
}
