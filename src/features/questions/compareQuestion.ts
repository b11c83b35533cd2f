import * as vscode from 'vscode';
import {
  type ChainQueryDefinition,
  digestResult,
  type LogFilter,
  type Network,
  type ResultDigest,
} from '../../core/index.ts';
import { cancellable } from '../../host/commands/progress.ts';
import { showMessage } from '../../host/surface/messages.ts';
import { showError } from '../../host/words/showError.ts';
import type { QuestionsDeps } from './deps.ts';
import type { QuestionResults } from './results.ts';
import { doubts, resultWords } from './words.ts';

/** Rows that are read for one file: about ten minutes of the fastest server. */
const MOST_ROWS = 10_000_000;

interface Compared {
  /** The URI of the file. */
  readonly file: string;
  readonly title: string;
  readonly question: ChainQueryDefinition;
  readonly filter: LogFilter;
  readonly network: Network;
}

/** Reads the whole answer and tells what it is against what is expected. Resolves to what the user wants then. */
export async function compareQuestion(
  compared: Compared,
  { session, clock, log }: QuestionsDeps,
  { results, tell }: { readonly results: QuestionResults; readonly tell: () => void },
): Promise<'show' | 'update' | undefined> {
  const { file, title, question, filter, network } = compared;
  const { l10n } = vscode;
  let answer: ResultDigest | 'cancelled';
  try {
    answer = await cancellable(
      l10n.t('Reading all logs of {0} on {1}', title, network.name),
      ({ signal, report }) =>
        digestResult(session.clientOf(network), filter, {
          ...{ mostRows: MOST_ROWS, clock, signal },
          onProgress: ({ blocksDone, blocks }) =>
            report(blocks === 0n ? 1 : Number(blocksDone) / Number(blocks), ''),
        }),
    );
  } catch (error) {
    await showError(error, { service: 'endpoint', network, log });
    return undefined;
  }
  if (answer === 'cancelled') return undefined;
  results.put(file, question, answer);
  tell();
  const judgement = results.of(file, question)?.judgement;
  if (!judgement) return undefined;
  const { state } = judgement;
  const words = l10n.t('{0}: {1}.', title, resultWords(answer, judgement, question.expect));
  const show = l10n.t('Show Logs');
  const update = l10n.t('Update Expectation');
  const isNew = state === 'differs' || (state === 'ok' && !question.expect);
  const chosen = await showMessage(
    state === 'ok' ? 'information' : 'warning',
    [words, ...(state === 'incomplete' ? doubts(answer) : [])].join(' '),
    ...(isNew ? [update, show] : [show]),
  );
  return chosen === show ? 'show' : chosen === update ? 'update' : undefined;
}
