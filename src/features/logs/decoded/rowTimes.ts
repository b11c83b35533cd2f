import type { Log } from '../../../core/index.ts';
import type { TimesState } from '../../../host/times/blockTimes.ts';
import type { Localizer } from '../../../host/words/localizer.ts';

/** When the blocks of rows were made, as far as that is known by now. */
export interface RowTimes {
  readonly state: TimesState;
  /** In milliseconds since the Unix epoch. */
  timeOf(log: Log): number | undefined;
  /** As a cell has it, and in full. */
  words(time: number): { readonly text: string; readonly hint: string };
}

/** What there is to know of the column of times, as things are. */
export function timesHint(state: TimesState, l10n: Localizer): string {
  switch (state) {
    case 'asked':
      return l10n.t('When the block was made, in your time zone.');
    case 'notTold':
      return l10n.t(
        'When the block was made. This endpoint does not tell: it has no block headers (eth_getBlockByNumber), and no explorer beside it answers for them.',
      );
    case 'failed':
      return l10n.t(
        'When the block was made. The endpoint failed when it was asked for that; it is asked again with the next rows.',
      );
  }
}
