import * as vscode from 'vscode';
import type { SettingsService } from '../../host/settings.ts';
import { registerLenses } from '../../host/surface/editors.ts';
import { findEvents } from './findEvents.ts';

const solidity: vscode.DocumentSelector = [{ language: 'solidity' }, { pattern: '**/*.sol' }];
/** Sources are short; a file as long as this was made by a program. */
const LONGEST = 1_000_000;

/** A lens over each event that a Solidity file declares, which opens a log query for it. Asks no server anything. */
export function registerEvents({ settings }: { readonly settings: SettingsService }): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    changed,
    settings.onDidChange(() => changed.fire()),
    registerLenses(solidity, changed.event, (document) => {
      const source = document.getText();
      if (source.length > LONGEST || !settings.isEnabled('chainside.codeLens.enabled', document)) return [];
      return findEvents(source).map(({ name, signature, topic0, offset }) => ({
        at: document.positionAt(offset),
        title: vscode.l10n.t('Query logs of {0}', name),
        tooltip: [signature, topic0],
        command: 'chainside.queryLogs',
        argument: { event: signature },
      }));
    }),
  );
}
