import * as vscode from 'vscode';
import type { Expectation, ExpectationResult, ResultDigest } from '../../core/index.ts';
import { verdictReasonTexts } from '../../host/words/verdictReasonTexts.ts';

/** What became of a question, in one line. */
export function resultWords(
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

/** Why an answer is in doubt: a sentence each. */
export function doubts({ verdict }: ResultDigest): readonly string[] {
  const { l10n } = vscode;
  const { reasons, askedTo, head, state } = verdict;
  const told = verdictReasonTexts(reasons, l10n, number);
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
