import { formatAge, formatMoment } from '../../../host/words/formatTime.ts';
import type { Language } from '../../../host/words/localizer.ts';
import { isWhole, type KeptRun } from './keptRun.ts';

/** How many logs a run gave and what they are worth: `12,034 logs, complete to 21,000,000`. */
export function runWords(run: KeptRun, { l10n, locale }: Language): string {
  const { count, verdict, ended } = run;
  const logs = count === 1 ? l10n.t('1 log') : l10n.t('{0} logs', count.toLocaleString(locale));
  if (isWhole(run) && verdict) {
    const isAhead = verdict.reasons.some(({ code }) => code === 'beyondHead');
    if (isAhead) return l10n.t('range not reached yet');
    return l10n.t('{0}, complete to {1}', logs, BigInt(verdict.toBlock).toLocaleString(locale));
  }
  if (ended === 'cancelled') return verdict ? l10n.t('{0}, cancelled', logs) : l10n.t('cancelled');
  if (ended === 'failed') return verdict ? l10n.t('{0}, stopped by an error', logs) : l10n.t('failed');
  if (!verdict) return l10n.t('not finished');
  return verdict.state === 'more'
    ? l10n.t('{0}, partial', logs)
    : l10n.t('{0}, not certain to be complete', logs);
}

/** As {@link runWords}, with how long ago that was. */
export function agedRunWords(run: KeptRun, now: number, language: Language): string {
  return `${runWords(run, language)} · ${formatAge(Math.max(0, now - run.at))}`;
}

/** As {@link runWords}, with when that was. */
export function timedRunWords(run: KeptRun, language: Language): string {
  return `${runWords(run, language)} · ${formatMoment(run.at)}`;
}
