import * as vscode from 'vscode';
import {
  type ChainQueryDefinition,
  checkExpectation,
  digestResult,
  type Expectation,
  type ExpectationResult,
  type LogFilter,
  type Network,
  queryDefinitionToJson,
  type ResultDigest,
} from '../../core/index.ts';
import { showError } from '../../host/errors.ts';
import { showMessage } from '../../host/ui/dialogs.ts';
import { withCancellableProgress } from '../../host/ui/window.ts';
import { formatVerdictReasonMessages } from '../../host/verdictReasons.ts';
import type { QueryFilesDeps } from './queryDocument.ts';

/** Rows to read for one file: the fastest server needs about ten minutes. */
const MAX_ROWS = 10_000_000;

interface Compared {
  /** A URI. */
  readonly file: string;
  readonly title: string;
  readonly question: ChainQueryDefinition;
  readonly filter: LogFilter;
  readonly network: Network;
}

/** Reads the whole result and compares it with the expectation. Returns what the user wants to do then. */
export async function checkQueryFile(
  compared: Compared,
  { session, clock, log }: QueryFilesDeps,
  { results, tell }: { readonly results: QueryFileResults; readonly tell: () => void },
): Promise<'show' | 'update' | undefined> {
  const { file, title, question, filter, network } = compared;
  const { l10n } = vscode;
  let answer: ResultDigest | 'cancelled';
  try {
    answer = await withCancellableProgress(
      l10n.t('Reading all logs of {0} on {1}', title, network.name),
      ({ signal, report }) =>
        digestResult(session.clientOf(network), filter, {
          mostRows: MAX_ROWS,
          clock,
          signal,
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
  const words = l10n.t('{0}: {1}.', title, formatResult(answer, judgement, question.expect));
  const show = l10n.t('Show Logs');
  const update = l10n.t('Update Expectation');
  const isNew = state === 'differs' || (state === 'ok' && !question.expect);
  const chosen = await showMessage(
    state === 'ok' ? 'information' : 'warning',
    [words, ...(state === 'incomplete' ? formatReasons(answer) : [])].join(' '),
    ...(isNew ? [update, show] : [show]),
  );
  return chosen === show ? 'show' : chosen === update ? 'update' : undefined;
}

/** The last results of query files, valid as long as the query is unchanged. */
export class QueryFileResults {
  readonly #answers = new Map<string, { readonly asked: string; readonly answer: ResultDigest }>();

  /** `file` is a URI. */
  put(file: string, question: ChainQueryDefinition, answer: ResultDigest): void {
    this.#answers.set(file, { asked: getQueryKey(question), answer });
  }

  of(
    file: string,
    question: ChainQueryDefinition,
  ): { readonly answer: ResultDigest; readonly judgement: ExpectationResult } | undefined {
    const kept = this.#answers.get(file);
    if (kept?.asked !== getQueryKey(question)) return undefined;
    return { answer: kept.answer, judgement: checkExpectation(kept.answer, question.expect) };
  }
}

/** The query without its title and expectation. */
function getQueryKey(question: ChainQueryDefinition): string {
  return JSON.stringify(queryDefinitionToJson({ ...question, title: undefined, expect: undefined }));
}

/** The result and its comparison, in one line. */
export function formatResult(
  { count, verdict }: ResultDigest,
  { state, different }: ExpectationResult,
  expect: Expectation = {},
): string {
  const { l10n } = vscode;
  const logs = countOf(count);
  if (state === 'incomplete') return l10n.t('{0} so far, not certain to be complete', logs);
  const told = l10n.t('{0}, complete to block {1}', logs, number(verdict.toBlock));
  if (expect.count === undefined && expect.sha256 === undefined) return told;
  if (state === 'ok') return l10n.t('{0}, as expected', told);
  return different.includes('count')
    ? l10n.t('{0}, but {1} expected', told, (expect.count ?? 0).toLocaleString(vscode.env.language))
    : l10n.t('{0}, but other rows than expected', told);
}

/** Why a result is uncertain: a sentence each. */
export function formatReasons({ verdict }: ResultDigest): readonly string[] {
  const { l10n } = vscode;
  const { reasons, askedTo, head, state } = verdict;
  const told = formatVerdictReasonMessages(reasons, l10n, number);
  const early =
    askedTo === undefined
      ? []
      : [l10n.t('The newest block is {0}, the range ends at {1}.', number(head), number(askedTo))];
  const more = state === 'more' ? [l10n.t('There are more logs than were read.')] : [];
  return [...told, ...early, ...more];
}

function countOf(rows: number): string {
  if (rows === 1) return vscode.l10n.t('1 log');
  return vscode.l10n.t('{0} logs', rows.toLocaleString(vscode.env.language));
}

function number(value: bigint): string {
  return value.toLocaleString(vscode.env.language);
}
