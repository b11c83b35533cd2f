import { isoTime } from '../../core/index.ts';

/** How times are written. To make a format takes longer than to write with it. */
export interface TimeFormats {
  readonly short: Intl.DateTimeFormat;
  readonly medium: Intl.DateTimeFormat;
}

/** A time as a cell has it, and in full: to the second, and in UTC. */
export interface TimeWords {
  readonly text: string;
  readonly hint: string;
}

export function createTimeFormats(locale: string): TimeFormats {
  const format = (style: 'medium' | 'short') =>
    new Intl.DateTimeFormat(locale, { dateStyle: style, timeStyle: style });
  return { short: format('short'), medium: format('medium') };
}

/** From milliseconds since the Unix epoch. */
export function timeWords(time: number, { short, medium }: TimeFormats): TimeWords {
  return { text: short.format(time), hint: `${medium.format(time)} (${isoTime(time)})` };
}
