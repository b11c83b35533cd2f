import * as vscode from 'vscode';
import { chainName } from '../../host/session/chains.ts';
import type { Lens, LensWords } from '../../host/surface/lenses.ts';
import type { QuestionsDeps } from './deps.ts';
import type { OpenQuestion } from './openQuestion.ts';
import type { QuestionResults } from './results.ts';
import { doubts, resultWords } from './words.ts';

/** Over a query file what runs it, and what came of it last. */
export function questionLenses(
  document: vscode.TextDocument,
  { asked }: OpenQuestion,
  { deps, results }: { readonly deps: QuestionsDeps; readonly results: QuestionResults },
): readonly Lens[] {
  if (!asked) return [];
  const { l10n } = vscode;
  const { question } = asked;
  const argument = document.uri.toString();
  const on = chainName(deps, question.chainId);
  const lenses: LensWords[] = [
    {
      title: l10n.t('Run on {0}', on),
      tooltip: [l10n.t('Shows the logs in a panel.')],
      ...{ command: 'chainside.runQueryFile', argument },
    },
    {
      title: l10n.t('Run and Compare'),
      tooltip: [l10n.t('Reads all logs, and says whether they are as the file expects.')],
      ...{ command: 'chainside.compareQueryFile', argument },
    },
  ];
  const result = results.of(argument, question);
  if (result) {
    const { answer, judgement } = result;
    const icon = { ok: '✓', differs: '✗', incomplete: '?' }[judgement.state];
    const words = resultWords(answer, judgement, question.expect);
    const isNew = judgement.state === 'differs' || (judgement.state === 'ok' && !question.expect);
    lenses.push({
      title: isNew ? l10n.t('{0} {1}: Update Expectation', icon, words) : `${icon} ${words}`,
      tooltip: [words, ...judgement.reasons, ...doubts(answer)],
      command: isNew ? 'chainside.updateExpectation' : 'chainside.runQueryFile',
      argument,
    });
  }
  const at = new vscode.Position(0, 0);
  return lenses.map((words) => ({ at, show: () => words }));
}
