import * as vscode from 'vscode';
import { type Clock, late } from '../../core/index.ts';
import { abortSignalOf } from '../../host/commands/progress.ts';
import type { SettingsService } from '../../host/settings/settings.ts';
import { registerLenses } from '../../host/surface/lenses.ts';

const sources: vscode.DocumentSelector = [
  { language: 'solidity' },
  { language: 'vyper' },
  { pattern: '**/*.{sol,vy,vyi}' },
];

interface EventsDeps {
  readonly settings: SettingsService;
  readonly clock: Clock;
}

/** A lens over each event that a Solidity or Vyper file declares, which opens a log query for it. Asks no server anything. */
export function registerEvents({ settings, clock }: EventsDeps): vscode.Disposable {
  const lenses = late(async () => (await import('./eventLenses.ts')).createEventLenses(clock));
  const changed = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    changed,
    settings.onDidChange(() => changed.fire()),
    // What one file declares may stand in the lenses of another.
    vscode.workspace.onDidSaveTextDocument((saved) => {
      if (vscode.languages.match(sources, saved)) changed.fire();
    }),
    registerLenses(sources, changed.event, async (document, token) => {
      if (!settings.isEnabled('chainside.codeLens.enabled', document)) return undefined;
      const { lensesOf } = await lenses();
      return lensesOf(document, { signal: abortSignalOf(token) });
    }),
  );
}
