import { parseAddress } from '../../values/address.ts';
import { hexPatterns } from '../../values/bytePattern.ts';
import { createArgumentReader } from './argumentReader.ts';
import { argumentTest, type FieldQuestion, type Operator } from './fieldTest.ts';
import type { LogStore } from './logStore.ts';
import { remembered, topicIsOneOf } from './packed/logColumns.ts';
import { namedBest, type RowKnowledge } from './rowKnowledge.ts';
import type { RowFilter } from './storeFilter.ts';
import { readNumber } from './typedAmount.ts';

interface Field extends FieldQuestion {
  readonly name: string;
}

/**
 * The filter of a word such as `from:Treasury`, `value>=1,250.5` or `event:Transfer`; undefined where nothing has that
 * name, or the value is none of its type.
 */
export function fieldFilter(field: Field, knowledge: RowKnowledge): RowFilter | undefined {
  return argumentFilter(field, knowledge) ?? ownFilter(field, knowledge);
}

function argumentFilter({ name, ...question }: Field, knowledge: RowKnowledge): RowFilter | undefined {
  const tests = knowledge.argumentsNamed(name).flatMap((argument) => {
    const make = argumentTest(argument, question, knowledge);
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
      return numberFilter(operator, value, (store) => store.blockNumberAt);
    case 'index':
      return numberFilter(operator, value, (store) => store.logIndexAt);
    case 'event':
      return isEqual ? eventFilter(value, knowledge) : undefined;
    case 'address':
      return isEqual ? emitterFilter(value, knowledge) : undefined;
    default:
      return undefined;
  }
}

function numberFilter(
  operator: Operator,
  value: string,
  pick: (store: LogStore) => (row: number) => number,
): RowFilter | undefined {
  const typed = readNumber(value);
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
  const topics = isTopic ? [value.toLowerCase() as `0x${string}`] : namedBest(value, knowledge.eventsNamed);
  if (topics.length === 0) return undefined;
  return ({ columns }) => {
    const isIt = topicIsOneOf(columns, topics);
    return (row) => columns.bodies.topicCountAt(row) > 0 && isIt(columns.bodies.topicAt(row, 0));
  };
}

function emitterFilter(value: string, knowledge: RowKnowledge): RowFilter | undefined {
  const address = parseAddress(value);
  const piece = /^0x[0-9a-f]{1,40}$/i.test(value) ? [value.slice(2).toLowerCase()] : undefined;
  const digits = address
    ? [address.slice(2)]
    : (piece ?? namedBest(value, knowledge.addressesNamed).map((one) => one.slice(2)));
  const patterns = digits.flatMap(hexPatterns);
  if (patterns.length === 0) return undefined;
  return ({ columns: { addresses, bodies } }) => {
    const isIt = remembered(addresses, (number) =>
      patterns.some((pattern) => addresses.holds(number, pattern)),
    );
    return (row) => isIt(bodies.addressAt(row));
  };
}
