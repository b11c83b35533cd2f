import { MAX_TRANSFERS, type NftHistory, type NftHistoryFromLogs } from '../../../core/index.ts';
import { verdictReasonTexts } from '../../../host/words/verdictReasonTexts.ts';
import type { WordsContext } from './wordsContext.ts';

/** Why the status is what it is, what is missing, and what can be done about it. */
export function transfersReasons(context: WordsContext): readonly string[] {
  const { answers, l10n, locale } = context;
  const { value, isLoading } = answers.transfers;
  if (!value || isLoading) return [];
  const skipped = skippedWords(value, context);
  if (value.from === 'logs') return [...skipped, ...reasonsFromLogs(value, context)];
  const failed = value.failedTransactions;
  if (failed === 0) return skipped;
  return [
    ...skipped,
    l10n.t('Failed transactions, which moved nothing and are left out: {0}.', failed.toLocaleString(locale)),
  ];
}

function skippedWords({ from, skipped }: NftHistory, { l10n, locale }: WordsContext): readonly string[] {
  if (skipped === 0) return [];
  const entries = skipped.toLocaleString(locale);
  if (from === 'logs') {
    return [l10n.t('Entries that could not be read: {0}. Transfers may be missing for them.', entries)];
  }
  const most = MAX_TRANSFERS.toLocaleString(locale);
  return [
    l10n.t(
      'Entries that could not be read, or are beyond the first {0}: {1}. Transfers may be missing for them.',
      most,
      entries,
    ),
  ];
}

function unreadWords(
  { verdict, endsEarly }: NftHistoryFromLogs,
  { l10n, locale }: WordsContext,
): readonly string[] {
  if (endsEarly) {
    const most = MAX_TRANSFERS.toLocaleString(locale);
    return [
      l10n.t(
        'Reading ended at {0} transfers, the most that are kept here: newer ones are missing. A query of the logs of the contract reads any range of blocks.',
        most,
      ),
    ];
  }
  if (verdict?.state !== 'more') return [];
  return [
    l10n.t('Blocks are still to be read. Load the transfers again to begin anew; these stay until then.'),
  ];
}

function reasonsFromLogs(history: NftHistoryFromLogs, context: WordsContext): readonly string[] {
  const { verdict } = history;
  if (!verdict) return [];
  const { l10n, locale } = context;
  const number = (value: bigint | number) => value.toLocaleString(locale);
  return [
    ...unreadWords(history, context),
    ...verdictReasonTexts(verdict.reasons, l10n, number),
    l10n.t(
      'Logs looked through: {0}. Requests made: {1}. The latest block was {2} when that began.',
      number(verdict.rows),
      number(verdict.requests),
      number(verdict.head),
    ),
  ];
}
