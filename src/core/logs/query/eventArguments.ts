import { parseTopic } from '../../abi/encode.ts';
import { type AbiEvent, parseAbiItem } from '../../abi/item.ts';
import type { AbiType, EventParameter } from '../../abi/type.ts';
import { badInput } from '../../base/errors.ts';
import { createMessage, foreign } from '../../base/text.ts';
import type { Hex } from '../../eth/hex.ts';
import { splitList, splitValues } from './fieldValues.ts';
import type { QueryForm } from './form.ts';

/** An indexed parameter of an event as a query names it. */
export interface EventArgument {
  /** Its name; `topic1` to `topic3` if it has none, or if another parameter has the same. */
  readonly key: string;
  readonly parameter: EventParameter;
  /** Of its topic: 1 to 3. */
  readonly position: number;
}

/** Names that every object inherits. A value with such a name would not be an own property. */
const INHERITED_NAMES: readonly string[] = Object.getOwnPropertyNames(Object.prototype);

/**
 * The event that `text` declares with `indexed` parameters; undefined if no parameter is `indexed`, as the indexed
 * ones are then unknown. The leading word `event` is optional.
 *
 * @example parseDeclaredEvent('Paid(address indexed by, uint amount)')?.inputs[0]?.indexed // true
 */
export function parseDeclaredEvent(text: string): AbiEvent | undefined {
  const typed = text.trim();
  if (!/\bindexed\b/.test(typed)) return undefined;
  const item = parseAbiItem(/^event\s/.test(typed) ? typed : `event ${typed}`);
  return item?.kind === 'event' && !item.anonymous ? item : undefined;
}

/**
 * The indexed parameters of an event, in order.
 *
 * @example listEventArguments(event).map(({ key, position }) => [key, position]); // [['from', 1], ['to', 2]]
 */
export function listEventArguments({ inputs }: Pick<AbiEvent, 'inputs'>): readonly EventArgument[] {
  const indexed = inputs.filter((input) => input.indexed);
  const names = indexed.map(({ name }) => name);
  const taken = new Set<string>(INHERITED_NAMES);
  return indexed.map((parameter, index) => {
    const { name } = parameter;
    let key = name === '' || taken.has(name) ? `topic${index + 1}` : name;
    while (taken.has(key) || (key !== name && names.includes(key))) key += '_';
    taken.add(key);
    return { key, parameter, position: index + 1 };
  });
}

/**
 * The topics for the values of an argument.
 *
 * @throws AppError `badInput` for `args.KEY`, for the first value that does not fit its type.
 * @example encodeArgument(listEventArguments(event)[0], ['0x5fbdb2315678afecb367f032d93f642f64180aa3']);
 */
export function encodeArgument({ key, parameter }: EventArgument, values: readonly string[]): readonly Hex[] {
  return values.map((value) => parseTopic(parameter.type, value, getArgumentField(key)));
}

/**
 * The values in the field of an argument: text between commas, or in a JSON list; values of other types as
 * {@link splitList} splits them.
 *
 * @example splitArgument({ kind: 'uint', bits: 8, text: 'uint8' }, '1 2; 3') // ['1', '2', '3']
 */
export function splitArgument(type: AbiType, text: string): readonly string[] {
  if (type.kind !== 'string') return splitList(text);
  return /^\s*\[\s*"/.test(text) && /"\s*\]\s*$/.test(text) ? splitList(text) : splitValues(text);
}

/**
 * The field name of an argument in validation errors.
 *
 * @example getArgumentField('to') // 'args.to'
 */
export function getArgumentField(key: string): `args.${string}` {
  return `args.${key}`;
}

/**
 * Checks the names of arguments against their event.
 *
 * @throws AppError `badInput` for `args` if the event does not declare its indexed parameters, or has none of that
 * name.
 * @example validateArguments({ event: 'Paused()', args: {} }); // no arguments, no error
 */
export function validateArguments({ event, args }: Pick<QueryForm, 'event' | 'args'>): void {
  const names = Object.keys(args);
  if (names.length === 0) return;
  const declared = parseDeclaredEvent(event);
  if (!declared) {
    throw badInput(
      'args',
      'Values by name need the event with its indexed parameters, such as Transfer(address indexed from, address indexed to, uint256 value).',
    );
  }
  const keys = listEventArguments(declared).map(({ key }) => key);
  const unknownName = names.find((name) => !keys.includes(name));
  if (unknownName === undefined) return;
  throw badInput(
    'args',
    createMessage(
      '{0} has no indexed parameter {1}. It has {2}.',
      foreign(declared.name),
      foreign(unknownName.slice(0, 80)),
      foreign(keys.join(', ')),
    ),
  );
}
