import * as vscode from 'vscode';
import type { ServerDescription } from '../../core/index.ts';

/** What answers at an endpoint, in a few words; undefined where it is not known. */
export function serverWords({ server, version, before }: ServerDescription): string | undefined {
  if (server === 'unknown') return undefined;
  if (server === 'portal') return 'SQD Portal';
  if (server === 'node') return version ?? vscode.l10n.t('Ethereum node');
  if (before !== undefined) return vscode.l10n.t('Blockscout before {0}', before);
  return version === undefined ? 'Blockscout' : `Blockscout ${version}`;
}
