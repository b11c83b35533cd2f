import * as vscode from 'vscode';
import { type Clock, groupDigits, type Network, type ServerDescription } from '../../core/index.ts';
import { describeError } from '../../host/words/describeError.ts';
import { formatAge, formatTime } from '../../host/words/formatTime.ts';
import type { HeadState } from './head.ts';

/** The newest block and its age, or what stands for it while there is none. */
export function latestBlockWords(state: HeadState, clock: Clock): string {
  const { head } = state;
  if (!head) return noBlockWords(state);
  const age = formatAge(clock.elapsed() - head.firstSeenElapsed);
  return vscode.l10n.t('{0} · seen {1}', groupDigits(head.block), age);
}

/** {@link latestBlockWords} with the time of day in place of the age, for what is not drawn again each second. */
export function latestBlockAtWords(state: HeadState): string {
  const { head } = state;
  if (!head) return noBlockWords(state);
  return vscode.l10n.t('{0}, seen at {1}', groupDigits(head.block), formatTime(head.firstSeenAt));
}

function noBlockWords({ error, askedElapsed }: HeadState): string {
  if (error) return vscode.l10n.t('not known');
  return askedElapsed === undefined ? vscode.l10n.t('not asked yet') : vscode.l10n.t('asking…');
}

/** Whether the endpoint answers and how fast, or what is wrong with it. */
export function healthWords({ head, error, askedElapsed }: HeadState, network: Network): string {
  if (error) return describeError(error, { service: 'endpoint', network }).reason;
  if (head) return vscode.l10n.t('answers in {0} ms', Math.round(head.latencyMs));
  return askedElapsed === undefined ? vscode.l10n.t('not asked yet') : vscode.l10n.t('asking…');
}

/** Whether the endpoint is of no use at the moment: a single failure after good answers does not count. */
export function isUnusable({ head, error, failures }: HeadState): boolean {
  return error !== undefined && (head === undefined || failures > 1);
}

/** What answers at the endpoint, as far as it is known. */
export function serverWords({ server, version, before }: ServerDescription): string {
  if (server === 'unknown') return vscode.l10n.t('not known yet');
  if (server === 'node') return version ?? vscode.l10n.t('Ethereum node');
  if (before !== undefined) return vscode.l10n.t('Blockscout before {0}', before);
  return version === undefined ? 'Blockscout' : `Blockscout ${version}`;
}
