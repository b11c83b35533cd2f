import * as vscode from 'vscode';

/** Formats an age in milliseconds: "just now", "4 s ago", "3 min ago", "2 days ago". */
export function formatAge(ageMs: number): string {
  const seconds = Math.floor(ageMs / 1000);
  if (seconds < 1) return vscode.l10n.t('just now');
  if (seconds < 60) return vscode.l10n.t('{0} s ago', seconds);
  if (seconds < 3600) return vscode.l10n.t('{0} min ago', Math.floor(seconds / 60));
  const hours = Math.floor(seconds / 3600);
  return hours < 48
    ? vscode.l10n.t('{0} h ago', hours)
    : vscode.l10n.t('{0} days ago', Math.floor(hours / 24));
}
