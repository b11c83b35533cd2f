import type { DecodedLog, LogDecoder } from '../../abi/logDecoder.ts';
import { isHashed } from '../../abi/type.ts';
import { readHex } from '../../eth/bytes.ts';
import { createArgumentReader, type StoredArgument } from '../store/argument.ts';
import { createUint32List } from '../store/bytes.ts';
import type { LogStore } from '../store/logStore.ts';
import { createWord, type StoredWord, toInteger, toSmallNumber } from '../store/word.ts';
import {
  type AnonymousReader,
  type AnonymousTest,
  createAnonymousReader,
  toValueWord,
} from './anonymousRows.ts';
import { getValueKind, readArgument, readGroupValue, toDay, toGroupKey, toRangeStart } from './groupValue.ts';
import {
  createKeyNumbers,
  createLogGrouper,
  type KeyNumbers,
  type LogGrouper,
  type RankOptions,
} from './logGrouper.ts';

/** What stored rows are grouped by. */
export type RowGroupField =
  | { readonly kind: 'address' | 'event' }
  /** `dayOf`: the day of a block whose logs came without its time; undefined if unknown. */
  | { readonly kind: 'day'; readonly dayOf?: ((block: number) => string | undefined) | undefined }
  /** Ranges of `width` blocks, which begin at multiples of it. */
  | { readonly kind: 'block'; readonly width: number }
  | (RowArgument & { readonly kind: 'argument' });

/** An argument of stored rows. */
export interface RowArgument {
  readonly parameter: string;
  /** Where it is: one for each event that has it. */
  readonly arguments: readonly StoredArgument[];
}

interface RowGroupsOptions extends RankOptions {
  /** Up to two fields. */
  readonly by: readonly RowGroupField[];
  /** The summed argument; undefined to count only. Others than numbers of equal decimals are left out. */
  readonly sum?: RowArgument | undefined;
  /** Rows of the store by their numbers; default: all. */
  readonly rows?: Uint32Array | undefined;
  /** Reads values that are in no single word, such as texts and lists; without it, their rows are ungrouped. */
  readonly decoder?: LogDecoder | undefined;
  /** Which rows the decoder may find to be of anonymous events; without it, none are. */
  readonly mayBeAnonymous?: AnonymousTest | undefined;
}

/** Stored rows, grouped: a few hundred bytes a group. */
export interface RowGroups extends Pick<LogGrouper, 'size' | 'at'> {
  /** The numbers of the groups: the largest sum first, else the largest count; of equal ones, the earliest. */
  readonly ranked: Uint32Array;
  /** Number of rows that lack a field or the summed argument. */
  readonly ungrouped: number;
  /** The first log of a group in the order of the chain. */
  firstRowOf(group: number): number;
  /** The last log of a group in the order of the chain. */
  lastRowOf(group: number): number;
  /** The summed argument of a row; undefined if it has none, or nothing is summed. */
  valueAt(row: number): bigint | undefined;
  /** Whether a row is in a group. */
  createRowTest(group: number): (row: number) => boolean;
}

/**
 * Groups rows of a store without creating logs, in slices of time, so that a million rows do not block the thread.
 *
 * @throws the signal's reason when it aborts, and AppError `badInput` if there are too many groups.
 * @example
 * const by = [{ kind: 'argument', parameter: 'to', arguments: knowledge.findArgumentsByName('to') }] as const;
 * const sum = { parameter: 'value', arguments: knowledge.findArgumentsByName('value') };
 * const groups = await groupRows(store, { by, sum, rows: view.rows, slices: createTimeSlices(clock) });
 * const [largest] = groups.ranked;
 */
