import * as vscode from 'vscode';
import type { LateFeature } from '../../host/commands/commands.ts';
import { abortSignalOf } from '../../host/commands/progress.ts';
import { Disposables } from '../../host/disposables.ts';
import { latePart } from '../../host/latePart.ts';
import { registerHover } from '../../host/surface/hovers.ts';
import { registerLenses } from '../../host/surface/lenses.ts';
import type { InSourceDeps } from './inSource.ts';

const sources: vscode.DocumentSelector = [
  { language: 'solidity' },
  { language: 'vyper' },
  { pattern: '**/*.{sol,vy,vyi}' },
];

/**
 * Lenses and hovers on the events, errors and contracts of Solidity and Vyper files, and what these do. Asks a server only
 * where the user has events counted.
 */
export function registerEvents(deps: InSourceDeps): LateFeature {
  const { settings, session, contracts } = deps;
  const disposables = new Disposables();
  const inSource = latePart(async () => {
    const { openInSource } = await import('./inSource.ts');
    return disposables.add(openInSource({ ...deps, onDidCount: () => changed.fire() }));
  });
  const changed = disposables.add(new vscode.EventEmitter<void>());
  disposables.add(settings.onDidChange(() => changed.fire()));
  disposables.add(session.onDidChange(() => changed.fire()));
  disposables.add(contracts.onDidRead(() => changed.fire()));
  disposables.add(
    // What one file declares may stand in the lenses of another.
    vscode.workspace.onDidSaveTextDocument((saved) => {
      if (vscode.languages.match(sources, saved)) changed.fire();
    }),
  );
  disposables.add(
    registerLenses(sources, changed.event, async (document, token) => {
      if (!settings.isEnabled('chainside.codeLens.enabled', document)) return undefined;
      return (await inSource()).lensesOf(document, { signal: abortSignalOf(token) });
    }),
  );
  disposables.add(
    registerHover(sources, async (document, position, token) => {
      if (!settings.isEnabled('chainside.hover.enabled', document)) return undefined;
      return (await inSource()).hoverAt(document, position, { signal: abortSignalOf(token) });
    }),
  );
  return { load: inSource, dispose: () => disposables.dispose() };
}
