import * as vscode from 'vscode';
import type { LateFeature } from '../../host/commands/commands.ts';
import { Disposables } from '../../host/disposables.ts';
import { latePart } from '../../host/latePart.ts';
import { registerCompletions } from '../../host/surface/completions.ts';
import { registerLenses } from '../../host/surface/lenses.ts';
import { registerProblems } from '../../host/surface/problems.ts';
import { notebookType } from '../../manifest.ts';
import type { QuestionsDeps } from './deps.ts';

const files: vscode.DocumentSelector = { pattern: '**/*.chainlog.json' };
/** In the cells of a document the same is offered; what runs them, and what is wrong in them, their notebook tells. */
const typed: vscode.DocumentSelector = [
  { pattern: '**/*.chainlog.json' },
  { notebookType, language: 'json' },
];

/** Query files: what is wrong in them, what is offered as they are typed, and what runs them. Asks nobody by itself. */
export function registerQuestions(deps: QuestionsDeps): LateFeature {
  const { clock, settings, session, contracts } = deps;
  const disposables = new Disposables();
  const changed = disposables.add(new vscode.EventEmitter<void>());
  const tell = () => changed.fire();
  const questions = latePart(async () => {
    const { openQuestions } = await import('./questions.ts');
    return disposables.add(openQuestions(deps, tell));
  });
  for (const event of [settings.onDidChange, session.onDidChange, contracts.onDidRead])
    disposables.add((event as vscode.Event<unknown>)(tell));
  disposables.add(
    registerProblems({
      ...{ clock, onDidChange: changed.event },
      find: async (document) =>
        vscode.languages.match(files, document) ? (await questions()).problemsOf(document) : [],
    }),
  );
  disposables.add(
    registerCompletions(typed, async (...at) => (await questions()).completionsAt(...at), ['"']),
  );
  disposables.add(
    registerLenses(files, changed.event, async (document) => {
      if (!settings.isEnabled('chainside.codeLens.enabled', document)) return undefined;
      return (await questions()).lensesOf(document);
    }),
  );
  return { load: questions, dispose: () => disposables.dispose() };
}
