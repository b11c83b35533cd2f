import { groupDigits, type TransactionFailure } from '../../../core/index.ts';
import type { Localizer } from '../../../host/words/localizer.ts';
import { serversWords } from './factWords.ts';

/** Why a transaction failed, as far as its data does not say it. */
export function failureWords(
  failure: TransactionFailure,
  { hasMeaning }: { readonly hasMeaning: boolean },
  l10n: Localizer,
): string | undefined {
  switch (failure.state) {
    case 'passed':
      return l10n.t(
        'The same call passes on the state before its block: it failed by what came before it there.',
      );
    case 'notOffered':
      return l10n.t('Why is not known: the endpoint does not run calls.');
    case 'refused':
      return l10n.t(
        'Why is not known, as the endpoint does not run the call again: {0}',
        serversWords(failure.words),
      );
    case 'told': {
      if (hasMeaning) return undefined;
      const { data, words } = failure;
      const said = words ? serversWords(words) : undefined;
      if (data === '0x' && (said === undefined || /^(?:execution )?reverted$/i.test(said))) {
        return l10n.t('It reverted without data.');
      }
      if (data !== undefined && data !== '0x') return l10n.t('No known error matches the data: {0}', data);
      return said ?? l10n.t('It failed without a reason.');
    }
  }
}

/** How the reason is known. */
export function replayWords(
  failure: TransactionFailure,
  block: bigint | undefined,
  l10n: Localizer,
): string | undefined {
  if (failure.state !== 'told' || block === undefined) return undefined;
  if (failure.by === 'explorer') return l10n.t('As the explorer has recorded it.');
  const before = groupDigits(block - 1n);
  return l10n.t(
    'By eth_call on the state after block {0}: what came before it in its own block is left out.',
    before,
  );
}

/** That not all of the data is known. */
export function cutWords(failure: TransactionFailure, l10n: Localizer): string | undefined {
  if (failure.state !== 'told' || !failure.isCut) return undefined;
  return l10n.t('Only the beginning of its data is known.');
}
