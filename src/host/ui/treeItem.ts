import * as vscode from 'vscode';
import type { RowToken } from '../../manifest.ts';
import { chooseNetworkRemedy, type ErrorDescription } from '../errors.ts';
import type { TreeRow } from './tree.ts';

/** Creates a row with an icon, a label and a dimmed description. A screen reader reads both texts. */
export function createRow(
  label: string,
  icon: string,
  {
    description = '',
    tooltip,
  }: { readonly description?: string; readonly tooltip?: TreeRow['tooltip'] } = {},
): TreeRow {
  const accessibleLabel = description === '' ? label : `${label}, ${description}`;
  return {
    label,
    description,
    tooltip: tooltip ?? [accessibleLabel],
    iconPath: createPlainIcon(icon),
    accessibleLabel,
  };
}

/**
 * An icon in the default colour: symbol icons have colours of their own that are too pale in the editor's light
 * theme.
 */
export function createPlainIcon(icon: string): vscode.ThemeIcon {
  const isSymbol = icon.startsWith('symbol-');
  return new vscode.ThemeIcon(icon, isSymbol ? new vscode.ThemeColor('icon.foreground') : undefined);
}

export function listRowTokens(flags: Readonly<Partial<Record<RowToken, boolean>>>): readonly RowToken[] {
  return (Object.keys(flags) as RowToken[]).filter((token) => flags[token]);
}

/** A row in place of data that could not be read, with the reason; a click on it runs `remedy`. */
export function createErrorRow(
  label: string,
  { reason, message, advice, remedies }: ErrorDescription,
  remedy?: vscode.Command,
): TreeRow {
  if (remedies[0] === chooseNetworkRemedy) return createChooseNetworkRow(label, message);
  const description = remedy ? `${reason} · ${remedy.title}` : reason;
  const icon = new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
  return {
    ...createRow(label, 'error', { description, tooltip: [label, message, advice] }),
    iconPath: icon,
    tokens: ['failed'],
    ...(remedy && { command: remedy }),
  };
}

/** Not an error: the user has to choose a network first. */
function createChooseNetworkRow(label: string, message: string): TreeRow {
  return {
    ...createRow(label, 'globe', { description: chooseNetworkRemedy.title, tooltip: [label, message] }),
    command: chooseNetworkRemedy,
  };
}
