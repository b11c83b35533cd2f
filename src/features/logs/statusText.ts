import type { Verdict, VerdictReason } from '../../core/index.ts';
import type { LogResults } from './logResults.ts';
import type { LogsSnapshot } from './protocol.ts';
import type { Localizer } from './strings.ts';

export interface StatusTexts {
  readonly status: string;
  readonly tone: LogsSnapshot['tone'];
  readonly reasons: readonly string[];
}

/** What is known of the answer, in words: how many logs of which network and blocks, and whether that is all. */
export function statusTexts(
  results: Pick<LogResults, 'loading' | 'verdict' | 'rows' | 'notice' | 'error' | 'loadedAt' | 'network'>,
  activeNetwork: string,
  l10n: Localizer,
  locale: string,
): StatusTexts {
  const number = (value: number | bigint) => value.toLocaleString(locale);
  const network = results.network?.name ?? activeNetwork;
  const { verdict, loading, notice, error } = results;
  const sentences: string[] = [];
  if (loading === 'first') sentences.push(l10n.t('Asking {0}…', network));
  if (loading === 'next') sentences.push(l10n.t('Loading the next page…'));
  if (notice === 'cancelled') sentences.push(l10n.t('Cancelled.'));
  if (!loading && !notice && error === undefined && verdict) sentences.push(worth(verdict, l10n));
  if (verdict) {
    sentences.push(extent(verdict, results.rows.length, network, number, l10n));
    sentences.push(sources(verdict, results.loadedAt, number, l10n, locale));
  }
  if (sentences.length === 0) sentences.push(idleText(notice, activeNetwork, l10n));
  return {
    status: sentences.join(' '),
    tone: loading || notice || error !== undefined || !verdict ? 'plain' : verdict.state,
    reasons: (verdict?.reasons ?? []).map((reason) => reasonText(reason, l10n, number)),
  };
}

function worth(verdict: Verdict, l10n: Localizer): string {
  switch (verdict.state) {
    case 'complete':
      return l10n.t('Complete.');
    case 'more':
      return l10n.t('More pages.');
    case 'uncertain':
      return l10n.t('Not certain to be complete.');
  }
}

/** How many logs, of which network and blocks. Of an answer that goes on, also how far it is read. */
function extent(
  { state, fromBlock, toBlock, readThrough }: Verdict,
  rows: number,
  network: string,
  number: (value: number | bigint) => string,
  l10n: Localizer,
): string {
  const count = rows === 1 ? l10n.t('1 log') : l10n.t('{0} logs', number(rows));
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

function sources(
  verdict: Verdict,
  loadedAt: number | undefined,
  number: (value: number | bigint) => string,
  l10n: Localizer,
  locale: string,
): string {
  const requests =
    verdict.requests === 1 ? l10n.t('1 request') : l10n.t('{0} requests', number(verdict.requests));
  const head = l10n.t('latest block {0}', number(verdict.head));
  if (loadedAt === undefined) return `${requests}, ${head}.`;
  return l10n.t('{0}, {1}, at {2}.', requests, head, new Date(loadedAt).toLocaleTimeString(locale));
}

function idleText(notice: LogResults['notice'], network: string, l10n: Localizer): string {
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

function reasonText(
  { code, block }: VerdictReason,
  l10n: Localizer,
  number: (value: bigint) => string,
): string {
  const height = block === undefined ? '?' : number(block);
  switch (code) {
    case 'blockNotWhole':
      return l10n.t('Block {0} holds more matching logs than the server gives out.', height);
    case 'cancelled':
      return l10n.t('The query was cancelled at block {0}; everything before it is loaded.', height);
    case 'forkRows':
      return l10n.t('The server gave logs of two different blocks at height {0}.', height);
    case 'headWentBack':
      return l10n.t('The newest block of the server fell below the range that was read.');
    case 'reorg':
      return l10n.t('The chain was reorganised at block {0} while the query ran.', height);
    case 'shortPages':
      return l10n.t('This version of the server can leave logs out of a page (Blockscout v6.8 to v9.4).');
  }
}
