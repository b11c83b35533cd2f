import * as vscode from 'vscode';
import type { Clock } from '../../core/index.ts';
import { formatAge } from '../../host/formatTime.ts';
import { formatNumber } from '../../host/numbers.ts';
import type { HeadState } from './headPoller.ts';
import { formatNoBlock } from './headStore.ts';

/** The newest block, its age and the latency. */
export function formatHead(state: HeadState, clock: Clock): string {
  const { head } = state;
  if (!head) return formatNoBlock(state);
  const block = `#${formatNumber(head.block)} · ${formatHeadAge(state, clock)}`;
  return state.error ? block : vscode.l10n.t('{0} · {1} ms', block, Math.round(head.latencyMs));
}

/** {@link formatHead} for a screen reader. */
export function formatSpokenHead(state: HeadState, clock: Clock): string {
  const { head } = state;
  if (!head) return formatNoBlock(state);
  const block = vscode.l10n.t(
    'Latest block: {0}, {1}',
    formatNumber(head.block),
    formatHeadAge(state, clock),
  );
  return state.error ? block : vscode.l10n.t('{0}, responds in {1} ms', block, Math.round(head.latencyMs));
}

export function formatLatestBlock(state: HeadState, clock: Clock): string {
  const { head } = state;
  return head ? `${formatNumber(head.block)} · ${formatHeadAge(state, clock)}` : formatNoBlock(state);
}

function formatHeadAge({ head }: HeadState, clock: Clock): string {
  return head ? formatAge(clock.elapsed() - head.firstSeenElapsed, vscode.l10n) : '';
}
