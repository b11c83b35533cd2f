import { formatIsoTime } from '../../core/index.ts';

/** How times are written. To make a format takes longer than to write with it. */
export interface TimeFormats {
  readonly cell: Intl.DateTimeFormat;
  readonly full: Intl.DateTimeFormat;
}

/** A time as a cell has it, to the second, since blocks are seconds apart; and in full, in UTC too. */
export interface TimeWords {
  readonly text: string;
  readonly hint: string;
}

export function createTimeFormats(locale: string): TimeFormats {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeStyle: 'medium', ...options });
  return { cell: format({ dateStyle: 'short', hourCycle: 'h23' }), full: format({ dateStyle: 'medium' }) };
}

/** From milliseconds since the Unix epoch. */
export function timeWords(time: number, { cell, full }: TimeFormats): TimeWords {
  return { text: cell.format(time), hint: `${full.format(time)} (${formatIsoTime(time)})` };
}
