import * as vscode from 'vscode';
import type { RowToken } from '../../manifest.ts';
import { chooseNetworkRemedy, type ErrorDescription } from '../errors.ts';
import type { TreeRow } from './tree.ts';

/** A row of a view: an icon, a label, and paler words behind it. A screen reader hears both. */
export function createRow(
  label: string,
  icon: string,
  {
    description = '',
    tooltip,
  }: { readonly description?: string; readonly tooltip?: TreeRow['tooltip'] } = {},
): TreeRow {
  const text = description === '' ? label : `${label}, ${description}`;
  return {
    label,
    description,
    tooltip: tooltip ?? [text],
    iconPath: createPlainIcon(icon),
    accessibleLabel: text,
  };
}

/** An icon in the colour of all the others: that of symbols by their kind is too pale in the editor's light theme. */
export function createPlainIcon(icon: string): vscode.ThemeIcon {
  const isSymbol = icon.startsWith('symbol-');
  return new vscode.ThemeIcon(icon, isSymbol ? new vscode.ThemeColor('icon.foreground') : undefined);
}

/** The tokens that are true of a row. */
export function listRowTokens(flags: Readonly<Partial<Record<RowToken, boolean>>>): readonly RowToken[] {
  return (Object.keys(flags) as RowToken[]).filter((token) => flags[token]);
}

/** A row in place of what could not be read, with the reason; a click on it runs `remedy`. */
export function createErrorRow(
  label: string,
  { reason, message, advice, remedies }: ErrorDescription,
  remedy?: vscode.Command,
): TreeRow {
  if (remedies[0] === chooseNetworkRemedy) return choiceRow(label, message);
  const description = remedy ? `${reason} · ${remedy.title}` : reason;
  const icon = new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
  return {
    ...createRow(label, 'error', { description, tooltip: [label, message, advice] }),
    iconPath: icon,
    tokens: ['failed'],
    ...(remedy && { command: remedy }),
  };
}

/** Nothing has failed yet: a network is to be chosen first. */
function choiceRow(label: string, message: string): TreeRow {
  return {
    ...createRow(label, 'globe', { description: chooseNetworkRemedy.title, tooltip: [label, message] }),
    command: chooseNetworkRemedy,
  };
}
