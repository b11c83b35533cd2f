import type { RowSequence, Verdict } from '../../../core/index.ts';
import type { Language, Localizer } from '../../../host/words/localizer.ts';
import { waitText } from '../../../host/words/waitText.ts';
import type { AnswerStatus, AnswerTone } from '../protocol/logsSnapshot.ts';
import type { LogResults } from '../results/logResults.ts';
import { readBlocksText } from './readBlocks.ts';

export type Answer = Pick<
  LogResults,
  | 'loading'
  | 'waiting'
  | 'progress'
  | 'verdict'
  | 'isFollowed'
  | 'notice'
  | 'error'
  | 'loadedAt'
  | 'age'
  | 'network'
> & { readonly sequence: Pick<RowSequence, 'count'> };

/** What is known of the answer: whether that is all, how many logs, and up to which block. */
export function statusTexts(results: Answer, activeNetwork: string, language: Language): AnswerStatus {
  const { l10n, locale } = language;
  const { verdict, loading, waiting, age } = results;
  const tone = toneOf(results);
  if (loading) {
    const wait = waiting ? [waitText(waiting, l10n, locale)] : [];
    const words = [loadingText(results, activeNetwork, l10n), ...wait].join(' ');
    const rest = loading === 'next' && verdict ? extent(verdict, results, language).join(' · ') : '';
    return { status: words, rest, tone, age: undefined };
  }
  if (!verdict)
    return { status: idleText(results.notice, activeNetwork, l10n), rest: '', tone, age: undefined };
  return {
    ...verdictTexts(tone, { verdict, sequence: results.sequence, isFollowed: results.isFollowed }, language),
    tone,
    age,
  };
}

function toneOf({ loading, notice, error, verdict }: Answer): AnswerTone {
  if (loading) return 'plain';
  if (error !== undefined) return verdict ? 'failed' : 'plain';
  if (notice === 'cancelled') return 'cancelled';
  if (verdict?.state === 'complete' && verdict.reasons.some(({ code }) => code === 'beyondHead'))
    return 'ahead';
  return verdict?.state ?? 'plain';
}

function verdictTexts(
  tone: AnswerTone,
  answer: Pick<Answer, 'sequence' | 'isFollowed'> & { readonly verdict: Verdict },
  language: Language,
): Pick<AnswerStatus, 'status' | 'rest'> {
  const { l10n, locale } = language;
  const { verdict } = answer;
  const [count, blocks] = extent(verdict, answer, language);
  const to = verdict.toBlock.toLocaleString(locale);
  const whole =
    verdict.askedTo === undefined
      ? l10n.t('to block {0}', to)
      : l10n.t('to block {0} of {1}', to, verdict.askedTo.toLocaleString(locale));
  const read = blocks ?? '';
  switch (tone) {
    case 'ahead':
      return {
        status: l10n.t('Range not reached yet · latest block {0}', verdict.head.toLocaleString(locale)),
        rest: '',
      };
    case 'uncertain':
      return { status: l10n.t('Not certain to be complete · {0}', count), rest: whole };
    case 'cancelled':
      return { status: l10n.t('Cancelled · {0}', count), rest: verdict.state === 'more' ? read : whole };
    case 'failed':
      return { status: l10n.t('Stopped by an error · {0}', count), rest: read };
    case 'more':
      return blocks === undefined
        ? { status: l10n.t('Partial · {0}', count), rest: '' }
        : { status: l10n.t('Partial: {0} · {1}', blocks, count), rest: '' };
    default:
      if (answer.isFollowed) return followedTexts(verdict, count, language);
      return { status: l10n.t('Complete · {0}', count), rest: whole };
  }
}

/** Through which block it is whole, and how far the chain is ahead of that. */
function followedTexts(
  { toBlock, head }: Verdict,
  count: string,
  { l10n, locale }: Language,
): Pick<AnswerStatus, 'status' | 'rest'> {
  const to = toBlock.toLocaleString(locale);
  const latest = head > toBlock ? l10n.t('latest block {0}', head.toLocaleString(locale)) : undefined;
  return {
    status: l10n.t('Following · complete to block {0}', to),
    rest: [`· ${count}`, latest].filter((words) => words !== undefined).join(' · '),
  };
}

/** How many logs, and the blocks that they were read from, where not all are. */
function extent(
  verdict: Verdict,
  { sequence }: Pick<Answer, 'sequence'>,
  language: Language,
): readonly [count: string, blocks?: string] {
  const { l10n, locale } = language;
  const count =
    sequence.count === 1 ? l10n.t('1 log') : l10n.t('{0} logs', sequence.count.toLocaleString(locale));
  const blocks = readBlocksText(verdict, language);
  return blocks === undefined ? [count] : [count, blocks];
}

function loadingText(results: Answer, activeNetwork: string, l10n: Localizer): string {
  const network = results.network?.name ?? activeNetwork;
  if (results.loading === 'first') return l10n.t('Asking {0}…', network);
  if (results.loading === 'next') return l10n.t('Loading the next page…');
  const { progress } = results;
  if (!progress || progress.blocks === 0n) return l10n.t('Loading all logs from {0}…', network);
  const tenths = (progress.blocksDone * 10n) / progress.blocks;
  return l10n.t('Loading all logs from {0}: {1} % of the blocks are read.', network, Number(tenths) * 10);
}

function idleText(notice: Answer['notice'], network: string, l10n: Localizer): string {
  switch (notice) {
    case 'moved':
      return l10n.t('Moved to {0}. Run the query to load its logs.', network);
    case 'restored':
      return l10n.t('The query was restored, its logs were not. Run it again to ask {0}.', network);
    default:
      return l10n.t('Run the query to ask {0}.', network);
  }
}
