import { type FoundBound, formatIsoTime, type Verdict } from '../../../core/index.ts';
import type { Language } from '../../../host/words/localizer.ts';
import { verdictReasonTexts } from '../../../host/words/verdictReasonTexts.ts';
import type { AboutAnswer, AnswerFact } from '../protocol/logsSnapshot.ts';
import { readBlocks } from './readBlocks.ts';
import type { Answer } from './statusText.ts';

/** Why the status line says what it says, what can be done, and what was asked of whom. Nothing before an answer. */
export function aboutAnswer(answer: Answer, language: Language): AboutAnswer {
  const { verdict, loading } = answer;
  if (!verdict || loading) return { doubts: [], notes: [], facts: [] };
  const number = (value: bigint) => value.toLocaleString(language.locale);
  const reasons = verdictReasonTexts(verdict.reasons, language.l10n, number);
  const isDoubt = verdict.state === 'uncertain';
  const stop = stopText(verdict, answer, language);
  return {
    doubts: isDoubt ? reasons : [],
    notes: [...(stop === undefined ? [] : [stop]), ...(isDoubt ? [] : reasons)],
    facts: factsOf(verdict, answer, language),
  };
}

function stopText(verdict: Verdict, answer: Answer, { l10n, locale }: Language): string | undefined {
  const { state, fromBlock, toBlock, askedTo, head } = verdict;
  const { notice, error, isFollowed } = answer;
  const number = (value: bigint) => value.toLocaleString(locale);
  const read = readBlocks(verdict);
  const loaded = read
    ? l10n.t('Every log of blocks {0} to {1} is loaded.', number(read.first), number(read.last))
    : l10n.t('No block is loaded whole yet.');
  if (error !== undefined) {
    return l10n.t('A request failed, as said above. {0} Try again goes on from there.', loaded);
  }
  if (state === 'more') {
    return notice === 'cancelled'
      ? l10n.t('You cancelled it. {0} Load next page or Load all goes on from there.', loaded)
      : l10n.t('{0} Load next page brings up to 1,000 logs more, Load all the rest.', loaded);
  }
  if (state === 'uncertain' || fromBlock > toBlock) return undefined;
  const whole = l10n.t('Every log of blocks {0} to {1} is loaded.', number(fromBlock), number(toBlock));
  if (askedTo !== undefined) {
    return l10n.t(
      '{0} {1} was the latest block then; those up to {2} are still to come.',
      whole,
      number(head),
      number(askedTo),
    );
  }
  if (isFollowed) return l10n.t('{0} New ones come in by themselves.', whole);
  return toBlock === head
    ? l10n.t('{0} {1} was the latest block then; run the query again for newer logs.', whole, number(head))
    : whole;
}

function factsOf(
  { fromBlock, toBlock, head, requests, found = {} }: Verdict,
  { network, loadedAt, sequence }: Answer,
  { l10n, locale }: Language,
): readonly AnswerFact[] {
  const number = (value: number | bigint) => value.toLocaleString(locale);
  const facts: (AnswerFact | false)[] = [
    network !== undefined && { name: l10n.t('Network'), value: network.name },
    { name: l10n.t('Logs'), value: number(sequence.count) },
    fromBlock <= toBlock && {
      name: l10n.t('Blocks'),
      value: l10n.t('{0} to {1}', number(fromBlock), number(toBlock)),
    },
    found.from !== undefined && {
      name: l10n.t('First block'),
      value: foundText(found.from, { l10n, locale }),
    },
    found.to !== undefined && { name: l10n.t('Last block'), value: foundText(found.to, { l10n, locale }) },
    { name: l10n.t('Latest block'), value: l10n.t('{0} when the query began', number(head)) },
    { name: l10n.t('Requests'), value: l10n.t('{0}, retries included', number(requests)) },
    loadedAt !== undefined && {
      name: l10n.t('Loaded at'),
      value: new Date(loadedAt).toLocaleTimeString(locale),
    },
  ];
  return facts.filter((fact) => fact !== false);
}

/** Which block a moment stood for, when that was made, and what told. */
function foundText({ asked, block, time, source }: FoundBound, { l10n, locale }: Language): string {
  const number = block.toLocaleString(locale);
  const moment = formatIsoTime(asked) ?? '';
  const made = formatIsoTime(time);
  return made === undefined
    ? l10n.t('{0}, for {1}, by {2}', number, moment, source)
    : l10n.t('{0} of {1}, for {2}, by {3}', number, made, moment, source);
}
