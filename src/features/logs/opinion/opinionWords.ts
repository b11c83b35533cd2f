import type { DifferenceCounts, OpinionReason, SecondOpinion } from '../../../core/index.ts';
import type { Language, Localizer } from '../../../host/words/localizer.ts';
import type { AboutAnswer, AnswerStatus } from '../protocol/logsSnapshot.ts';

/** What came of asking another endpoint, and which one it was. */
export interface GivenOpinion {
  readonly opinion: SecondOpinion;
  /** Of its network. */
  readonly name: string;
}

export type Told = AnswerStatus & AboutAnswer;

/** What is told of an answer, with the second opinion of it. A difference is a doubt. */
export function withOpinion(told: Told, given: GivenOpinion | undefined, language: Language): Told {
  if (!given || told.facts.length === 0) return told;
  const { opinion } = given;
  const line = opinionLine(given, language);
  const rest = told.rest === '' ? `· ${line}` : `${told.rest} · ${line}`;
  const text = opinionText(given, language);
  const facts = [...told.facts, { name: language.l10n.t('Second opinion'), value: line }];
  if (opinion.state !== 'differ') return { ...told, rest, facts, notes: [...told.notes, text] };
  return { ...told, rest, facts, tone: 'uncertain', doubts: [...told.doubts, text] };
}

/** A few words for the line that says what the answer is worth. */
function opinionLine({ opinion, name }: GivenOpinion, { l10n }: Language): string {
  switch (opinion.state) {
    case 'agree':
      return opinion.sample
        ? l10n.t('a sample agrees with {0}', name)
        : l10n.t('two sources agree: {0}', name);
    case 'differ':
      return l10n.t('{0} gives other logs', name);
    case 'unknown':
      return l10n.t('no second opinion from {0}', name);
  }
}

/** Which blocks were compared, what came of it, and what was not compared. */
function opinionText({ opinion, name }: GivenOpinion, { l10n, locale }: Language): string {
  const { state, fromBlock, toBlock, sample, blocks, alike, reasons } = opinion;
  const number = (value: number | bigint) => value.toLocaleString(locale);
  const range = l10n.t('blocks {0} to {1}', number(fromBlock), number(toBlock));
  const where = sample ? l10n.t('{0} blocks out of {1}', number(blocks), range) : range;
  const why = reasons.map((reason) => reasonWords(reason, name, l10n));
  const counts = countWords(opinion, name, { l10n, locale });
  const what = {
    agree: l10n.t('{0} gives the same {1} logs of {2}.', name, number(alike), where),
    differ: l10n.t('{0} gives other logs of {1}: {2}. Neither is known to be right.', name, where, counts),
    unknown: l10n.t('{0} was asked for the same, and nothing can be said.', name),
  }[state];
  return [what, ...why].join(' ');
}

/** How many rows are not alike, by kind. */
export function countWords(apart: DifferenceCounts, name: string, { l10n, locale }: Language): string {
  const number = (value: number) => value.toLocaleString(locale);
  const { onlyHere, onlyThere, different } = apart;
  return [
    onlyHere > 0 && l10n.t('{0} only here', number(onlyHere)),
    onlyThere > 0 && l10n.t('{0} only from {1}', number(onlyThere), name),
    different > 0 && l10n.t('{0} different', number(different)),
  ]
    .filter((words) => words !== false)
    .join(', ');
}

function reasonWords({ code, words = '', chainIds }: OpinionReason, name: string, l10n: Localizer): string {
  switch (code) {
    case 'otherChain':
      return l10n.t(
        'It is of another chain: {0} in place of {1}.',
        String(chainIds?.there),
        String(chainIds?.here),
      );
    case 'nothingRead':
      return l10n.t('No block is loaded whole yet.');
    case 'nothingSettled':
      return l10n.t('All blocks are so new that a reorg may still change them. Ask again later.');
    case 'notSettled':
      return l10n.t('Newer blocks were not compared, as a reorg may still change them.');
    case 'notWholeHere':
      return l10n.t('The answer here is not certain to be complete.');
    case 'notWholeThere':
      return l10n.t('The answer of {0} is not certain to be complete.', name);
    case 'failedHere':
      return l10n.t('The endpoint of this panel failed: {0}', words);
    case 'failedThere':
      return l10n.t('{0} failed: {1}', name, words);
  }
}
