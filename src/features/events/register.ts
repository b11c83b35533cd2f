import * as vscode from 'vscode';
import type { SettingsService } from '../../host/settings.ts';
import type { CommandId } from '../../manifest.ts';
import { findEvents } from './findEvents.ts';

const solidity: vscode.DocumentSelector = [{ language: 'solidity' }, { pattern: '**/*.sol' }];
/** Sources are short; a file as long as this was made by a program. */
const LONGEST = 1_000_000;

/** A lens over each event that a Solidity file declares, which opens a log query for it. Asks no server anything. */
export function registerEvents({ settings }: { readonly settings: SettingsService }): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const queryLogs: CommandId = 'chainside.queryLogs';
  return vscode.Disposable.from(
    changed,
    settings.onDidChange(() => changed.fire()),
    vscode.languages.registerCodeLensProvider(solidity, {
      onDidChangeCodeLenses: changed.event,
      provideCodeLenses(document) {
        const source = document.getText();
        if (source.length > LONGEST || !settings.isEnabled('chainside.codeLens.enabled', document)) return [];
        return findEvents(source).map(({ name, signature, topic0, offset }) => {
          const at = document.positionAt(offset);
          return new vscode.CodeLens(new vscode.Range(at, at), {
            title: vscode.l10n.t('Query logs of {0}', name),
            tooltip: `${signature}\n${topic0}`,
            command: queryLogs,
            arguments: [{ event: signature }],
          });
        });
      },
    }),
  );
}
