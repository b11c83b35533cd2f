import type { AbiLookup } from '../../abi/candidates.ts';
import { type AbiEvent, parseAbiItem } from '../../abi/item.ts';
import type { EventParameter } from '../../abi/type.ts';
import { type AppError, badInput } from '../../base/errors.ts';
import { createMessage, foreign, sanitizeText } from '../../base/text.ts';
import type { LogFilter } from '../query/filter.ts';

/** How logs are grouped: by up to two fields, and with the sum of a number. Without a field, all are one group. */
export interface Grouping {
  readonly by: readonly GroupField[];
  /** The name of the summed parameter. */
  readonly sum: string | undefined;
  /** What the fields are called where they are typed, for errors. */
  readonly inputName: string;
}

/** What a group is made by. `name` is what the user typed. */
export type GroupField =
  | { readonly kind: 'address' | 'event' | 'day'; readonly name: string }
  /** Ranges of `width` blocks, which begin at multiples of it. */
  | { readonly kind: 'block'; readonly name: string; readonly width: number }
  | { readonly kind: 'argument'; readonly name: string; readonly parameter: string };

export const MAX_GROUP_FIELDS = 2;
const MAX_NAME_CHARS = 256;
const ARGUMENT_PREFIX = 'args.';

/**
 * Parses fields: `address`, `event`, `block`, `block:1000` (ranges of 1,000 blocks), `day` (of the block, in UTC), or
 * the name of a parameter, which may have `args.` before it: `args.block` is a parameter called `block`. Undefined if
 * there is nothing to group or sum.
 *
 * @param inputName what the fields are called where they are typed.
 * @throws AppError `badInput` for `inputName` or `sum`.
 * @example parseGrouping({ by: ['to', 'day'], sum: 'value' })?.by[0] // { kind: 'argument', name: 'to', parameter: 'to' }
 */
export function parseGrouping(
  { by, sum }: { readonly by: readonly string[]; readonly sum?: string | undefined },
  inputName = 'groupBy',
): Grouping | undefined {
  const fields = by.map((text) => parseField(text, inputName));
  if (fields.length > MAX_GROUP_FIELDS) throw badInput(inputName, 'Group by one or two fields.');
  if (new Set(fields.map(describeField)).size < fields.length) {
    throw badInput(inputName, 'Both fields are the same. Leave one of them out.');
  }
  const summed = sum === undefined ? undefined : parseParameter(sum, 'sum');
  return fields.length > 0 || summed !== undefined ? { by: fields, sum: summed, inputName } : undefined;
}

function parseField(text: string, inputName: string): GroupField {
  const name = text.trim();
  if (name === 'address' || name === 'event' || name === 'day') return { kind: name, name };
  if (name === 'block') return { kind: 'block', name, width: 1 };
  const [, width] = /^block:([1-9]\d{0,14})$/.exec(name) ?? [];
  if (width !== undefined) return { kind: 'block', name, width: Number(width) };
  if (name.startsWith('block:')) {
    throw badInput(inputName, 'A range of blocks is a number above 0. Enter block:1000 for ranges of 1,000.');
  }
  return { kind: 'argument', name, parameter: parseParameter(name, inputName) };
}

function parseParameter(text: string, inputName: string): string {
  const typed = text.trim();
  const name = typed.startsWith(ARGUMENT_PREFIX) ? typed.slice(ARGUMENT_PREFIX.length) : typed;
  if (name !== '' && name.length <= MAX_NAME_CHARS) return name;
  throw badInput(
    inputName,
    inputName === 'sum'
      ? 'Enter the name of a parameter that is a number, such as value.'
      : 'Enter the name of a parameter, such as to, or address, event, block or day.',
  );
}

function describeField(field: GroupField): string {
  return field.kind === 'argument' ? `${ARGUMENT_PREFIX}${field.parameter}` : field.kind;
}

/**
 * Whether logs must be decoded to be grouped so.
 *
 * @example needsDecoding({ by: [{ kind: 'address', name: 'address' }], sum: undefined, inputName: 'groupBy' }) // false
 */
export function needsDecoding({ by, sum }: Grouping): boolean {
  return sum !== undefined || by.some(({ kind }) => kind === 'argument' || kind === 'event');
}

/**
 * The events that the logs of a query may be of, as far as they are known: the declared one, and those of its topics 0
 * at its addresses. Empty if they may be of any event.
 *
 * @param event of the query: a declaration; other texts declare nothing.
 * @example
 * const [paused] = findQueriedEvents({ event: 'Paused(address by)', filter, lookup, chainId: 1 });
 */
