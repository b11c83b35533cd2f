import * as vscode from 'vscode';
import type { RowToken } from '../../manifest.ts';
import type { Line } from '../surface/harmless.ts';
import type { TreeRow } from '../surface/tree.ts';
import type { ErrorDescription } from './describeError.ts';

/** A row of a view: an icon, a label, and paler words behind it. A screen reader hears both. */
export function row(
  label: string,
  icon: string,
  { description = '', tooltip }: { readonly description?: string; readonly tooltip?: readonly Line[] } = {},
): TreeRow {
  const text = description === '' ? label : `${label}, ${description}`;
  return {
    label,
    description,
    tooltip: tooltip ?? [text],
    iconPath: new vscode.ThemeIcon(icon),
    spoken: text,
  };
}

/** The tokens that are true of a row. */
export function tokensOf(flags: Readonly<Partial<Record<RowToken, boolean>>>): readonly RowToken[] {
  return (Object.keys(flags) as RowToken[]).filter((token) => flags[token]);
}

/** A row in place of what could not be read, with the reason; a click on it runs `remedy`. */
export function failedRow(
  label: string,
  { reason, message, advice }: ErrorDescription,
  remedy?: vscode.Command,
): TreeRow {
  const description = remedy ? `${reason} · ${remedy.title}` : reason;
  const icon = new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
  return {
    ...row(label, 'error', { description, tooltip: [label, message, advice] }),
    iconPath: icon,
    tokens: ['failed'],
    ...(remedy && { command: remedy }),
  };
}
