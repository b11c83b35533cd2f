import type { Tone } from '../../messaging/panel.ts';
import type { Localizer } from './localizer.ts';

/** What an answer is worth, as the first sentence of its status; undefined where nothing is to be said. */
export function toneWords(tone: Tone, l10n: Localizer): string | undefined {
  switch (tone) {
    case 'complete':
      return l10n.t('Complete.');
    case 'more':
      return l10n.t('More pages.');
    case 'uncertain':
      return l10n.t('Not certain to be complete.');
    case 'cancelled':
      return l10n.t('Cancelled.');
    case 'failed':
      return l10n.t('Stopped by an error.');
    case 'plain':
      return undefined;
  }
}
