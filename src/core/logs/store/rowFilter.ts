import { type BytePattern, hexPatterns, textPattern } from '../../values/bytePattern.ts';
import { fieldFilter } from './fieldFilter.ts';
import type { Operator } from './fieldTest.ts';
import { filterTerms } from './filterTerms.ts';
import { nameFilter, numberFilter } from './knownWords.ts';
import type { RowKnowledge } from './rowKnowledge.ts';
import type { RowFilter } from './storeFilter.ts';

const NUMBER = /^\d{1,3}(?:,\d{3})+$|^\d+$/;
/** Fewer decimal digits than this are a number and no piece of a hash. */
const LEAST_HEX_DIGITS = 8;

/**
 * The filter that `text` stands for: each of its words must be found in a row.
 *
 * - a decimal number: the block number, the log index or an argument, also in the units in which it is shown; one of 8
 *   digits or more also as a piece of hex
 * - hex, with `0x` or without: anywhere in transaction hash, address, topics or data
 * - any other word, or words in double quotes: UTF-8 text in these, or in the name of the event or of an address, ASCII
 *   letters in either case
 * - `from:Treasury`, `value>=1,250.5`, `event:Transfer`, `block<100`: an argument, or `event`, `address`, `block` or
 *   `index`, that is so (`$block` is the log's own where an argument is called `block`); of an array or a tuple a log that has the value anywhere; a word like any other where nothing
 *   of that name is known
 *
 * @returns undefined if `text` asks for nothing.
 */
export function parseRowFilter(text: string, knowledge?: RowKnowledge): RowFilter | undefined {
  const terms = filterTerms(text)
    .map(([word, name, operator, quoted, plain, phrase]) => {
      const value = quoted ?? plain;
      if (knowledge && name !== undefined && value) {
        const field = fieldFilter({ name, operator: operator as Operator, value }, knowledge);
        if (field) return field;
        if (operator === ':' && isInParts(name, knowledge)) return termFilter(value, quoted, knowledge);
      }
      return termFilter(word, phrase, knowledge);
    })
    .filter((term) => term !== undefined);
  if (terms.length === 0) return undefined;
  return (store) => {
    const tests = terms.map((term) => term(store));
    return (row) => tests.every((test) => test(row));
  };
}

/** Whether an argument of this name is an array or a tuple, whose parts have no place of their own in a row. */
function isInParts(name: string, { argumentsNamed }: RowKnowledge): boolean {
  return argumentsNamed(name).some(({ type }) => type.kind === 'array' || type.kind === 'tuple');
}

function termFilter(
  word: string,
  phrase: string | undefined,
  knowledge: RowKnowledge | undefined,
): RowFilter | undefined {
  if (phrase !== undefined) {
    return phrase === ''
      ? undefined
      : either(searching([textPattern(phrase)]), nameFilter(phrase, knowledge));
  }
  const lower = word.toLowerCase();
  if (/^0x[0-9a-f]*$/.test(lower)) return lower === '0x' ? undefined : searching(hexPatterns(lower.slice(2)));
  if (NUMBER.test(word)) {
    const digits = word.replaceAll(',', '');
    const asHex =
      digits === word && digits.length >= LEAST_HEX_DIGITS ? searching(hexPatterns(digits)) : undefined;
    return either(placeFilter(Number(digits)), numberFilter(word, knowledge), asHex);
  }
  const asHex = /^[0-9a-f]+$/.test(lower) ? hexPatterns(lower) : [];
  return either(
    numberFilter(word, knowledge),
    nameFilter(word, knowledge),
    searching([...asHex, textPattern(word)]),
  );
}

function searching(patterns: readonly BytePattern[]): RowFilter {
  return (store) => store.search(patterns);
}

function placeFilter(number: number): RowFilter {
  return (store) => (row) => store.blockNumberAt(row) === number || store.logIndexAt(row) === number;
}

/** Rows that pass one of them. */
function either(...filters: readonly (RowFilter | undefined)[]): RowFilter {
  const there = filters.filter((filter) => filter !== undefined);
  return (store) => {
    const tests = there.map((filter) => filter(store));
    return (row) => tests.some((test) => test(row));
  };
}
