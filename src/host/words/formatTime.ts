import * as vscode from 'vscode';

/** How long ago something was, from its age in milliseconds: "just now", "4 s ago", "3 min ago". */
export function formatAge(ageMs: number): string {
  const seconds = Math.floor(ageMs / 1000);
  if (seconds < 1) return vscode.l10n.t('just now');
  if (seconds < 60) return vscode.l10n.t('{0} s ago', seconds);
  if (seconds < 3600) return vscode.l10n.t('{0} min ago', Math.floor(seconds / 60));
  return vscode.l10n.t('{0} h ago', Math.floor(seconds / 3600));
}

/** A moment of today by the clock, from milliseconds since the Unix epoch: "14:03:09". */
export function formatTime(epochMs: number): string {
  return new Intl.DateTimeFormat(vscode.env.language, { timeStyle: 'medium' }).format(epochMs);
}