export function findQueriedEvents({
  event,
  filter,
  lookup,
  chainId,
}: {
  readonly event: string;
  readonly filter: Pick<LogFilter, 'addresses' | 'topics'>;
  readonly lookup: Pick<AbiLookup, 'events'>;
  readonly chainId: number;
}): readonly AbiEvent[] {
  const [topics0] = filter.topics;
  if (!topics0) return [];
  const declared = parseEvent(event);
  const places = [undefined, ...filter.addresses.slice(0, MAX_ADDRESSES)];
  const known = topics0.map((topic0) =>
    places
      .flatMap((address) => lookup.events(topic0, address && { address, chainId }))
      .map(({ item }) => item),
  );
  const named = declared?.inputs.some(({ name }) => name !== '') ? [declared] : [];
  if (named.length === 0 && known.some((events) => events.length === 0)) return [];
  return [...named, ...known.flat()];
}

/** Of a query, whose events are looked up one by one. */
const MAX_ADDRESSES = 100;

function parseEvent(text: string): AbiEvent | undefined {
  const typed = text.trim();
  const item = parseAbiItem(/^event\s/.test(typed) ? typed : `event ${typed}`);
  return item?.kind === 'event' ? item : undefined;
}

/**
 * Checks the names of parameters against the events that the logs may be of. Without events, every name may be one.
 *
 * @throws AppError `badInput` for the first name that no event has, with those that exist; for `sum` also if the
 *   parameter is not a number.
 * @example validateGrouping(parseGrouping({ by: ['to'] }), [transferEvent]); // 'to' is a parameter, no error
 */
export function validateGrouping(grouping: Grouping, events: readonly AbiEvent[]): void {
  if (events.length === 0) return;
  for (const field of grouping.by) {
    if (field.kind === 'argument' && findParameters(field.parameter, events).length === 0) {
      throw createUnknownError(grouping.inputName, field.parameter, events);
    }
  }
  const { sum } = grouping;
  if (sum === undefined) return;
  const summed = findParameters(sum, events);
  if (summed.some(isNumber)) return;
  const [other] = summed;
  throw other ? createNotNumberError(other, events) : createUnknownError('sum', sum, events);
}

function findParameters(name: string, events: readonly AbiEvent[]): readonly EventParameter[] {
  return events.flatMap(({ inputs }) => inputs.filter((input) => input.name === name));
}

/**
 * Whether the values of a parameter can be summed.
 *
 * @example isNumber({ name: 'value', type: { kind: 'uint', bits: 256, text: 'uint256' }, indexed: false }) // true
 */
export function isNumber({ type: { kind } }: Pick<EventParameter, 'type'>): boolean {
  return kind === 'uint' || kind === 'int';
}

function createUnknownError(inputName: string, name: string, events: readonly AbiEvent[]): AppError {
  const isSum = inputName === 'sum';
  const names = listNames(events, (input) => !isSum || isNumber(input));
  const shown = sanitizeText(name, 80);
  if (names === '') {
    return badInput(
      inputName,
      isSum
        ? createMessage('No event of the query has a number to sum, so there is no {0}.', foreign(shown))
        : createMessage(
            'No event of the query has a parameter with a name, so there is no {0}. Use address, event, block or day.',
            foreign(shown),
          ),
    );
  }
  return badInput(
    inputName,
    isSum
      ? createMessage(
          'No event of the query has a parameter {0}. Sum one of {1}.',
          foreign(shown),
          foreign(names),
        )
      : createMessage(
          'No event of the query has a parameter {0}. Use one of {1}, or address, event, block or day.',
          foreign(shown),
          foreign(names),
        ),
  );
}

function createNotNumberError({ name, type }: EventParameter, events: readonly AbiEvent[]): AppError {
  const names = listNames(events, isNumber);
  const [shownName, shownType] = [sanitizeText(name, 80), sanitizeText(type.text, 80)];
  return badInput(
    'sum',
    names === ''
      ? createMessage(
          '{0} is not a number but {1}. No event of the query has one.',
          foreign(shownName),
          foreign(shownType),
        )
      : createMessage(
          '{0} is not a number but {1}. Sum one of {2}.',
          foreign(shownName),
          foreign(shownType),
          foreign(names),
        ),
  );
}

const MAX_LISTED_NAMES = 20;

function listNames(events: readonly AbiEvent[], isListed: (input: EventParameter) => boolean): string {
  const names = events.flatMap(({ inputs }) => inputs.filter(isListed).map(({ name }) => name));
  const distinct = [...new Set(names)].filter((name) => name !== '');
  const shown = distinct.slice(0, MAX_LISTED_NAMES).map((name) => sanitizeText(name, 80));
  return [...shown, ...(distinct.length > MAX_LISTED_NAMES ? ['…'] : [])].join(', ');
}
