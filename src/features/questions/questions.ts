import * as vscode from 'vscode';
import { queryDefinitionToJson, toQueryDefinition } from '../../core/index.ts';
import { registerCommand, runCommand } from '../../host/commands/commands.ts';
import { isUntrustedName } from '../../host/questions/isUntrustedName.ts';
import { networkOfChain, tellNoNetwork } from '../../host/session/chains.ts';
import type { Completions } from '../../host/surface/completions.ts';
import type { Lens } from '../../host/surface/lenses.ts';
import { showMessage } from '../../host/surface/messages.ts';
import type { DocumentProblem } from '../../host/surface/problems.ts';
import { inputText } from '../../host/words/inputTexts.ts';
import { compareQuestion } from './compareQuestion.ts';
import { completionsAt } from './completions.ts';
import type { QuestionsDeps } from './deps.ts';
import { questionLenses } from './lenses.ts';
import { openQuestion, questionDocument } from './openQuestion.ts';
import { questionProblems } from './questionProblems.ts';
import { QuestionResults } from './results.ts';
import { updateExpectation } from './updateExpectation.ts';

/** What is said of query files. */
interface Questions extends vscode.Disposable {
  problemsOf(document: vscode.TextDocument): Promise<readonly DocumentProblem[]>;
  completionsAt(document: vscode.TextDocument, position: vscode.Position): Promise<Completions | undefined>;
  lensesOf(document: vscode.TextDocument): Promise<readonly Lens[]>;
}

/** With the commands of query files. `tell` has what is said of them asked for again. */
export function openQuestions(deps: QuestionsDeps, tell: () => void): Questions {
  const results = new QuestionResults();

  /** A question that can be asked, and of whom; says why where it cannot. */
  async function askable(document: vscode.TextDocument) {
    const { asked, problem, title } = await openQuestion(document, deps);
    const [wrong = problem] = asked?.resolved.problems ?? [];
    if (!asked?.resolved.filter) {
      const why = [wrong ? inputText(wrong, vscode.l10n) : ''];
      if (wrong && isUntrustedName(wrong))
        why.push(vscode.l10n.t('What the project calls something is known once you trust this workspace.'));
      await showMessage('error', vscode.l10n.t('{0} cannot be run. {1}', title, why.join(' ')));
      return undefined;
    }
    const { question, resolved } = asked;
    const network = networkOfChain(deps, question.chainId);
    if (!network) await tellNoNetwork(question.chainId);
    return network && { title, question, resolved, network };
  }

  async function run(document: vscode.TextDocument): Promise<void> {
    const asked = await askable(document);
    if (!asked) return;
    const { chainId } = asked.question;
    const { title: _, ...query } = queryDefinitionToJson(
      toQueryDefinition(asked.resolved.form, { chainId }, { addressesNamed: () => [] }),
    );
    await runCommand('chainside.queryLogs', { ...query, run: true, reuse: true });
  }

  async function compare(document: vscode.TextDocument): Promise<void> {
    const asked = await askable(document);
    if (!asked || !(await deps.session.choose())) return;
    const { title, question, network } = asked;
    const { filter } = asked.resolved;
    const file = document.uri.toString();
    const wanted = await compareQuestion({ file, title, question, filter, network }, deps, { results, tell });
    if (wanted === 'show') await run(document);
    if (wanted === 'update') await update(document);
  }

  async function update(document: vscode.TextDocument): Promise<void> {
    const { asked } = await openQuestion(document, deps);
    const result = asked && results.of(document.uri.toString(), asked.question);
    if (!result || result.judgement.state === 'incomplete') return compare(document);
    const { count, sha256, verdict } = result.answer;
    await updateExpectation(document, { count, sha256, toBlock: verdict.toBlock });
  }

  const command = (
    id: Parameters<typeof registerCommand>[0],
    act: (document: vscode.TextDocument) => Promise<void>,
  ) =>
    registerCommand(id, async (argument) => {
      const document = await questionDocument(argument);
      if (document) await act(document);
      else
        await showMessage(
          'information',
          vscode.l10n.t('Open a query file first: its name ends with .chainlog.json.'),
        );
    });
  const registered = vscode.Disposable.from(
    command('chainside.runQueryFile', run),
    command('chainside.compareQueryFile', compare),
    command('chainside.updateExpectation', update),
  );
  return {
    async problemsOf(document) {
      return questionProblems(document, await openQuestion(document, deps), deps);
    },
    completionsAt: (document, position) => completionsAt(document, position, deps),
    async lensesOf(document) {
      return questionLenses(document, await openQuestion(document, deps), { deps, results });
    },
    dispose: () => registered.dispose(),
  };
}
