import * as vscode from 'vscode';
import { type LazyFeature, lazyPart } from '../../host/commands.ts';
import { Disposables } from '../../host/disposables.ts';
import { registerDiagnostics } from '../../host/ui/diagnostics.ts';
import { registerCodeLenses, registerCompletions } from '../../host/ui/languageFeatures.ts';
import { notebookType } from '../../manifest.ts';
import type { QueryFilesDeps } from './queryDocument.ts';

const files: vscode.DocumentSelector = { pattern: '**/*.chainlog.json' };
/** Completions are offered in notebook cells too; diagnostics and lenses are not: the notebook has its own. */
const typed: vscode.DocumentSelector = [
  { pattern: '**/*.chainlog.json' },
  { notebookType, language: 'json' },
];

/** Registers diagnostics, completions and lenses of query files. Makes no requests. */
export function registerQueryFiles(deps: QueryFilesDeps): LazyFeature {
  const { clock, settings, session, contracts } = deps;
  const disposables = new Disposables();
  const changed = disposables.add(new vscode.EventEmitter<void>());
  const notify = () => changed.fire();
  const queryFiles = lazyPart(async () => {
    const { openQueryFiles } = await import('./queryFiles.ts');
    return disposables.add(openQueryFiles(deps, notify));
  });
  for (const event of [settings.onDidChange, session.onDidChange, contracts.onDidRead])
    disposables.add((event as vscode.Event<unknown>)(notify));
  disposables.add(
    registerDiagnostics({
      clock,
      onDidChange: changed.event,
      find: async (document) =>
        vscode.languages.match(files, document) ? (await queryFiles()).findDiagnostics(document) : [],
    }),
  );
  disposables.add(registerCompletions(typed, async (...at) => (await queryFiles()).complete(...at), ['"']));
  disposables.add(
    registerCodeLenses(files, changed.event, async (document) => {
      if (!settings.isEnabled('chainside.codeLens.enabled', document)) return undefined;
      return (await queryFiles()).createLenses(document);
    }),
  );
  return { load: queryFiles, dispose: () => disposables.dispose() };
}
