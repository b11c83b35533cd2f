import * as vscode from 'vscode';
import { type Clock, groupDigits } from '../../core/index.ts';
import { formatAge, formatTime } from '../../host/words/formatTime.ts';
import type { HeadState } from './head.ts';

/** The newest block, its age and how fast the endpoint answers, or what stands for that while there is none. */
export function headWords(state: HeadState, clock: Clock): string {
  const { head } = state;
  if (!head) return noBlockWords(state);
  const block = `#${groupDigits(head.block)} · ${ageWords(state, clock)}`;
  return state.error ? block : vscode.l10n.t('{0} · {1} ms', block, Math.round(head.latencyMs));
}

/** {@link headWords} as a screen reader says it. */
export function spokenHead(state: HeadState, clock: Clock): string {
  const { head } = state;
  if (!head) return noBlockWords(state);
  const block = vscode.l10n.t('Latest block: {0}, {1}', groupDigits(head.block), ageWords(state, clock));
  return state.error ? block : vscode.l10n.t('{0}, answers in {1} ms', block, Math.round(head.latencyMs));
}

/** The newest block and its age. */
export function latestBlockWords(state: HeadState, clock: Clock): string {
  const { head } = state;
  return head ? `${groupDigits(head.block)} · ${ageWords(state, clock)}` : noBlockWords(state);
}

/** {@link latestBlockWords} with the time of day in place of the age, for what is not drawn again each second. */
export function latestBlockAtWords(state: HeadState): string {
  const { head } = state;
  if (!head) return noBlockWords(state);
  return vscode.l10n.t('{0}, seen at {1}', groupDigits(head.block), formatTime(head.firstSeenAt));
}

function ageWords({ head }: HeadState, clock: Clock): string {
  return head ? formatAge(clock.elapsed() - head.firstSeenElapsed) : '';
}

function noBlockWords({ error, askedElapsed }: HeadState): string {
  if (error) return vscode.l10n.t('Unknown');
  return askedElapsed === undefined ? vscode.l10n.t('Not asked yet') : vscode.l10n.t('Asking…');
}

/** Whether the endpoint answers, and how fast. */
export function answerWords({ head, askedElapsed }: HeadState): string {
  if (head) return vscode.l10n.t('Answers in {0} ms', Math.round(head.latencyMs));
  return askedElapsed === undefined ? vscode.l10n.t('Endpoint not tested') : vscode.l10n.t('Asking…');
}

/** Whether the endpoint is of no use at the moment: a single failure after good answers does not count. */
export function isUnusable({ head, error, failures }: HeadState): boolean {
  return error !== undefined && (head === undefined || failures > 1);
}
