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

/**
 * The filter that `text` describes: a row must match each of its terms.
 *
 * - a decimal number: the block number, the log index or an argument, also in the units in which it is shown; with
 * 8 digits or more also a piece of hex
 * - hex, with `0x` or without: anywhere in transaction hash, address, topics or data
 * - any other word, or words in double quotes: UTF-8 text in these, or in the name of the event or of an address;
 * ASCII letters match in either case
 * - `from:Treasury`, `value>=1,250.5`, `event:Transfer`, `block<100`: a condition on an argument, or on `event`,
 * `address`, `block` or `index` (`$block` is the log's own block if an argument is called `block`); for an array or
 * a tuple, a log that has the value anywhere; if nothing has that name, a word like any other
 *
 * @returns undefined if `text` has no terms.
 */
export function parseRowFilter(text: string, knowledge?: RowKnowledge): RowFilter | undefined {
  const terms = parseFilterTerms(text)
    .map(([word, name, operator, quoted, plain, phrase]) => {
      const value = quoted ?? plain;
      if (knowledge && name !== undefined && value) {
        const field = parseFieldFilter({ name, operator: operator as Operator, value }, knowledge);
        if (field) return field;
        if (operator === ':' && isCompound(name, knowledge))
          return createTermFilter(value, quoted, knowledge);
      }
      return createTermFilter(word, phrase, knowledge);
    })
    .filter((term) => term !== undefined);
  if (terms.length === 0) return undefined;
  return (store) => {
    const tests = terms.map((term) => term(store));
    return (row) => tests.every((test) => test(row));
  };
}

/** Whether an argument of this name is an array or a tuple, whose parts have no fixed place in a row. */
function isCompound(name: string, { findArgumentsByName }: RowKnowledge): boolean {
  return findArgumentsByName(name).some(({ type }) => type.kind === 'array' || type.kind === 'tuple');
}

const NUMBER = /^\d{1,3}(?:,\d{3})+$|^\d+$/;

/** A decimal number with fewer digits is not searched as a piece of hex. */
const MIN_HEX_DIGITS = 8;

function createTermFilter(
  word: string,
  phrase: string | undefined,
  knowledge: RowKnowledge | undefined,
): RowFilter | undefined {
  if (phrase !== undefined) {
    return phrase === ''
      ? undefined
      : combineFilters(createSearchFilter([createTextPattern(phrase)]), createNameFilter(phrase, knowledge));
  }
  const lower = word.toLowerCase();
  if (/^0x[0-9a-f]*$/.test(lower))
    return lower === '0x' ? undefined : createSearchFilter(createHexPatterns(lower.slice(2)));
  if (NUMBER.test(word)) {
    const digits = word.replaceAll(',', '');
    const asHex =
      digits === word && digits.length >= MIN_HEX_DIGITS
        ? createSearchFilter(createHexPatterns(digits))
        : undefined;
    return combineFilters(createPositionFilter(Number(digits)), createNumberFilter(word, knowledge), asHex);
  }
  const asHex = /^[0-9a-f]+$/.test(lower) ? createHexPatterns(lower) : [];
  return combineFilters(
    createNumberFilter(word, knowledge),
    createNameFilter(word, knowledge),
    createSearchFilter([...asHex, createTextPattern(word)]),
  );
}

function createSearchFilter(patterns: readonly BytePattern[]): RowFilter {
  return (store) => store.search(patterns);
}

function createPositionFilter(number: number): RowFilter {
  return (store) => (row) => store.blockNumberAt(row) === number || store.logIndexAt(row) === number;
}

/** Rows that pass one of the filters. */
function combineFilters(...filters: readonly (RowFilter | undefined)[]): RowFilter {
  const present = filters.filter((filter) => filter !== undefined);
  return (store) => {
    const tests = present.map((filter) => filter(store));
    return (row) => tests.some((test) => test(row));
  };
}

interface Field extends FieldCondition {
  readonly name: string;
}

/**
 * The filter of a term such as `from:Treasury`, `value>=1,250.5` or `event:Transfer`; undefined if nothing has that
 * name, or if the value does not fit its type.
 */
function parseFieldFilter(field: Field, knowledge: RowKnowledge): RowFilter | undefined {
  return createArgumentFilter(field, knowledge) ?? createLogFieldFilter(field, knowledge);
}

