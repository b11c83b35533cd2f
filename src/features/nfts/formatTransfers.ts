import {
  type AppError,
  describeReasons,
  formatLocalTime,
  MAX_TRANSFERS,
  type NftHistory,
  type NftHistoryFromLogs,
  type NoNftProviderReason,
} from '../../core/index.ts';
import { formatBackoff, formatCost, formatProviderName } from '../../host/formatting.ts';
import { type Localizer, localize } from '../../host/l10n.ts';
import type { LoadingProgress, Tone } from '../../messaging/panel.ts';
import type { NftFormatContext } from './formatNft.ts';
import type { NftReader } from './nftReader.ts';
import type { NftOffer, WireTransfers } from './protocol.ts';

/** The reasons for the status, what is missing, and remedies. */
function formatTransfersReasons(context: NftFormatContext): readonly string[] {
  const { reader, l10n, locale } = context;
  const { value, isLoading } = reader.transfers;
  if (!value || isLoading) return [];
  const skipped = formatSkipped(value, context);
  if (value.from === 'logs') return [...skipped, ...reasonsFromLogs(value, context)];
  const failed = value.failedTransactions;
  if (failed === 0) return skipped;
  return [
    ...skipped,
    l10n.t(
      'Failed transactions, which transferred nothing and are not shown: {0}.',
      failed.toLocaleString(locale),
    ),
  ];
}

/** For logs, the verdict has the reason. */
function formatSkipped({ from, skipped }: NftHistory, { l10n, locale }: NftFormatContext): readonly string[] {
  if (skipped === 0 || from === 'logs') return [];
  const most = MAX_TRANSFERS.toLocaleString(locale);
  return [
    l10n.t(
      'Entries that are unreadable or beyond the first {0}: {1}. Their transfers may be missing.',
      most,
      skipped.toLocaleString(locale),
    ),
  ];
}

function formatUnread(
  { verdict, endsEarly }: NftHistoryFromLogs,
  { l10n, locale }: NftFormatContext,
): readonly string[] {
  if (endsEarly) {
    const most = MAX_TRANSFERS.toLocaleString(locale);
    return [
      l10n.t(
        'Reading stopped at the limit of {0} transfers, so newer ones are missing. Query the logs of the contract to read any block range.',
        most,
      ),
    ];
  }
  if (verdict?.state !== 'more') return [];
  return [l10n.t('Some blocks are not read yet. Reload the transfers to start over; these stay until then.')];
}

function reasonsFromLogs(history: NftHistoryFromLogs, context: NftFormatContext): readonly string[] {
  const { verdict } = history;
  if (!verdict) return [];
  const { l10n, locale } = context;
  const number = (value: bigint | number) => value.toLocaleString(locale);
  return [
    ...formatUnread(history, context),
    ...describeReasons(verdict.reasons, number).map((reason) => localize(reason, l10n)),
    l10n.t(
      'Logs examined: {0}. Requests sent: {1}. Latest block at the start: {2}.',
      number(verdict.rows),
      number(verdict.requests),
      number(verdict.head),
    ),
  ];
}

/** The transfers: their verdict, where they were read, and what can be loaded. */
export function createTransfersPart(
  context: NftFormatContext,
): Pick<WireTransfers, 'canSkipWait' | 'facts' | 'status' | 'tone' | 'reasons' | 'offers' | 'progress'> {
  const { reader } = context;
  return {
    facts: [],
    status: transfersStatus(context),
    tone: toneOf(reader),
    reasons: formatTransfersReasons(context),
    offers: transfersOffers(context),
    progress: progressOf(context),
    canSkipWait: reader.reading.waiting !== undefined,
  };
}

function toneOf({ transfers }: NftReader): Tone {
  const { value, error, isLoading, isCancelled } = transfers;
  if (isLoading || !value) return 'plain';
  if (error !== undefined) return 'failed';
  if (isCancelled) return 'cancelled';
  if (value.skipped > 0) return 'uncertain';
  return value.from === 'logs' ? (value.verdict?.state ?? 'plain') : 'plain';
}

function transfersStatus(context: NftFormatContext): string {
  const { reader, activeNetwork, l10n } = context;
  const { transfers, tokenId } = reader;
  if (transfers.isLoading) {
    const wait = reader.reading.waiting ? [formatBackoff(reader.reading.waiting, l10n)] : [];
    return [formatLoading(context), ...wait].join(' ');
  }
  const { value } = transfers;
  if (!value) {
    if (transfers.isCancelled) return l10n.t('Cancelled.');
    if (tokenId === undefined) return l10n.t('Enter a token ID to see its transfers.');
    return l10n.t(
      'The transfers of token {0} on {1} are not loaded.',
      tokenId.toString(),
      activeNetwork.name,
    );
  }
  return [formatWorth(value, context), formatExtent(value, context), formatOrigin(value, context)]
    .filter((part) => part !== undefined)
    .join(' ');
}

