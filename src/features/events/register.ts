import * as vscode from 'vscode';
import type { Clock } from '../../core/index.ts';
import { abortSignalOf } from '../../host/commands/progress.ts';
import type { SettingsService } from '../../host/settings/settings.ts';
import { registerLenses } from '../../host/surface/lenses.ts';

const solidity: vscode.DocumentSelector = [{ language: 'solidity' }, { pattern: '**/*.sol' }];

interface EventsDeps {
  readonly settings: SettingsService;
  readonly clock: Clock;
}

/** A lens over each event that a Solidity file declares, which opens a log query for it. Asks no server anything. */
export function registerEvents({ settings, clock }: EventsDeps): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    changed,
    settings.onDidChange(() => changed.fire()),
    registerLenses(solidity, changed.event, async (document, token) => {
      if (!settings.isEnabled('chainside.codeLens.enabled', document)) return undefined;
      const { eventLenses } = await import('./eventLenses.ts');
      return eventLenses(document, { clock, signal: abortSignalOf(token) });
    }),
  );
}
