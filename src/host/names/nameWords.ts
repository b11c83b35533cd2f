import * as vscode from 'vscode';
import type { AddressName } from './addressName.ts';

/** Who gives a name, and in which file. */
export function nameDetail({ source, file, line }: AddressName): string {
  const place = file === undefined ? '' : line === undefined ? file : `${file}:${line}`;
  switch (source) {
    case 'mine':
      return vscode.l10n.t('your label');
    case 'deployment':
      return vscode.l10n.t('deployment in {0}', place);
    case 'label':
      return vscode.l10n.t('team label in {0}', place);
    case 'foundry':
      return vscode.l10n.t('label in {0}', place);
    case 'constant':
      return vscode.l10n.t('constant in {0}', place);
    case 'standard':
      return file === undefined
        ? vscode.l10n.t('used for mints and burns')
        : vscode.l10n.t('precompile, {0}', file);
  }
}
