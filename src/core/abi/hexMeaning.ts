import { createMessage, formatMessage, type Message } from '../base/text.ts';
import type { Hex } from '../eth/hex.ts';
import type { Attribution, CallSuffix } from './callSuffix.ts';
import type { Origin, Trust } from './candidates.ts';
import type { AbiError, AbiEvent, AbiFunction } from './item.ts';
import type { AbiParameter, AbiType, AbiValue } from './type.ts';
import { type AbiJson, abiValueToJson, namedValueToJson } from './value.ts';

export type HexMeaning = HashMeaning | DataMeaning | UnfitMeaning | BareMeaning;

/** The selector of a function or an error, or the topic0 of an event. */
export interface HashMeaning {
  readonly kind: 'function' | 'error' | 'event';
  readonly item: AbiFunction | AbiError | AbiEvent;
  readonly origin: Origin;
}

/** A function call, or revert data with an error: selector and arguments, which fit to the last byte or to `suffix`. */
export interface DataMeaning {
  readonly kind: 'calldata' | 'revert';
  readonly item: AbiFunction | AbiError;
  readonly origin: Origin;
  /** In the order of `item.inputs`. */
  readonly values: readonly AbiValue[];
  readonly nested: readonly NestedMeaning[];
  /** The meaning of a `Panic(uint256)` code; undefined for all else. */
  readonly note: Message | undefined;
  /** The bytes behind the arguments of a call. */
  readonly suffix: CallSuffix | undefined;
}

/** The selector matches, but the bytes after it are not an encoding of this function or error. */
export interface UnfitMeaning {
  readonly kind: 'calldata' | 'revert';
  readonly item: AbiFunction | AbiError;
  readonly origin: Origin;
  /** What is wrong with them, to follow `because`. */
  readonly reason: Message;
}

/** Unnamed values: one word, or the output of `abi.encode`. One of several guesses. */
export interface BareMeaning {
  readonly kind: 'word' | 'blob';
  readonly inputs: readonly AbiParameter[];
  readonly values: readonly AbiValue[];
  readonly nested: readonly NestedMeaning[];
}

/** The content of a `bytes` value: the calls of a multicall, the revert data that another revert carries. */
export interface NestedMeaning {
  /** Indices into the values, then into nested arrays and tuples. */
  readonly path: readonly number[];
  /** The calls or reverts that fit, the best first; never empty. */
  readonly meanings: readonly DataMeaning[];
}

/** A meaning as JSON. Absent values have no key. */
export interface MeaningJson {
  readonly kind: HexMeaning['kind'];
  readonly signature?: string;
  readonly name?: string;
  readonly args?: readonly ArgumentJson[];
  /** The calls and reverts in `bytes` arguments. */
  readonly nested?: readonly { readonly in: string; readonly meaning: MeaningJson }[];
  readonly note?: string;
  readonly suffix?: SuffixJson;
  /** Why there are no arguments: the bytes after the selector do not fit. */
  readonly reason?: string;
  readonly source?: Trust;
  readonly from?: string;
}

/** The bytes behind the arguments of a call. */
export interface SuffixJson {
  readonly data: Hex;
  readonly erc8021?: AttributionJson;
}

export interface AttributionJson {
  readonly schema: number;
  readonly codes: readonly string[];
  readonly registry?: { readonly address: Hex; readonly chainId: string };
}

interface ArgumentJson {
  readonly name: string;
  readonly type: string;
  readonly value: AbiJson;
  /** The value with members of enums by their names; present only if it has any. */
  readonly named?: AbiJson;
}

/**
 * A meaning as JSON: integers as decimal strings, bytes as hex.
 *
 * @example
 * meaningToJson({ kind: 'word', inputs: [{ name: '', type: { kind: 'bool', text: 'bool' } }], values: [true], nested: [] })
 * // { kind: 'word', args: [{ name: '', type: 'bool', value: true }] }
 */