export async function groupRows(
  store: LogStore,
  { by, sum, rows, decoder, mayBeAnonymous, slices, signal }: RowGroupsOptions,
): Promise<RowGroups> {
  const grouper = createLogGrouper();
  const firstRows = createUint32List();
  const lastRows = createUint32List();
  const anonymousAt = createAnonymousReader(store, { decoder, mayBeAnonymous });
  const keyAt = createKeyReader(store, by, { decoder, anonymousAt });
  const valueAt = sum && createSumReader(store, sum, anonymousAt);
  const isBefore = (one: number, other: number) => store.compare('block', one, other) < 0;
  const { length } = rows ?? store;
  let ungrouped = 0;
  for (let index = 0; index < length; index++) {
    if (index % CHECK_EVERY === 0 && slices.isOver()) await slices.rest({ signal });
    const row = rows ? (rows[index] ?? 0) : index;
    const key = keyAt(row);
    const value = key < 0 ? undefined : valueAt?.(row);
    if (key < 0 || (valueAt && value === undefined)) {
      ungrouped++;
      continue;
    }
    const group = grouper.add(key, store.blockNumberAt(row), value);
    if (group === firstRows.length) {
      firstRows.push(row);
      lastRows.push(row);
    } else if (isBefore(row, firstRows.at(group))) firstRows.set(group, row);
    else if (isBefore(lastRows.at(group), row)) lastRows.set(group, row);
  }
  const ranked = await grouper.rank({ slices, signal });
  return {
    size: grouper.size,
    at: grouper.at,
    ranked,
    ungrouped,
    firstRowOf: firstRows.at,
    lastRowOf: lastRows.at,
    valueAt: (row) => valueAt?.(row),
    createRowTest(group) {
      const key = keyAt(firstRows.at(group));
      return (row) => keyAt(row) === key && (!valueAt || valueAt(row) !== undefined);
    },
  };
}

/** Rows that are grouped without checking the clock. */
const CHECK_EVERY = 256;

/** The number of a row's value: equal values have equal numbers, from 0. A negative one if the row has no value. */
type NumberReader = (row: number) => number;

const NO_VALUE = -1;
/** More than a store has rows. The product of two is an exact number. */
const MAX_VALUES = 2 ** 26;

interface RowDecoding {
  readonly decoder: LogDecoder | undefined;
  readonly anonymousAt: AnonymousReader;
}

function createKeyReader(store: LogStore, by: readonly RowGroupField[], decoding: RowDecoding): NumberReader {
  const [first, second] = by.map((field) => createFieldReader(store, field, decoding));
  if (!first) return () => 0;
  if (!second) return first;
  return (row) => {
    const one = first(row);
    const other = one < 0 ? NO_VALUE : second(row);
    return other < 0 ? NO_VALUE : one * MAX_VALUES + other;
  };
}

function createFieldReader(
  store: LogStore,
  field: RowGroupField,
  { decoder, anonymousAt }: RowDecoding,
): NumberReader {
  const { addresses, bodies, topics } = store.columns;
  const numbering = createNumbering();
  const numberOf = numbering.of(field.kind);
  switch (field.kind) {
    case 'address': {
      const addressNumber = cacheByNumber((number) => numberOf(addresses.at(number)));
      return (row) => addressNumber(bodies.addressAt(row));
    }
    case 'event': {
      const topicNumber = cacheByNumber((number) => numberOf(topics.at(number)));
      return (row) => {
        const decoded = anonymousAt(row);
        if (!decoded) return bodies.topicCountAt(row) === 0 ? NO_VALUE : topicNumber(bodies.topicAt(row, 0));
        const event = { kind: 'event', name: 'event' } as const;
        const value = readGroupValue(event, store.columns.logAt(row), { decoded, day: undefined });
        return value ? numberOf(toGroupKey(value)) : NO_VALUE;
      };
    }
    case 'block':
      return (row) => numberOf(toRangeStart(store.blockNumberAt(row), field.width));
    case 'day':
      return createDayReader(store, numberOf, field.dayOf);
    case 'argument': {
      const readers = field.arguments.map((argument) =>
        createArgumentNumbers(store, argument, { parameter: field.parameter, numbering, decoder }),
      );
      return (row) => {
        for (const read of readers) {
          const number = read(row);
          if (number >= 0) return number;
        }
        const decoded = anonymousAt(row);
        return decoded ? numberDecoded(field.parameter, decoded, numbering) : NO_VALUE;
      };
    }
  }
}

/** The number that the same value has where it is read from a word. */
function numberDecoded(name: string, decoded: DecodedLog, numbering: Numbering): number {
  const found = readArgument(name, decoded);
  if (!found) return NO_VALUE;
  const { parameter, value } = found;
  const word = toValueWord(parameter, value);
  return word
    ? numbering.of(getValueKind(parameter))(toKey(word, parameter.type.kind === 'int'))
    : numbering.of('decoded')(toGroupKey(found));
}

/** Numbers values, those of each kind apart: the numbers of all kinds are different. */
interface Numbering {
  of(kind: string): (key: string | number) => number;
}

