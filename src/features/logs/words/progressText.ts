import type { Language } from '../../../host/words/localizer.ts';
import type { LoadingProgress } from '../../../messaging/panel.ts';
import type { LogResults } from '../results/logResults.ts';

/** How far loading all has come: the share of the blocks, and the whole of it in words. */
export function loadingProgress(
  { progress, rows }: Pick<LogResults, 'progress' | 'rows'>,
  { l10n, locale }: Language,
): LoadingProgress | undefined {
  if (!progress) return undefined;
  const { blocksDone, blocks, msLeft } = progress;
  const number = (value: number | bigint) => value.toLocaleString(locale);
  const done = l10n.t('{0} of {1} blocks, {2} logs', number(blocksDone), number(blocks), number(rows.length));
  return {
    share: blocks === 0n ? 1 : Number(blocksDone) / Number(blocks),
    words: msLeft === undefined ? done : l10n.t('{0}, about {1} left', done, duration(msLeft, locale)),
  };
}

/** Rounded up, so that it never promises too much: "5 seconds", "3 minutes", "2 hours". */
function duration(ms: number, locale: string): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds < 10) return unit(seconds, 'second', locale);
  if (seconds < 60) return unit(Math.ceil(seconds / 5) * 5, 'second', locale);
  if (seconds < 3600) return unit(Math.ceil(seconds / 60), 'minute', locale);
  return unit(Math.ceil(seconds / 3600), 'hour', locale);
}

function unit(value: number, name: 'second' | 'minute' | 'hour', locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'long' }).format(value);
}
