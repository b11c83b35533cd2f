import { parseListItems } from '../../../core/index.ts';
import type { Typed } from '../../kit/choice.ts';

/** The text with `value` in place of what stands around the caret, in a list as it is written there. */
export function completePart(typed: Typed, value: string): string {
  const { start, end, quote } = partAt(typed);
  const { text } = typed;
  const isApart = start === 0 || /[\s[]/.test(text.charAt(start - 1));
  return `${text.slice(0, start)}${isApart ? '' : ' '}${quote}${value}${quote}${text.slice(end)}`;
}

/** What stands around the caret, without the quote that it begins with. */
export function partAt({ text, caret }: Typed): {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly quote: string;
} {
  const item = parseListItems(text).find(({ start, end }) => start <= caret && caret <= end);
  if (!item) return { start: caret, end: caret, text: '', quote: '' };
  const [quote = ''] = /^["'`]/.exec(text.slice(item.start, item.end)) ?? [];
  return { ...item, text: item.text.replace(/^["'`]/, ''), quote };
}

/** A list of several lines in a field of one: each line is a value, unless a sign between them says so already. */
export function listOnOneLine(text: string): string {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .reduce((all, line) => {
      const isApart = all === '' || /[,;[]$/.test(all) || /^[\],;]/.test(line);
      return `${all}${isApart ? '' : ','}${all === '' ? '' : ' '}${line}`;
    }, '');
}