function createNumbering(): Numbering {
  const byKind = new Map<string, KeyNumbers>();
  const counter = { count: 0 };
  return {
    of(kind) {
      const keys = byKind.get(kind) ?? createKeyNumbers(counter);
      byKind.set(kind, keys);
      return keys.numberOf;
    },
  };
}

/** A dictionary may have a value twice, so its numbers do not tell values apart. */
function cacheByNumber(getNumber: (number: number) => number): (number: number) => number {
  const cache: number[] = [];
  return (number) => {
    const cached = cache[number];
    if (cached !== undefined) return cached;
    const found = getNumber(number);
    cache[number] = found;
    return found;
  };
}

const DAY_MS = 86_400_000;

function createDayReader(
  store: LogStore,
  numberOf: (key: string) => number,
  dayOf: ((block: number) => string | undefined) | undefined,
): NumberReader {
  const dayNumber = new Map<number, number>();
  return (row) => {
    const time = store.timeAt(row);
    if (time === undefined) {
      const day = dayOf?.(store.blockNumberAt(row));
      return day === undefined ? NO_VALUE : numberOf(day);
    }
    const index = Math.floor(time / DAY_MS);
    const known = dayNumber.get(index);
    if (known !== undefined) return known;
    const day = toDay(time);
    const found = day === undefined ? NO_VALUE : numberOf(day);
    dayNumber.set(index, found);
    return found;
  };
}

function createArgumentNumbers(
  store: LogStore,
  argument: StoredArgument,
  {
    parameter,
    numbering,
    decoder,
  }: {
    readonly parameter: string;
    readonly numbering: Numbering;
    readonly decoder: LogDecoder | undefined;
  },
): NumberReader {
  const { topics } = store.columns;
  const { type } = argument;
  const reader = createArgumentReader(store.columns, argument);
  const word = createWord();
  const inTopic = { name: parameter, type, indexed: true };
  const isSigned = type.kind === 'int';
  const topicKey = numbering.of(getValueKind(inTopic));
  const topicNumber = cacheByNumber((number) => {
    topics.wordAt(number, word);
    return topicKey(toKey(word, isSigned));
  });
  const readData = isHashed(inTopic) ? createDecodedNumbers() : createWordNumbers();

  function createWordNumbers(): NumberReader {
    const numberOf = numbering.of(getValueKind({ ...inTopic, indexed: false }));
    return (row) => (reader.wordAt(row, word) ? numberOf(toKey(word, isSigned)) : NO_VALUE);
  }

  function createDecodedNumbers(): NumberReader {
    const numberOf = numbering.of('decoded');
    return (row) => {
      if (!decoder || !reader.has(row)) return NO_VALUE;
      const value = readArgument(parameter, decoder.decode(store.columns.logAt(row)));
      return value ? numberOf(toGroupKey(value)) : NO_VALUE;
    };
  }

  return (row) => {
    const topic = reader.topicAt(row);
    return topic === undefined ? readData(row) : topicNumber(topic);
  };
}

/** A negative integer has a sign, as it has the word of a large positive one. */
function toKey(word: StoredWord, isSigned: boolean): string | number {
  const small = toSmallNumber(word);
  if (small !== undefined) return small;
  const hex = readHex(word.bytes, word.offset, word.length);
  return isSigned && toInteger(word, true) < 0n ? `-${hex}` : hex;
}

function createSumReader(
  store: LogStore,
  { parameter, arguments: summed }: RowArgument,
  anonymousAt: AnonymousReader,
): (row: number) => bigint | undefined {
  const kindOf = ({ type }: Pick<StoredArgument, 'type'>) => getValueKind({ name: '', type, indexed: false });
  const numbers = summed.filter(({ type }) => type.kind === 'uint' || type.kind === 'int');
  let sumKind = numbers[0] && kindOf(numbers[0]);
  const readers = numbers
    .filter((argument) => kindOf(argument) === sumKind)
    .map((argument) => ({
      reader: createArgumentReader(store.columns, argument),
      isSigned: argument.type.kind === 'int',
    }));
  const word = createWord();
  return (row) => {
    for (const { reader, isSigned } of readers) {
      if (reader.wordAt(row, word)) return toInteger(word, isSigned);
    }
    const decoded = anonymousAt(row);
    const found = decoded && readArgument(parameter, decoded);
    if (typeof found?.value !== 'bigint') return undefined;
    const kind = kindOf(found.parameter);
    sumKind ??= kind;
    return kind === sumKind ? found.value : undefined;
  };
}
