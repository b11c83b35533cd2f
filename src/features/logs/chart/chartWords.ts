import type { ChartSpan, ChartUnit } from '../../../core/index.ts';
import type { Language } from '../../../host/words/localizer.ts';
import type { BesideBars, WireBar } from '../protocol/chart.ts';

/** How a chart is told, with times as the reader writes them. */
export interface ChartLanguage extends Language {
  readonly time: (time: number) => string;
}

interface ChartWords {
  readonly title: string;
  bar(span: ChartSpan): Pick<WireBar, 'start' | 'end'>;
  end(value: number): string;
  beside(beside: ChartSpan & Pick<BesideBars, 'kind'>): BesideBars;
  summary(bars: readonly WireBar[]): string;
}

export function chartWords(unit: ChartUnit, { l10n, locale, time }: ChartLanguage): ChartWords {
  const number = (value: number) => value.toLocaleString(locale);
  const write = unit === 'time' ? time : number;
  const blocks = ({ first, last }: ChartSpan) =>
    first === last
      ? l10n.t('Block {0}', number(first))
      : l10n.t('Blocks {0} to {1}', number(first), number(last));
  return {
    title: unit === 'time' ? l10n.t('Logs over time') : l10n.t('Logs over blocks'),
    bar: ({ first, last }) => ({ start: write(first), end: write(last) }),
    end: write,
    beside: ({ kind, ...span }) => ({
      kind,
      words:
        kind === 'unread' ? l10n.t('{0}: not read yet', blocks(span)) : l10n.t('{0}: no logs', blocks(span)),
    }),
    summary(bars) {
      const highest = bars.reduce((most, bar) => (bar.shown > most.shown ? bar : most));
      return l10n.t(
        '{0} to {1} in {2} bars. The highest: {3} logs, from {4} to {5}.',
        bars[0]?.start ?? '',
        bars.at(-1)?.end ?? '',
        number(bars.length),
        number(highest.shown),
        highest.start,
        highest.end,
      );
    },
  };
}
