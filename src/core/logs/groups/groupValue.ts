import type { UndecodedReason } from '../../abi/eventDecoder.ts';
import type { AbiEvent } from '../../abi/item.ts';
import type { DecodedLog } from '../../abi/logDecoder.ts';
import { type AbiValue, type EventParameter, isHashed } from '../../abi/type.ts';
import { type AbiJson, abiValueToJson, namedValueToJson } from '../../abi/value.ts';
import type { Address, Hex } from '../../eth/hex.ts';
import { hashText } from '../../eth/keccak.ts';
import { formatIsoTime } from '../../eth/time.ts';
import type { Log } from '../log.ts';
import type { GroupField } from './grouping.ts';

/** What the logs of a group have in one of its fields. */
export type GroupValue =
  /** Of a hashed parameter (`isHashed`), the hash. */
  | { readonly kind: 'argument'; readonly parameter: EventParameter; readonly value: AbiValue }
  | { readonly kind: 'address'; readonly address: Address }
  /** `event` is undefined if it is not known. */
  | { readonly kind: 'event'; readonly event: AbiEvent | undefined; readonly topic0: Hex | undefined }
  /** The first block of the range. */
  | { readonly kind: 'block'; readonly block: number }
  /** Such as `2026-11-28`, in UTC. */
  | { readonly kind: 'day'; readonly day: string };

/**
 * The value of a field of a log; undefined if the log has none for certain.
 *
 * @param decoded undefined if no field needs it.
 * @param day of the block; undefined if unknown.
 * @example
 * const { day } = readGroupValue({ kind: 'day', name: 'day' }, log, { decoded, day }); // '2026-11-28'
 */
export function readGroupValue(
  field: GroupField,
  log: Log,
  { decoded, day }: { readonly decoded: DecodedLog | undefined; readonly day: string | undefined },
): GroupValue | undefined {
  switch (field.kind) {
    case 'address':
      return { kind: 'address', address: log.address };
    case 'block':
      return { kind: 'block', block: toRangeStart(Number(log.blockNumber), field.width) };
    case 'day':
      return day === undefined ? undefined : { kind: 'day', day };
    case 'event':
      return decoded && readEvent(log, decoded);
    case 'argument':
      return decoded && readArgument(field.parameter, decoded);
  }
}

/**
 * The first block of the range that a block is in.
 *
 * @example toRangeStart(1250, 100) // 1200
 */
export function toRangeStart(block: number, width: number): number {
  return block - (block % width);
}

/**
 * The day of a time in UTC.
 *
 * @example toDay(Date.UTC(2026, 10, 28, 23, 59)) // '2026-11-28'
 */
export function toDay(time: number | undefined): string | undefined {
  return formatIsoTime(time)?.split('T')[0];
}

/** A topic0 names its event even if the log cannot be decoded. */
function readEvent({ topics: [topic0] }: Log, decoded: DecodedLog): GroupValue | undefined {
  if ('event' in decoded) {
    const { event, others } = decoded;
    const isCertain = others.every(({ item }) => item.signature === event.signature);
    const isNamed = !event.anonymous && event.topic0 === topic0;
    return isCertain ? { kind: 'event', event, topic0: isNamed ? topic0 : undefined } : undefined;
  }
  return topic0 === undefined
    ? undefined
    : { kind: 'event', event: findEvent(decoded.reason, topic0), topic0 };
}

function findEvent(reason: UndecodedReason, topic0: Hex): AbiEvent | undefined {
  const events = reason.code === 'version' ? reason.events : 'event' in reason ? [reason.event] : [];
  return events.find((event) => !event.anonymous && event.topic0 === topic0);
}

/**
 * The value of a parameter. Undefined if the log has none of that name, is not decoded, or fits several events, whose
 * values differ.
 *
 * @example readArgument('value', { reason: { code: 'noTopics' } }) // undefined
 */
export function readArgument(
  name: string,
  decoded: DecodedLog,
): (GroupValue & { readonly kind: 'argument' }) | undefined {
  if ('reason' in decoded || decoded.others.length > 0) return undefined;
  const index = decoded.event.inputs.findIndex((input) => input.name === name);
  const [parameter, value] = [decoded.event.inputs[index], decoded.values[index]];
  return parameter && value !== undefined ? { kind: 'argument', parameter, value } : undefined;
}

/**
 * What a value of a parameter is. Equal texts of different kinds, such as a string and a hash, are different groups;
 * integers of any size are one kind.
 *
 * @example getValueKind({ name: 'id', type: { kind: 'uint', bits: 8, text: 'uint8' }, indexed: true }) // 'number'
 */
export function getValueKind(parameter: EventParameter): string {
  const { type } = parameter;
  if (isHashed(parameter)) return 'hash';
  if (type.kind === 'uint' || type.kind === 'int') return `number${type.decimals ?? ''}`;
  return type.kind === 'fixedBytes' || type.kind === 'array' || type.kind === 'tuple' ? type.text : type.kind;
}

/** Longer values are told apart by their hash. */
const MAX_KEY_CHARS = 200;

/**
 * A text that only equal values have.
 *
 * @example toGroupKey({ kind: 'block', block: 7 }) // '7'
 */
export function toGroupKey(value: GroupValue): string {
  switch (value.kind) {
    case 'address':
      return value.address;
    case 'block':
      return String(value.block);
    case 'day':
      return value.day;
    case 'event':
      return value.topic0 ?? value.event?.signature ?? '';
    case 'argument': {
      const text =
        typeof value.value === 'object'
          ? JSON.stringify(abiValueToJson(value.parameter.type, value.value))
          : String(value.value);
      // A short text may be the hash of a long one.
      const isLong = text.length > MAX_KEY_CHARS;
      return `${getValueKind(value.parameter)} ${isLong ? `hash ${hashText(text)}` : `text ${text}`}`;
    }
  }
}

/**
 * A value as JSON, in the form of decoded arguments: integers as decimal strings, an event by its signature or topic0;
 * `named` has members of enums by their names.
 *
 * @example groupValueToJson({ kind: 'block', block: 7 }) // { value: '7' }
 */
export function groupValueToJson(value: GroupValue): { readonly value: AbiJson; readonly named?: AbiJson } {
  switch (value.kind) {
    case 'address':
      return { value: value.address };
    case 'block':
      return { value: String(value.block) };
    case 'day':
      return { value: value.day };
    case 'event':
      return { value: value.event?.signature ?? value.topic0 ?? '' };
    case 'argument': {
      const { parameter, value: argument } = value;
      if (isHashed(parameter)) return { value: String(argument) };
      const { type } = parameter;
      return { value: abiValueToJson(type, argument), ...namedValueToJson(type, argument) };
    }
  }
}
