import { sanitizeText } from '../../core/index.ts';

const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;
const LONGEST_LINE = 500;
const MOST_LINES = 40;
const MOST_CHARACTERS = 100_000;

/**
 * A text as one record of the output: nothing hidden in it, and each line but the first indented, so that none reads
 * as a record of its own.
 */
export function recordText(text: string): string {
  const lines = text.slice(0, MOST_CHARACTERS).split(LINE_END, MOST_LINES);
  return lines.map((line) => sanitizeText(line, LONGEST_LINE)).join('\n    ');
}