function formatWorth(history: NftHistory, { reader, l10n }: NftFormatContext): string | undefined {
  const tone = toneOf(reader);
  const endsEarly = tone === 'more' && history.from === 'logs' && history.endsEarly;
  return endsEarly ? l10n.t('Stopped early.') : formatTone(tone, l10n);
}

/** For a screen reader: while logs are read, it changes only with each tenth of the blocks. */
function formatLoading({ reader, activeNetwork, nfts, l10n }: NftFormatContext): string {
  const { network, lastRequested } = reader;
  const { progress } = reader.reading;
  const name = network?.name ?? activeNetwork.name;
  if (lastRequested.transfers === 'source') {
    const provider = nfts?.state === 'ready' ? formatProviderName(nfts.label, l10n) : l10n.t('the data API');
    return l10n.t('Loading the transfers from {0}…', provider);
  }
  if (!progress || progress.blocks === 0n) return l10n.t('Reading the transfers from the logs of {0}…', name);
  const tenths = Number((progress.blocksDone * 10n) / progress.blocks) * 10;
  return l10n.t('Reading the transfers from the logs of {0}: {1} % of the blocks are read.', name, tenths);
}

function formatExtent({ count }: NftHistory, { reader, l10n, locale }: NftFormatContext): string {
  const { tokenId, network } = reader;
  const transfers =
    count === 1 ? l10n.t('1 transfer') : l10n.t('{0} transfers', count.toLocaleString(locale));
  return l10n.t('{0} of token {1} on {2}', transfers, tokenId?.toString() ?? '', network?.name ?? '');
}

function formatOrigin(history: NftHistory, { l10n, locale }: NftFormatContext): string {
  if (history.from === 'logs') {
    const { verdict, noProviderReason } = history;
    const source = l10n.t(
      "from the chain's logs, because {0}.",
      formatNoProviderReason(noProviderReason, l10n),
    );
    if (!verdict) return source;
    const number = (value: bigint) => value.toLocaleString(locale);
    return l10n.t('in blocks {0} to {1}, {2}', number(verdict.fromBlock), number(verdict.toBlock), source);
  }
  const { source, updatedAt, readAt } = history;
  const time = formatLocalTime(updatedAt ?? readAt);
  return updatedAt === undefined
    ? l10n.t('from {0}, read at {1}.', formatProviderName(source, l10n), time)
    : l10n.t('from {0}, as of {1}.', formatProviderName(source, l10n), time);
}

function formatNoProviderReason(why: NoNftProviderReason, l10n: Localizer): string {
  switch (why.reason) {
    case 'noSource':
      return nobodyElse(l10n);
    case 'noKey':
      return l10n.t('no data API key is set');
    case 'notWanted':
      return l10n.t('you chose the logs');
    case 'notServed':
      return formatNotServed(why.error, l10n);
  }
}

function formatNotServed(error: AppError | undefined, l10n: Localizer): string {
  switch (error?.details.provider?.name) {
    case 'covalent':
      return l10n.t('the data API does not support this chain');
    case 'blockscout':
      return error?.kind === 'tooHeavy'
        ? l10n.t('the explorer does not provide all transfers')
        : l10n.t('the explorer does not provide transfers');
    default:
      return nobodyElse(l10n);
  }
}

/** Also if the settings exclude one, or if both have refused before. */
function nobodyElse(l10n: Localizer): string {
  return l10n.t('neither a data API nor an explorer provides transfers on this network');
}

function transfersOffers({ reader, nfts, l10n, locale }: NftFormatContext): readonly NftOffer[] {
  const { isLoading, value } = reader.transfers;
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
        formatProviderName(nfts.label, l10n),
        formatCost(nfts.offers.nftTransfers, l10n, locale),
      ),
    },
    { action: 'transfersFromLogs', title: l10n.t('Read Logs Instead'), note: fromLogs },
  ];
}

function loadTitle(again: boolean, l10n: Localizer): string {
  return again ? l10n.t('Reload Transfers') : l10n.t('Load Transfers');
}

function progressOf({ reader, l10n, locale }: NftFormatContext): LoadingProgress | undefined {
  const { progress } = reader.reading;
  if (!progress) return undefined;
  const { blocksDone, blocks } = progress;
  return {
    share: blocks === 0n ? 1 : Number(blocksDone) / Number(blocks),
    label:
      blocks === 1n
        ? l10n.t('{0} of 1 block', blocksDone.toLocaleString(locale))
        : l10n.t('{0} of {1} blocks', blocksDone.toLocaleString(locale), blocks.toLocaleString(locale)),
  };
}

/** The verdict, as the first sentence of the status; undefined if there is none. */
function formatTone(tone: Tone, l10n: Localizer): string | undefined {
  switch (tone) {
    case 'complete':
      return l10n.t('Complete.');
    case 'more':
      return l10n.t('Partial.');
    case 'uncertain':
      return l10n.t('May be incomplete.');
    case 'cancelled':
      return l10n.t('Cancelled.');
    case 'failed':
      return l10n.t('Stopped by an error.');
    case 'plain':
      return undefined;
  }
}
