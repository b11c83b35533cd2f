import { ETHER_UNITS } from '../../abi/amountUnit.ts';
import { createMessage, foreign, type Message, sanitizeText } from '../../base/text.ts';
import { type Address, type Hex, parseAddress } from '../../eth/hex.ts';
import { resolveUnit } from '../../tokens/amounts.ts';
import { createArgumentReader } from './argument.ts';
import { type BytePattern, createHexPatterns, createTextPattern } from './bytes.ts';
import { createArgumentTest, findBestNamed, type RowFilter, type RowKnowledge } from './fieldTest.ts';
import { type FilterTerm, type FilterTermCondition, type Operator, parseFilterTerms } from './filterTerms.ts';
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
 * - `from:Treasury`, `value >= 1,250.5`, `event != Transfer`, `block<100`: a condition on an argument, or on `event`,
 * `address`, `block` or `index` (`$block` is the log's own block if an argument is called `block`); for an array or
 * a tuple, a log that has the value anywhere; if nothing has that name, text like any other; while it has no value, no
 * condition
 * - `!Treasury`: rows that do not match the term
 *
 * @returns undefined if `text` has no terms.
 */
export function parseRowFilter(text: string, knowledge?: RowKnowledge): RowFilter | undefined {
  const terms = takeCoinUnits(parseFilterTerms(text));
  const filters = terms
    .map((term, index) => {
      const amount = findAmount(terms, index, knowledge);
      const filter = amount ? createUnitFilter(term, amount, knowledge) : createFilter(term, knowledge);
      return filter && term.isNegated ? negate(filter) : filter;
    })
    .filter((filter) => filter !== undefined);
  if (filters.length === 0) return undefined;
  return (store) => {
    const tests = filters.map((filter) => filter(store));
    return (row) => tests.every((test) => test(row));
  };
}

/** Joins `value > 1.5 ether` and `value>20gwei` to one term. */
function takeCoinUnits(terms: readonly FilterTerm[]): readonly FilterTerm[] {
  const joined: FilterTerm[] = [];
  for (const term of terms) {
    const before = joined.at(-1);
    const own = splitCoinUnit(term.condition);
    const decimals = term.condition || term.isNegated ? undefined : ETHER_UNITS.get(term.text.toLowerCase());
    if (own) joined.push({ ...term, condition: own });
    else if (decimals !== undefined && before?.condition && parseNumber(before.condition.value))
      joined[joined.length - 1] = { ...before, condition: { ...before.condition, decimals } };
    else joined.push(term);
  }
  return joined;
}

function splitCoinUnit(condition: FilterTermCondition | undefined): FilterTermCondition | undefined {
  const [, value, unit = ''] = /^(.+?)(ether|gwei|wei)$/i.exec(condition?.value ?? '') ?? [];
  const decimals = ETHER_UNITS.get(unit.toLowerCase());
  if (!condition || value === undefined || decimals === undefined || !parseNumber(value)) return undefined;
  return { ...condition, value, decimals };
}

function createFilter(term: FilterTerm, knowledge: RowKnowledge | undefined): RowFilter | undefined {
  const { text, phrase, condition } = term;
  if (!knowledge || !condition) return createTermFilter(text, phrase, knowledge);
  const { name, operator, value } = condition;
  if (value === '') return hasField(name, knowledge) ? undefined : createTermFilter(text, phrase, knowledge);
  const field = parseFieldFilter(condition, knowledge);
  if (field) return field;
  if (operator === ':' && isCompound(name, knowledge)) {
    return createTermFilter(value, text.includes('"') ? value : undefined, knowledge);
  }
  return createTermFilter(text, phrase, knowledge);
}

function negate(filter: RowFilter): RowFilter {
  return (store) => {
    const test = filter(store);
    return (row) => !test(row);
  };
}

/** Whether an argument of this name is an array or a tuple, whose parts have no fixed place in a row. */
function isCompound(name: string, { findArgumentsByName }: RowKnowledge): boolean {
  return findArgumentsByName(name).some(({ type }) => type.kind === 'array' || type.kind === 'tuple');
}

/** The name before a word that may be the unit of its amount, as in `value > 3,000 HUSD`. */
function findAmount(
  terms: readonly FilterTerm[],
  index: number,
  knowledge: RowKnowledge | undefined,
): string | undefined {
  const before = terms[index - 1]?.condition;
  const term = terms[index];
  if (!before || !knowledge || !term || term.condition || term.isNegated) return undefined;
  return parseNumber(before.value) === undefined ? undefined : before.name;
}

/** Rows of contracts whose amounts have this symbol. Without such a contract, rows that contain the text. */
function createUnitFilter(
  term: FilterTerm,
  amount: string,
  knowledge: RowKnowledge | undefined,
): RowFilter | undefined {
  const asText = createFilter(term, knowledge);
  const units = knowledge?.findArgumentsByName(amount) ?? [];
  const symbol = (term.phrase ?? term.text).toLowerCase();
  return (store) => {
    const { addresses, bodies } = store.columns;
    const hasSymbol = memoizeByNumber(addresses, (number) => {
      const contract = addresses.at(number);
      return units.some(({ unitAt }) => {
        const unit = knowledge && resolveUnit(unitAt(contract), knowledge.unitsOf);
        return unit?.symbol?.toLowerCase() === symbol;
      });
    });
    for (let number = 0; number < addresses.length; number++) {
      if (hasSymbol(number)) return (row) => hasSymbol(bodies.addressAt(row));
    }
    return asText?.(store) ?? (() => true);
  };
}

/** Names that a filter with an unknown field lists. */
const MAX_LISTED_NAMES = 20;
const logFields = ['event', 'address', 'block', 'index'] as const;

function hasField(name: string, { findArgumentsByName }: RowKnowledge): boolean {
  return /^(?:event|address|\$?block|index)$/i.test(name) || findArgumentsByName(name).length > 0;
}

/**
 * Why terms of a filter can match no row as conditions: an unknown field, or a value that does not fit its type. They
 * are then searched as text.
 */
export function explainRowFilter(text: string, knowledge: RowKnowledge): readonly Message[] {
  const terms = takeCoinUnits(parseFilterTerms(text));
  return terms.flatMap((term, index) => {
    const isUnit = findAmount(terms, index, knowledge) !== undefined;
    const problem = explainTerm(term, knowledge) ?? explainWord(term, isUnit);
    return problem ? [problem] : [];
  });
}

function explainTerm({ text, phrase, condition }: FilterTerm, knowledge: RowKnowledge): Message | undefined {
  if (!condition) {
    return phrase === undefined && /^[!:<>=]+$/.test(text)
      ? createMessage('Enter a field before {0}, such as value>1000.', foreign(text))
      : undefined;
  }
  const name = sanitizeText(condition.name);
  const value = sanitizeText(condition.value);
  const { operator } = condition;
  if (value === '' || parseFieldFilter(condition, knowledge)) return undefined;
  const [found] = knowledge.findArgumentsByName(condition.name);
  if (!found) {
    if (hasField(name, knowledge)) return explainLogField({ name, operator, value });
    const names = knowledge.listArgumentNames().map((one) => sanitizeText(one));
    const listed = [...names.slice(0, MAX_LISTED_NAMES), ...(names.length > MAX_LISTED_NAMES ? ['…'] : [])];
    return createMessage(
      'No field is called {0}. Fields: {1}',
      foreign(name),
      foreign([...listed, ...logFields].join(', ')),
    );
  }
  const { type } = found;
  switch (type.kind) {
    case 'uint':
    case 'int':
      return type.enumeration
        ? createMessage(
            '{0} is not a member of {1}. Enter one of {2}.',
            foreign(value),
            foreign(type.enumeration.name),
            foreign(type.enumeration.members.slice(0, MAX_LISTED_NAMES).join(', ')),
          )
        : notANumber(name, value);
    case 'array':
    case 'tuple':
      return operator === ':'
        ? undefined
        : createMessage(
            '{0} has several values. Enter {0}:{1} to find {1} in the row.',
            foreign(name),
            foreign(value),
          );
    case 'bool':
      if (isEquality(operator)) return createMessage('{0} is true or false.', foreign(name));
      break;
    case 'address':
      if (isEquality(operator)) return createMessage('No address is called {0}.', foreign(value));
      break;
  }
  return noOrder(name, value);
}

/** What a word does that looks like an operator of another language, or like a unit. */
function explainWord({ text, phrase, condition }: FilterTerm, isUnit: boolean): Message | undefined {
  if (condition || phrase !== undefined) return undefined;
  const word = sanitizeText(text);
  if (/^(?:and|or|not|&&?|\|\|?)$/i.test(text))
    return createMessage('All terms must match, and {0} is searched as text. Leave it out.', foreign(word));
  return isUnit ? createMessage('Only rows in {0}, or with this text, match.', foreign(word)) : undefined;
}

function explainLogField({ name, operator, value }: FilterTermCondition): Message {
  switch (name.toLowerCase()) {
    case 'event':
      return isEquality(operator)
        ? createMessage('No event here is called {0}.', foreign(value))
        : noOrder(name, value);
    case 'address':
      return isEquality(operator)
        ? createMessage('No address is called {0}.', foreign(value))
        : noOrder(name, value);
    default:
      return notANumber(name, value);
  }
}

function notANumber(name: string, value: string): Message {
  return createMessage(
    '{0} is a number, and {1} is not. For a range, enter {0}>=100 {0}<=200.',
    foreign(name),
    foreign(value),
  );
}

function noOrder(name: string, value: string): Message {
  return createMessage('{0} has no order. Enter {0}:{1} or {0}!={1}.', foreign(name), foreign(value));
}

function isEquality(operator: Operator): boolean {
  return operator === ':' || operator === '=' || operator === '!=';
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

/**
 * The filter of a term such as `from:Treasury`, `value>=1,250.5` or `event:Transfer`; undefined if nothing has that
 * name, or if the value does not fit its type.
 */
function parseFieldFilter(field: FilterTermCondition, knowledge: RowKnowledge): RowFilter | undefined {
  return createArgumentFilter(field, knowledge) ?? createLogFieldFilter(field, knowledge);
}

function createArgumentFilter(
  { name, ...condition }: FilterTermCondition,
  knowledge: RowKnowledge,
): RowFilter | undefined {
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
  { name, operator, value }: FilterTermCondition,
  knowledge: RowKnowledge,
): RowFilter | undefined {
  const isEqual = isEquality(operator);
  const made = (filter: RowFilter | undefined) => (filter && operator === '!=' ? negate(filter) : filter);
  switch (name.toLowerCase()) {
    case 'block':
    // The log's own block if an argument is called `block`.
    case '$block':
      return createFieldNumberFilter(operator, value, (store) => store.blockNumberAt);
    case 'index':
      return createFieldNumberFilter(operator, value, (store) => store.logIndexAt);
    case 'event':
      return isEqual ? made(createEventFilter(value, knowledge)) : undefined;
    case 'address':
      return isEqual ? made(createEmitterFilter(value, knowledge)) : undefined;
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
    '!=': (number: number) => number !== bound,
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
      const scaled =
        knowledge?.listDecimals(addresses.at(contract)).flatMap((one) => wordIn(one) ?? []) ?? [];
      const test = scaled.length > 0 ? createWordTest(columns, [...(raw ? [raw] : []), ...scaled]) : holdsRaw;
      byContract.set(contract, test);
      return test;
    };
    return (row) => testFor(bodies.addressAt(row))(row);
  };
}
