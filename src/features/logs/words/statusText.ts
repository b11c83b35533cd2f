import type { Verdict } from '../../../core/index.ts';
import type { Language, Localizer } from '../../../host/words/localizer.ts';
import { toneWords } from '../../../host/words/toneWords.ts';
import { waitText } from '../../../host/words/waitText.ts';
import type { Tone } from '../../../messaging/panel.ts';
import type { LogResults } from '../results/logResults.ts';

interface StatusTexts {
  /** Fit to be read out at every change: while all is loaded it changes with each tenth of the blocks. */
  readonly status: string;
  readonly tone: Tone;
}

type Answer = Pick<
  LogResults,
  'loading' | 'waiting' | 'progress' | 'verdict' | 'rows' | 'notice' | 'error' | 'loadedAt' | 'network'
>;

/** What is known of the answer, in words: how many logs of which network and blocks, and whether that is all. */
export function statusTexts(results: Answer, activeNetwork: string, language: Language): StatusTexts {
  const { l10n, locale } = language;
  const network = results.network?.name ?? activeNetwork;
  const { verdict, loading, notice } = results;
  const tone = toneOf(results);
  const wait = results.waiting ? [waitText(results.waiting, l10n, locale)] : [];
  if (loading === 'all') {
    return { status: [loadingAllText(results, network, l10n), ...wait].join(' '), tone };
  }
  const sentences: string[] = [];
  if (loading === 'first') sentences.push(l10n.t('Asking {0}…', network));
  if (loading === 'next') sentences.push(l10n.t('Loading the next page…'));
  sentences.push(...wait);
  const worth = toneWords(tone, l10n);
  if (worth) sentences.push(worth);
  if (verdict) {
    sentences.push(extent(verdict, { rows: results.rows.length, network }, language));
    sentences.push(sources(verdict, results.loadedAt, language));
  }
  if (sentences.length === 0) sentences.push(idleText(notice, activeNetwork, l10n));
  return { status: sentences.join(' '), tone };
}

function toneOf({ loading, notice, error, verdict }: Answer): Tone {
  if (loading) return 'plain';
  if (error !== undefined) return verdict ? 'failed' : 'plain';
  if (notice === 'cancelled') return 'cancelled';
  return verdict?.state ?? 'plain';
}

function loadingAllText({ progress }: Answer, network: string, l10n: Localizer): string {
  if (!progress || progress.blocks === 0n) return l10n.t('Loading all logs from {0}…', network);
  const tenths = (progress.blocksDone * 10n) / progress.blocks;
  return l10n.t('Loading all logs from {0}: {1} % of the blocks are read.', network, Number(tenths) * 10);
}

/** How many logs, of which network and blocks. Of an answer that goes on, also how far it is read. */
function extent(
  { state, fromBlock, toBlock, readThrough }: Verdict,
  { rows, network }: { readonly rows: number; readonly network: string },
  { l10n, locale }: Language,
): string {
  const number = (value: number | bigint) => value.toLocaleString(locale);
  const count = rows === 1 ? l10n.t('1 log') : l10n.t('{0} logs', number(rows));
  if (fromBlock > toBlock) return l10n.t('{0} has no block {1} yet.', network, number(fromBlock));
  const range = [number(fromBlock), number(toBlock)] as const;
  if (state !== 'more' || readThrough === undefined) {
    return l10n.t('{0} on {1} in blocks {2} to {3}.', count, network, ...range);
  }
  return l10n.t(
    '{0} on {1}, read through block {2} of {3} to {4}.',
    count,
    network,
    number(readThrough),
    ...range,
  );
}

function sources(verdict: Verdict, loadedAt: number | undefined, { l10n, locale }: Language): string {
  const number = (value: number | bigint) => value.toLocaleString(locale);
  const requests =
    verdict.requests === 1 ? l10n.t('1 request') : l10n.t('{0} requests', number(verdict.requests));
  const head = l10n.t('latest block {0}', number(verdict.head));
  if (loadedAt === undefined) return `${requests}, ${head}.`;
  return l10n.t('{0}, {1}, at {2}.', requests, head, new Date(loadedAt).toLocaleTimeString(locale));
}

function idleText(notice: Answer['notice'], network: string, l10n: Localizer): string {
  switch (notice) {
    case 'networkChanged':
      return l10n.t(
        'The network is now {0}. The logs of the other one were removed; run the query again.',
        network,
      );
    case 'restored':
      return l10n.t('The query was restored, its logs were not. Run it again to ask {0}.', network);
    default:
      return l10n.t('Run the query to ask {0}.', network);
  }
}