export function meaningToJson(meaning: HexMeaning): MeaningJson {
  const { kind } = meaning;
  if (!('item' in meaning)) return { kind, ...valuesToJson(meaning.inputs, meaning) };
  const { item, origin } = meaning;
  return {
    kind,
    signature: item.signature,
    name: item.name,
    ...('values' in meaning && valuesToJson(item.inputs, meaning)),
    ...('note' in meaning && meaning.note !== undefined && { note: formatMessage(meaning.note) }),
    ...('suffix' in meaning && meaning.suffix && { suffix: suffixToJson(meaning.suffix) }),
    ...('reason' in meaning && { reason: formatMessage(meaning.reason) }),
    source: origin.trust,
    from: origin.from,
  };
}

function suffixToJson({ data, attribution }: CallSuffix): SuffixJson {
  return { data, ...(attribution && { erc8021: attributionToJson(attribution) }) };
}

/**
 * @example attributionToJson({ schema: 0, codes: ['baseapp'], registry: undefined })
 * // { schema: 0, codes: ['baseapp'] }
 */
export function attributionToJson({ schema, codes, registry }: Attribution): AttributionJson {
  return { schema, codes, ...(registry && { registry }) };
}

function valuesToJson(
  inputs: readonly AbiParameter[],
  { values, nested }: { readonly values: readonly AbiValue[]; readonly nested: readonly NestedMeaning[] },
) {
  const args = inputs.map(({ name, type }, index): ArgumentJson => {
    const value = values[index] as AbiValue;
    return { name, type: type.text, value: abiValueToJson(type, value), ...namedValueToJson(type, value) };
  });
  const nestedJson = nested.flatMap(({ path, meanings }) =>
    meanings.map((meaning) => ({ in: formatNestedPath(inputs, path), meaning: meaningToJson(meaning) })),
  );
  return { args, ...(nestedJson.length > 0 && { nested: nestedJson }) };
}

/**
 * The path to a nested value in Solidity's notation: members by name, or by index if they have none.
 *
 * @example formatNestedPath([{ name: 'data', type: { kind: 'bytes', text: 'bytes' } }], [0]) // 'data'
 */
export function formatNestedPath(inputs: readonly AbiParameter[], path: readonly number[]): string {
  const [first = 0, ...rest] = path;
  const input = inputs[first];
  let text = input?.name || `[${first}]`;
  let type: AbiType | undefined = input?.type;
  for (const index of rest) {
    const member: AbiParameter | undefined = type?.kind === 'tuple' ? type.members[index] : undefined;
    text += member?.name ? `.${member.name}` : `[${index}]`;
    type = member?.type ?? (type?.kind === 'array' ? type.item : undefined);
  }
  return text;
}

/** https://docs.soliditylang.org/en/latest/control-structures.html#panic-via-assert-and-error-via-require */
const PANIC_MEANINGS: ReadonlyMap<bigint, Message> = new Map([
  [0x00n, createMessage('a check that the compiler inserted failed')],
  [0x01n, createMessage('an assert failed')],
  [0x11n, createMessage('an integer overflowed or underflowed')],
  [0x12n, createMessage('a division or modulo by zero')],
  [0x21n, createMessage('a value that its enum does not have')],
  [0x22n, createMessage('a byte array in storage that is wrongly encoded')],
  [0x31n, createMessage('pop() on an empty array')],
  [0x32n, createMessage('an index out of the bounds of an array, a slice or bytesN')],
  [0x41n, createMessage('too much memory allocated, or an array too large')],
  [0x51n, createMessage('a call of an internal function variable that was never set')],
]);

/**
 * The meaning of a Solidity `Panic(uint256)` code.
 *
 * @example formatMessage(describePanicCode(0x11n)) // 'an integer overflowed or underflowed'
 */
export function describePanicCode(code: bigint): Message {
  return PANIC_MEANINGS.get(code) ?? createMessage('a code that Solidity does not document');
}
