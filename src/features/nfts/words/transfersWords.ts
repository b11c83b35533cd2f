import type { AppError, NftHistory, NoNftProviderReason } from '../../../core/index.ts';
import type { Localizer } from '../../../host/words/localizer.ts';
import { sourceName } from '../../../host/words/sourceName.ts';
import { toneWords } from '../../../host/words/toneWords.ts';
import { waitText } from '../../../host/words/waitText.ts';
import type { LoadingProgress, Tone } from '../../../messaging/panel.ts';
import type { NftAnswers } from '../answers/nftAnswers.ts';
import type { Offer, WireTransfers } from '../protocol/nftSnapshot.ts';
import { costWords } from './costWords.ts';
import { transfersReasons } from './transfersReasons.ts';
import type { WordsContext } from './wordsContext.ts';

/** What is known of the transfers, where it was read, what it is worth, and what else can be asked. */
export function transfersWords(
  context: WordsContext,
): Pick<WireTransfers, 'canSkipWait' | 'facts' | 'status' | 'tone' | 'reasons' | 'offers' | 'progress'> {
  const { answers } = context;
  return {
    facts: [],
    status: transfersStatus(context),
    tone: toneOf(answers),
    reasons: transfersReasons(context),
    offers: transfersOffers(context),
    progress: progressOf(context),
    canSkipWait: answers.reading.waiting !== undefined,
  };
}

function toneOf({ transfers }: NftAnswers): Tone {
  const { value, error, isLoading, isCancelled } = transfers;
  if (isLoading || !value) return 'plain';
  if (error !== undefined) return 'failed';
  if (isCancelled) return 'cancelled';
  if (value.skipped > 0) return 'uncertain';
  return value.from === 'logs' ? (value.verdict?.state ?? 'plain') : 'plain';
}

function transfersStatus(context: WordsContext): string {
  const { answers, activeNetwork, l10n } = context;
  const { transfers, tokenId } = answers;
  if (transfers.isLoading) {
    const wait = answers.reading.waiting ? [waitText(answers.reading.waiting, l10n, context.locale)] : [];
    return [loadingWords(context), ...wait].join(' ');
  }
  const { value } = transfers;
  if (!value) {
    if (transfers.isCancelled) return l10n.t('Cancelled.');
    if (tokenId === undefined) return l10n.t('Type a token id to see its transfers.');
    return l10n.t(
      'The transfers of token {0} on {1} are not loaded.',
      tokenId.toString(),
      activeNetwork.name,
    );
  }
  return [worthWords(value, context), extentWords(value, context), sourceWords(value, context)]
    .filter((words) => words !== undefined)
    .join(' ');
}

function worthWords(history: NftHistory, { answers, l10n }: WordsContext): string | undefined {
  const tone = toneOf(answers);
  const endsEarly = tone === 'more' && history.from === 'logs' && history.endsEarly;
  return endsEarly ? l10n.t('Ended early.') : toneWords(tone, l10n);
}

/** Fit to be read out at every change: while logs are read it changes with each tenth of the blocks. */
function loadingWords({ answers, activeNetwork, nfts, l10n }: WordsContext): string {
  const { network, askedLast } = answers;
  const { progress } = answers.reading;
  const name = network?.name ?? activeNetwork.name;
  if (askedLast.transfers === 'source') {
    const asked = nfts?.state === 'ready' ? sourceName(nfts.label, l10n) : l10n.t('the data API');
    return l10n.t('Asking {0} for the transfers…', asked);
  }
  if (!progress || progress.blocks === 0n)
    return l10n.t('Reading the transfers out of the logs of {0}…', name);
  const tenths = Number((progress.blocksDone * 10n) / progress.blocks) * 10;
  return l10n.t('Reading the transfers out of the logs of {0}: {1} % of the blocks are read.', name, tenths);
}

function extentWords({ count }: NftHistory, { answers, l10n, locale }: WordsContext): string {
  const { tokenId, network } = answers;
  const transfers =
    count === 1 ? l10n.t('1 transfer') : l10n.t('{0} transfers', count.toLocaleString(locale));
  return l10n.t('{0} of token {1} on {2}', transfers, tokenId?.toString() ?? '', network?.name ?? '');
}

function sourceWords(history: NftHistory, { l10n, locale }: WordsContext): string {
  if (history.from === 'logs') {
    const { verdict, whyNoSource } = history;
    const source = l10n.t("from the chain's logs, because {0}.", whyNotWords(whyNoSource, l10n));
    if (!verdict) return source;
    const number = (value: bigint) => value.toLocaleString(locale);
    return l10n.t('in blocks {0} to {1}, {2}', number(verdict.fromBlock), number(verdict.toBlock), source);
  }
  const { source, updatedAt, readAt } = history;
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }).format(updatedAt ?? readAt);
  return updatedAt === undefined
    ? l10n.t('from {0}, read at {1}.', sourceName(source, l10n), time)
    : l10n.t('from {0}, as of {1}.', sourceName(source, l10n), time);
}

function whyNotWords(why: NoNftProviderReason, l10n: Localizer): string {
  switch (why.reason) {
    case 'noSource':
      return nobodyElse(l10n);
    case 'noKey':
      return l10n.t('no data API key is set');
    case 'notWanted':
      return l10n.t('you chose them');
    case 'notServed':
      return notServedWords(why.error, l10n);
  }
}

function notServedWords(error: AppError | undefined, l10n: Localizer): string {
  switch (error?.details.source?.name) {
    case 'covalent':
      return l10n.t('the data API does not support this chain');
    case 'blockscout':
      return error?.kind === 'tooHeavy'
        ? l10n.t('the explorer does not give them to their end')
        : l10n.t('the explorer does not give them');
    default:
      return nobodyElse(l10n);
  }
}

/** Also where the settings exclude one, and where both have refused before. */
function nobodyElse(l10n: Localizer): string {
  return l10n.t('neither a data API nor an explorer gives them here');
}

function transfersOffers({ answers, nfts, l10n, locale }: WordsContext): readonly Offer[] {
  const { isLoading, value } = answers.transfers;
  if (isLoading || nfts === undefined) return [];
  const fromLogs = l10n.t('From the logs of the contract, without a key.');
  if (nfts.state !== 'ready' || nfts.offers.nftTransfers === undefined) {
    return [{ action: 'transfers', title: loadTitle(value !== undefined, l10n), note: fromLogs }];
  }
  return [
    {
      action: 'transfers',
      title: loadTitle(value !== undefined, l10n),
      note: l10n.t(
        'From {0}. {1}',
        sourceName(nfts.label, l10n),
        costWords(nfts.offers.nftTransfers, l10n, locale),
      ),
    },
    { action: 'transfersFromLogs', title: l10n.t('Read logs instead'), note: fromLogs },
  ];
}

function loadTitle(again: boolean, l10n: Localizer): string {
  return again ? l10n.t('Load transfers again') : l10n.t('Load transfers');
}

function progressOf({ answers, l10n, locale }: WordsContext): LoadingProgress | undefined {
  const { progress } = answers.reading;
  if (!progress) return undefined;
  const { blocksDone, blocks } = progress;
  return {
    share: blocks === 0n ? 1 : Number(blocksDone) / Number(blocks),
    words: l10n.t('{0} of {1} blocks', blocksDone.toLocaleString(locale), blocks.toLocaleString(locale)),
  };
}
