import { type Address, type Hex, parseAddress } from '../../eth/hex.ts';
import { createArgumentReader } from './argument.ts';
import { type BytePattern, createHexPatterns, createTextPattern } from './bytes.ts';
import {
  createArgumentTest,
  type FieldCondition,
  findBestNamed,
  type Operator,
  type RowFilter,
  type RowKnowledge,
} from './fieldTest.ts';
import { parseFilterTerms } from './filterTerms.ts';
import { createTopicTest, type LogColumns, type LogStore, memoizeByNumber } from './logStore.ts';
import {
  createWord,
  equalWords,
  parseNumber,
  type StoredWord,
  toFittingWord,
  toStoredWord,
  toUnits,
} from './word.ts';

const NUMBER = /^\d{1,3}(?:,\d{3})+$|^\d+$/;
/** Fewer decimal digits than this are a number and no piece of a hash. */
const MIN_HEX_DIGITS = 8;

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
  const terms = parseFilterTerms(text)
    .map(([word, name, operator, quoted, plain, phrase]) => {
      const value = quoted ?? plain;
      if (knowledge && name !== undefined && value) {
        const field = parseFieldFilter({ name, operator: operator as Operator, value }, knowledge);
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
function isInParts(name: string, { findArgumentsByName }: RowKnowledge): boolean {
  return findArgumentsByName(name).some(({ type }) => type.kind === 'array' || type.kind === 'tuple');
}

function termFilter(
  word: string,
  phrase: string | undefined,
  knowledge: RowKnowledge | undefined,
): RowFilter | undefined {
  if (phrase !== undefined) {
    return phrase === ''
      ? undefined
      : either(searching([createTextPattern(phrase)]), createNameFilter(phrase, knowledge));
  }
  const lower = word.toLowerCase();
  if (/^0x[0-9a-f]*$/.test(lower))
    return lower === '0x' ? undefined : searching(createHexPatterns(lower.slice(2)));
  if (NUMBER.test(word)) {
    const digits = word.replaceAll(',', '');
    const asHex =
      digits === word && digits.length >= MIN_HEX_DIGITS ? searching(createHexPatterns(digits)) : undefined;
    return either(placeFilter(Number(digits)), createNumberFilter(word, knowledge), asHex);
  }
  const asHex = /^[0-9a-f]+$/.test(lower) ? createHexPatterns(lower) : [];
  return either(
    createNumberFilter(word, knowledge),
    createNameFilter(word, knowledge),
    searching([...asHex, createTextPattern(word)]),
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

interface Field extends FieldCondition {
  readonly name: string;
}

/**
 * The filter of a word such as `from:Treasury`, `value>=1,250.5` or `event:Transfer`; undefined where nothing has that
 * name, or the value is none of its type.
 */
function parseFieldFilter(field: Field, knowledge: RowKnowledge): RowFilter | undefined {
  return argumentFilter(field, knowledge) ?? ownFilter(field, knowledge);
}

function argumentFilter({ name, ...question }: Field, knowledge: RowKnowledge): RowFilter | undefined {
  const tests = knowledge.findArgumentsByName(name).flatMap((argument) => {
    const make = createArgumentTest(argument, question, knowledge);
    return make ? { argument, make } : [];
  });
  if (tests.length === 0) return undefined;
  return ({ columns }) => {
    const made = tests.map(({ argument, make }) =>
      make({ reader: createArgumentReader(columns, argument), columns }),
    );
    return (row) => made.some((test) => test(row));
  };
}

/** What every log has. */
function ownFilter({ name, operator, value }: Field, knowledge: RowKnowledge): RowFilter | undefined {
  const isEqual = operator === ':' || operator === '=';
  switch (name.toLowerCase()) {
    case 'block':
    // Where an argument has that name.
    case '$block':
      return createFieldNumberFilter(operator, value, (store) => store.blockNumberAt);
    case 'index':
      return createFieldNumberFilter(operator, value, (store) => store.logIndexAt);
    case 'event':
      return isEqual ? eventFilter(value, knowledge) : undefined;
    case 'address':
      return isEqual ? emitterFilter(value, knowledge) : undefined;
    default:
      return undefined;
  }
}

function createFieldNumberFilter(
  operator: Operator,
  value: string,
  pick: (store: LogStore) => (row: number) => number,
): RowFilter | undefined {
  const typed = parseNumber(value);
  if (!typed || typed.fraction > 0) return undefined;
  const wanted = Number(typed.digits);
  const test = {
    ':': (number: number) => number === wanted,
    '=': (number: number) => number === wanted,
    '<': (number: number) => number < wanted,
    '>': (number: number) => number > wanted,
    '<=': (number: number) => number <= wanted,
    '>=': (number: number) => number >= wanted,
  }[operator];
  return (store) => {
    const at = pick(store);
    return (row) => test(at(row));
  };
}

function eventFilter(value: string, knowledge: RowKnowledge): RowFilter | undefined {
  const isTopic = /^0x[0-9a-f]{64}$/i.test(value);
  const topics = isTopic
    ? [value.toLowerCase() as `0x${string}`]
    : findBestNamed(value, knowledge.findEventsByName);
  if (topics.length === 0) return undefined;
  return ({ columns }) => {
    const isIt = createTopicTest(columns, topics);
    return (row) => columns.bodies.topicCountAt(row) > 0 && isIt(columns.bodies.topicAt(row, 0));
  };
}

function emitterFilter(value: string, knowledge: RowKnowledge): RowFilter | undefined {
  const address = parseAddress(value);
  const piece = /^0x[0-9a-f]{1,40}$/i.test(value) ? [value.slice(2).toLowerCase()] : undefined;
  const digits = address
    ? [address.slice(2)]
    : (piece ?? findBestNamed(value, knowledge.findAddressesByName).map((one) => one.slice(2)));
  const patterns = digits.flatMap(createHexPatterns);
  if (patterns.length === 0) return undefined;
  return ({ columns: { addresses, bodies } }) => {
    const isIt = memoizeByNumber(addresses, (number) =>
      patterns.some((pattern) => addresses.matches(number, pattern)),
    );
    return (row) => isIt(bodies.addressAt(row));
  };
}

/** Rows that have one of these words as an argument: a topic behind the first, or a whole word of the data. */
function holdsWord({ topics, bodies }: LogColumns, words: readonly StoredWord[]): (row: number) => boolean {
  const topic = createWord();
  const inTopic = memoizeByNumber(topics, (number) => {
    topics.wordAt(number, topic);
    return words.some((word) => equalWords(word, topic));
  });
  return (row) => {
    const count = bodies.topicCountAt(row);
    for (let slot = 1; slot < count; slot++) if (inTopic(bodies.topicAt(row, slot))) return true;
    return bodies.hasWord(row, words);
  };
}

/**
 * Rows with `text` in the name of their event, of their contract or of an address among their arguments; undefined where
 * nothing is known by such a name.
 */
function createNameFilter(text: string, knowledge: RowKnowledge | undefined): RowFilter | undefined {
  const named = knowledge?.findAddressesByName(text, 'part') ?? [];
  const events = knowledge?.findEventsByName(text, 'part') ?? [];
  if (named.length === 0 && events.length === 0) return undefined;
  return ({ columns }) => {
    const isEvent = createTopicTest(columns, events);
    const holds = named.length === 0 ? () => false : holdsAddress(columns, named);
    const { bodies } = columns;
    return (row) => (bodies.topicCountAt(row) > 0 && isEvent(bodies.topicAt(row, 0))) || holds(row);
  };
}

function holdsAddress(columns: LogColumns, named: readonly Address[]): (row: number) => boolean {
  const { addresses, bodies } = columns;
  const wanted = new Set<Hex>(named);
  const isEmitter = memoizeByNumber(addresses, (number) => wanted.has(addresses.at(number)));
  const holds = holdsWord(
    columns,
    named.map((address) => toStoredWord(BigInt(address))),
  );
  return (row) => isEmitter(bodies.addressAt(row)) || holds(row);
}

/**
 * Rows with a number among their arguments: as it is, or in the units in which amounts of their contract are shown.
 * Undefined where `text` is no number.
 */
function createNumberFilter(text: string, knowledge: RowKnowledge | undefined): RowFilter | undefined {
  const number = parseNumber(text);
  if (!number) return undefined;
  const wordIn = (decimals: number) => {
    const { floor, isExact } = toUnits(number, decimals);
    return isExact ? toFittingWord(floor, floor < 0n) : undefined;
  };
  const raw = wordIn(0);
  return ({ columns }) => {
    const { addresses, bodies } = columns;
    const holdsRaw = raw ? holdsWord(columns, [raw]) : () => false;
    const byContract = new Map<number, (row: number) => boolean>();
    const testFor = (contract: number) => {
      const known = byContract.get(contract);
      if (known) return known;
      const decimals = knowledge?.decimalsOf(addresses.at(contract));
      const word = decimals === undefined ? undefined : wordIn(decimals);
      const test = word ? holdsWord(columns, raw ? [raw, word] : [word]) : holdsRaw;
      byContract.set(contract, test);
      return test;
    };
    return (row) => testFor(bodies.addressAt(row))(row);
  };
}
