import { parseEventOrTopic0, requireTopic } from '../../abi/declaration.ts';
import { parseTopic, toAbiWord } from '../../abi/encode.ts';
import { parseAbiItem } from '../../abi/item.ts';
import type { AbiType } from '../../abi/type.ts';
import { type AppError, badInput, isAppError } from '../../base/errors.ts';
import { createMessage, foreign, groupDigits } from '../../base/text.ts';
import { type Budget, createBudget } from '../../base/timeSlices.ts';
import { type Hex, parseAddress, parseHexData, requireAddress } from '../../eth/hex.ts';
import {
  type EventArgument,
  encodeArgument,
  getArgumentField,
  listEventArguments,
  parseDeclaredEvent,
  splitArgument,
} from './eventArguments.ts';
import { splitList } from './fieldValues.ts';
import { createLogFilter, type LogFilter, parseBlockTag } from './filter.ts';
import { getFieldText, isTopic0List, type QueryForm } from './form.ts';

/**
 * Values of topics and arguments in a query, each as often as it is tried as another type: 5,000 addresses in two of
 * them. A try takes some ten microseconds, one that fails twice as long.
 */
const MAX_TRIES = 10_000;

function tooManyError(field: string): AppError {
  const template = 'More than {0} values, or types that they may have. Split the query.';
  return badInput(field, createMessage(template, groupDigits(MAX_TRIES)));
}

/** The filter, or an error for each invalid field: `badInput`, with the name of the field. */
export type ParsedQuery =
  | { readonly filter: LogFilter; readonly errors?: undefined }
  | { readonly filter?: undefined; readonly errors: readonly AppError[] };

/**
 * The filter of a query. All invalid fields are found at once, in the order of the form. Arguments count if the event
 * declares an indexed parameter of that name.
 *
 * @example parseQueryForm({ ...emptyForm, event: 'Transfer(address,address,uint256)' }).filter?.topics;
 */
export function parseQueryForm(form: QueryForm): ParsedQuery {
  const errors: AppError[] = [];
  const collectErrors = <T>(parse: () => T): T | undefined => {
    try {
      return parse();
    } catch (error) {
      if (!isAppError(error, 'badInput')) throw error;
      errors.push(error);
      return undefined;
    }
  };
  const tries = createBudget(MAX_TRIES);
  const addresses = collectErrors(() => splitList(form.address).map((text) => requireAddress(text)));
  const topics = [
    collectErrors(() => parseTopic0(form.event)),
    ...([1, 2, 3] as const).map((position) => collectErrors(() => parseTopicField(form, position, tries))),
  ];
  for (const argument of listDeclaredArguments(form.event)) {
    const values = splitArgument(argument.parameter.type, getFieldText(form, getArgumentField(argument.key)));
    if (values.length > 0) collectErrors(() => placeArgument(topics, argument, values, tries));
  }
  const fromBlock = collectErrors(() => parseBlockTag(form.fromBlock.trim() || 'earliest', 'fromBlock'));
  const toBlock = collectErrors(() => parseBlockTag(form.toBlock.trim() || 'latest', 'toBlock'));
  if (!addresses || fromBlock === undefined || toBlock === undefined || errors.length > 0) return { errors };
  const filter = collectErrors(() =>
    createLogFilter({ addresses, fromBlock, toBlock, topics: topics.map((values) => values ?? null) }),
  );
  return filter ? { filter } : { errors };
}

/** One or several topic0 values, or a declaration; null if blank. */
function parseTopic0(event: string): readonly Hex[] | null {
  if (event.trim() === '') return null;
  const texts = isTopic0List(event) ? splitList(event) : [event];
  const [only = ''] = texts;
  return texts.length === 1 ? [parseEventOrTopic0(only)] : texts.map((text) => requireTopic(text, 'event'));
}

function parseTopicField(form: QueryForm, position: 1 | 2 | 3, tries: Budget): readonly Hex[] | null {
  const field = `topic${position}` as const;
  const texts = splitList(form[field]);
  const types = listTopicTypes(form.event, position);
  return texts.length === 0 ? null : texts.map((text) => parseTopicText(text, types, field, tries).topic);
}

function listDeclaredArguments(event: string): readonly EventArgument[] {
  const declared = parseDeclaredEvent(event);
  return declared ? listEventArguments(declared) : [];
}

