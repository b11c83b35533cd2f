import { type BytePattern, hexPatterns, textPattern } from '../../values/bytePattern.ts';
import type { LogStore } from './logStore.ts';

/** Makes for a store what tells whether a row of it passes. */
type RowFilter = (store: LogStore) => (row: number) => boolean;

const TERMS = /"([^"]*)"|\S+/g;
const NUMBER = /^\d{1,3}(?:,\d{3})+$|^\d+$/;
/** Fewer decimal digits than this are a number and no piece of a hash. */
const LEAST_HEX_DIGITS = 8;

/**
 * The filter that `text` stands for: each of its words must be found in a row.
 *
 * - a decimal number: the block number or the log index; one of 8 digits or more also as a piece of hex
 * - hex, with `0x` or without: anywhere in transaction hash, address, topics or data
 * - any other word, or words in double quotes: UTF-8 text in these, ASCII letters in either case
 *
 * @returns undefined if `text` asks for nothing.
 */
export function parseRowFilter(text: string): RowFilter | undefined {
  const terms = [...text.matchAll(TERMS)]
    .map(([word, quoted]) => termFilter(word, quoted))
    .filter((term) => term !== undefined);
  if (terms.length === 0) return undefined;
  return (store) => {
    const tests = terms.map((term) => term(store));
    return (row) => tests.every((test) => test(row));
  };
}

function termFilter(word: string, quoted: string | undefined): RowFilter | undefined {
  if (quoted !== undefined) return quoted === '' ? undefined : anyOf(undefined, [textPattern(quoted)]);
  const lower = word.toLowerCase();
  if (/^0x[0-9a-f]*$/.test(lower)) {
    return lower === '0x' ? undefined : anyOf(undefined, hexPatterns(lower.slice(2)));
  }
  if (NUMBER.test(word)) {
    const digits = word.replaceAll(',', '');
    const asHex = digits === word && digits.length >= LEAST_HEX_DIGITS ? hexPatterns(digits) : [];
    return anyOf(Number(digits), asHex);
  }
  const asHex = /^[0-9a-f]+$/.test(lower) ? hexPatterns(lower) : [];
  return anyOf(undefined, [...asHex, textPattern(word)]);
}

function anyOf(number: number | undefined, patterns: readonly BytePattern[]): RowFilter {
  return (store) => {
    const holds = store.search(patterns);
    return (row) =>
      (number !== undefined && (store.blockNumberAt(row) === number || store.logIndexAt(row) === number)) ||
      (patterns.length > 0 && holds(row));
  };
}