function createArgumentFilter({ name, ...condition }: Field, knowledge: RowKnowledge): RowFilter | undefined {
  const tests = knowledge.findArgumentsByName(name).flatMap((argument) => {
    const make = createArgumentTest(argument, condition, knowledge);
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

/** Filters by the fields that every log has. */
function createLogFieldFilter(
  { name, operator, value }: Field,
  knowledge: RowKnowledge,
): RowFilter | undefined {
  const isEqual = operator === ':' || operator === '=';
  switch (name.toLowerCase()) {
    case 'block':
    // The log's own block if an argument is called `block`.
    case '$block':
      return createFieldNumberFilter(operator, value, (store) => store.blockNumberAt);
    case 'index':
      return createFieldNumberFilter(operator, value, (store) => store.logIndexAt);
    case 'event':
      return isEqual ? createEventFilter(value, knowledge) : undefined;
    case 'address':
      return isEqual ? createEmitterFilter(value, knowledge) : undefined;
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
  const bound = Number(typed.digits);
  const test = {
    ':': (number: number) => number === bound,
    '=': (number: number) => number === bound,
    '<': (number: number) => number < bound,
    '>': (number: number) => number > bound,
    '<=': (number: number) => number <= bound,
    '>=': (number: number) => number >= bound,
  }[operator];
  return (store) => {
    const at = pick(store);
    return (row) => test(at(row));
  };
}

function createEventFilter(value: string, knowledge: RowKnowledge): RowFilter | undefined {
  const isTopic = /^0x[0-9a-f]{64}$/i.test(value);
  const topics = isTopic
    ? [value.toLowerCase() as `0x${string}`]
    : findBestNamed(value, knowledge.findEventsByName);
  if (topics.length === 0) return undefined;
  return ({ columns }) => {
    const isEvent = createTopicTest(columns, topics);
    return (row) => columns.bodies.topicCountAt(row) > 0 && isEvent(columns.bodies.topicAt(row, 0));
  };
}

function createEmitterFilter(value: string, knowledge: RowKnowledge): RowFilter | undefined {
  const address = parseAddress(value);
  const piece = /^0x[0-9a-f]{1,40}$/i.test(value) ? [value.slice(2).toLowerCase()] : undefined;
  const digits = address
    ? [address.slice(2)]
    : (piece ?? findBestNamed(value, knowledge.findAddressesByName).map((each) => each.slice(2)));
  const patterns = digits.flatMap(createHexPatterns);
  if (patterns.length === 0) return undefined;
  return ({ columns: { addresses, bodies } }) => {
    const isEmitter = memoizeByNumber(addresses, (number) =>
      patterns.some((pattern) => addresses.matches(number, pattern)),
    );
    return (row) => isEmitter(bodies.addressAt(row));
  };
}

/** Rows with one of these words as an argument: a topic after the first, or a whole word of the data. */
function createWordTest(
  { topics, bodies }: LogColumns,
  words: readonly StoredWord[],
): (row: number) => boolean {
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
 * Rows with `text` in the name of their event, their contract or an address among their arguments; undefined if no
 * known name contains it.
 */
function createNameFilter(text: string, knowledge: RowKnowledge | undefined): RowFilter | undefined {
  const named = knowledge?.findAddressesByName(text, 'part') ?? [];
  const events = knowledge?.findEventsByName(text, 'part') ?? [];
  if (named.length === 0 && events.length === 0) return undefined;
  return ({ columns }) => {
    const isEvent = createTopicTest(columns, events);
    const hasAddress = named.length === 0 ? () => false : createAddressTest(columns, named);
    const { bodies } = columns;
    return (row) => (bodies.topicCountAt(row) > 0 && isEvent(bodies.topicAt(row, 0))) || hasAddress(row);
  };
}

function createAddressTest(columns: LogColumns, named: readonly Address[]): (row: number) => boolean {
  const { addresses, bodies } = columns;
  const addressSet = new Set<Hex>(named);
  const isEmitter = memoizeByNumber(addresses, (number) => addressSet.has(addresses.at(number)));
  const hasArgument = createWordTest(
    columns,
    named.map((address) => toStoredWord(BigInt(address))),
  );
  return (row) => isEmitter(bodies.addressAt(row)) || hasArgument(row);
}

/**
 * Rows with a number among their arguments: as written, or in the units in which amounts of their contract are
 * shown. Undefined if `text` is not a number.
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
    const holdsRaw = raw ? createWordTest(columns, [raw]) : () => false;
    const byContract = new Map<number, (row: number) => boolean>();
    const testFor = (contract: number) => {
      const cached = byContract.get(contract);
      if (cached) return cached;
      const decimals = knowledge?.decimalsOf(addresses.at(contract));
      const word = decimals === undefined ? undefined : wordIn(decimals);
      const test = word ? createWordTest(columns, raw ? [raw, word] : [word]) : holdsRaw;
      byContract.set(contract, test);
      return test;
    };
    return (row) => testFor(bodies.addressAt(row))(row);
  };
}
