import type { Log, RunComparison } from '../../../core/index.ts';
import { formatMoment } from '../../../host/formatTime.ts';
import type { Language } from '../../../host/l10n.ts';
import type { TextLine } from '../../../host/ui/virtualDocuments.ts';
import {
  type DescribedResult,
  formatDifferenceCounts,
  formatDifferenceKinds,
  formatRowList,
} from '../opinion/formatOpinion.ts';
import type { StoredRun } from '../queries/queryHistory.ts';
import { formatRunWithTime } from '../queries/queryTree.ts';

/** What a query gives now, held against a run before, and both runs. */
export interface ShownComparison {
  readonly comparison: RunComparison;
  readonly now: StoredRun;
  readonly before: StoredRun;
}

/** What is told of an answer, with what the last run gave. What the chain itself does not explain is a doubt. */
export function addComparison(
  told: DescribedResult,
  given: ShownComparison | undefined,
  language: Language,
): DescribedResult {
  if (!given || told.facts.length === 0) return told;
  const { l10n } = language;
  const line = comparisonLine(given, language);
  const rest = told.rest === '' ? `· ${line}` : `${told.rest} · ${line}`;
  const facts = [
    ...told.facts,
    { name: l10n.t('Last run'), value: formatRunWithTime(given.before, language) },
  ];
  const text = comparisonSentences(given, language).join(' ');
  if (isExplained(given.comparison)) return { ...told, rest, facts, notes: [...told.notes, text] };
  return { ...told, rest, facts, tone: 'uncertain', reasons: [...told.reasons, text] };
}

/** A few words for the line that says what the answer is worth. */
function comparisonLine({ comparison }: ShownComparison, language: Language): string {
  const { l10n, locale } = language;
  const { state, newer } = comparison;
  const since = newer.count > 0 && l10n.t('{0} new since', newer.count.toLocaleString(locale));
  const words = {
    same: l10n.t('same as the last run'),
    differ: l10n.t('other logs than the last run'),
    unknown: l10n.t('not compared with the last run'),
  }[state];
  return since ? `${words}, ${since}` : words;
}

/** Whether all rows that are not alike are of blocks that a reorg replaced. */
function isExplained(comparison: RunComparison): boolean {
  return comparison.state !== 'differ' || comparison.replaced === rowsApart(comparison);
}

function rowsApart({ onlyHere, onlyThere, different }: RunComparison): number {
  return onlyHere + onlyThere + different;
}

/** Which blocks were compared, what came of it, and why. */
function comparisonSentences({ comparison, before }: ShownComparison, language: Language): readonly string[] {
  const { l10n, locale } = language;
  const { state, fromBlock, toBlock, alike } = comparison;
  const number = (value: number | bigint) => value.toLocaleString(locale);
  const when = formatMoment(before.at);
  const range = [number(fromBlock), number(toBlock)] as const;
  const counts = formatDifferenceCounts(comparison, l10n.t('the last run'), language);
  const what = {
    same: l10n.t(
      'The last run, {0}, gave the same {1} logs of blocks {2} to {3}.',
      when,
      number(alike),
      ...range,
    ),
    differ: l10n.t('The last run, {0}, gave other logs of blocks {1} to {2}: {3}.', when, ...range, counts),
    unknown: l10n.t('Nothing can be said about the last run, {0}.', when),
  }[state];
  return [what, ...formatComparisonReasons(comparison, language), ...formatBeyond(comparison, language)];
}

function formatComparisonReasons(comparison: RunComparison, { l10n, locale }: Language): readonly string[] {
  const { reason, replaced, unmoved } = comparison;
  const number = (value: number) => value.toLocaleString(locale);
  const unclear = rowsApart(comparison) - replaced - unmoved;
  return [
    reason === 'notWholeHere' && l10n.t('The answer of now is not complete.'),
    reason === 'notWholeThere' && l10n.t('The answer of then was not complete.'),
    reason === 'nothingCommon' && l10n.t('It was of other blocks.'),
    replaced > 0 &&
      l10n.t('{0} of them are of blocks that were replaced: the chain was reorganised.', number(replaced)),
    unmoved > 0 &&
      l10n.t(
        '{0} of them are of blocks that are still the same: the server gives other logs of them than it did. Neither is known to be right; ask another endpoint.',
        number(unmoved),
      ),
    unclear > 0 &&
      l10n.t(
        'Of {0} of them it is not known whether the chain was reorganised or the server gives other logs than it did.',
        number(unclear),
      ),
  ].filter((words) => words !== false);
}

function formatBeyond({ newer, older, left }: RunComparison, { l10n, locale }: Language): readonly string[] {
  const number = (value: number) => value.toLocaleString(locale);
  return [
    newer.count > 0 &&
      l10n.t('{0} logs are of newer blocks than the last run asked for.', number(newer.count)),
    older.count > 0 &&
      l10n.t('{0} logs are of earlier blocks than the last run asked for.', number(older.count)),
    left.count > 0 &&
      l10n.t('{0} logs of the last run are of blocks that are not in the range of now.', number(left.count)),
  ].filter((words) => words !== false);
}

/** Whether there are rows to be shown. */
export function hasDifferences(comparison: RunComparison): boolean {
  const { state, newer, older, left } = comparison;
  return state !== 'unknown' && rowsApart(comparison) + newer.count + older.count + left.count > 0;
}

/** The rows that two runs do not give alike, as lines of a text; `title` is of the query. */
export function formatComparison(
  given: ShownComparison,
  title: string,
  language: Language,
): readonly TextLine[] {
  const { comparison, now, before } = given;
  const { l10n } = language;
  const names = [l10n.t('this run'), l10n.t('the last run')] as const;
  const beyond = (heading: string, { count, rows }: RunComparison['newer'], side: 'here' | 'there') =>
    formatRowList({ title: heading, count, rows: rows.map((log) => rowOf(log, side)) }, names, language);
  return [
    { level: 0, text: title },
    { level: 0, text: l10n.t('This run: {0}', formatRunWithTime(now, language)) },
    { level: 0, text: l10n.t('Last run: {0}', formatRunWithTime(before, language)) },
    ...comparisonSentences(given, language).map((text) => ({ level: 0, text })),
    ...formatDifferenceKinds(comparison, names, language),
    ...beyond(l10n.t('New since the last run'), comparison.newer, 'here'),
    ...beyond(l10n.t('Of earlier blocks than the last run asked for'), comparison.older, 'here'),
    ...beyond(
      l10n.t('Of the last run, and of blocks that are not in the range of now'),
      comparison.left,
      'there',
    ),
  ];
}

function rowOf(log: Log, side: 'here' | 'there') {
  return side === 'here' ? { here: log, there: undefined } : { here: undefined, there: log };
}