function placeArgument(
  topics: (readonly Hex[] | null | undefined)[],
  argument: EventArgument,
  values: readonly string[],
  tries: Budget,
): void {
  const { key, position } = argument;
  if (!tries.pay(values.length)) throw tooManyError(getArgumentField(key));
  const encoded = encodeArgument(argument, values);
  if (topics[position]) {
    throw badInput(
      `topic${position}`,
      createMessage('This topic is the value of {0}, which is also set. Clear one of them.', foreign(key)),
    );
  }
  topics[position] = encoded;
}

/** A topic as a person typed it. */
export interface ParsedTopic {
  readonly topic: Hex;
  /** The type that it was parsed as; undefined for a full topic in hex. */
  readonly type: AbiType | undefined;
}

const UINT: AbiType = { kind: 'uint', bits: 256, text: 'uint256' };
const INT: AbiType = { kind: 'int', bits: 256, text: 'int256' };
const BOOL: AbiType = { kind: 'bool', text: 'bool' };
const ADDRESS: AbiType = { kind: 'address', text: 'address' };

/**
 * The possible types of the topic at a position (1 to 3) of an event: one if the declaration has `indexed`, else
 * those of all parameters that may be at that position, each once; none if nothing is known.
 *
 * @example listTopicTypes('Transfer(address,address,uint256)', 2).map(({ text }) => text) // ['address', 'uint256']
 */
export function listTopicTypes(event: string, position: number): readonly AbiType[] {
  const typed = event.trim();
  if (typed === '' || /^0x/i.test(typed)) return [];
  const item = parseAbiItem(/^event\s/.test(typed) ? typed : `event ${typed}`);
  if (item?.kind !== 'event') return [];
  const indexed = item.inputs.filter((input) => input.indexed);
  const candidates =
    indexed.length > 0 ? indexed.slice(position - 1, position) : item.inputs.slice(position - 1);
  return [...new Map(candidates.map(({ type }) => [type.text, type])).values()];
}

/**
 * Parses a topic as people type it: 32 bytes of hex as they are, else a value of one of the types, text and bytes
 * as their hash. Without a type: an address, an integer (decimal or short hex) or a bool, as one word.
 *
 * @param tries what a query may cost in all; a type that is tried costs one.
 * @throws AppError `badInput` for `field`.
 * @example parseTopicText('-1', [], 'topic1').topic // '0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff'
 */
export function parseTopicText(
  text: string,
  types: readonly AbiType[],
  field: string,
  tries = createBudget(MAX_TRIES),
): ParsedTopic {
  const typed = text.trim();
  const whole = parseHexData(typed, 32);
  if (whole) return { topic: whole, type: undefined };
  const isAddress = parseAddress(typed) !== undefined;
  const [only, ...others] = types;
  if (only && others.length === 0 && !isAddress) {
    if (!tries.pay(1)) throw tooManyError(field);
    return { topic: parseTopic(only, text, field), type: only };
  }
  for (const type of types.length === 0 ? listWordTypes(typed) : sortBySpecificity(types, isAddress)) {
    if (!tries.pay(1)) throw tooManyError(field);
    const topic = parseTopicAs(type, text, field);
    if (topic) return { topic, type };
    // Its error takes as long.
    tries.pay(1);
  }
  const address = parseAddress(typed);
  if (address) return { topic: toAbiWord(address), type: ADDRESS };
  if (types.length > 0) {
    const names = types.map(({ text: name }) => name).join(', ');
    throw badInput(
      field,
      createMessage('Not a value of type {0}. Enter one, or 0x and 64 hex digits.', foreign(names)),
    );
  }
  throw badInput(field, 'Not a topic. Enter an address, a number, true, false, or 0x and hex digits.');
}

function listWordTypes(typed: string): readonly AbiType[] {
  if (parseAddress(typed)) return [ADDRESS];
  return /^(?:true|false)$/i.test(typed) ? [BOOL] : [typed.startsWith('-') ? INT : UINT];
}

/** Types that accept any text come last, before them those that accept any bytes. */
function sortBySpecificity(types: readonly AbiType[], isAddress: boolean): readonly AbiType[] {
  const rank = ({ kind }: AbiType) => {
    if (kind === 'string') return 3;
    if (kind === 'bytes') return 2;
    return isAddress && kind === 'address' ? 0 : 1;
  };
  return types.toSorted((a, b) => rank(a) - rank(b));
}

function parseTopicAs(type: AbiType, text: string, field: string): Hex | undefined {
  try {
    return parseTopic(type, text, field);
  } catch (error) {
    if (isAppError(error, 'badInput')) return undefined;
    throw error;
  }
}
