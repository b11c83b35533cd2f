import type { Origin, Trust } from './candidates.ts';
import type { AbiError, AbiEvent, AbiFunction } from './item.ts';
import type { AbiParameter, AbiType, AbiValue } from './type.ts';
import { type AbiJson, abiValueToJson } from './value.ts';

/** What some hex may stand for. */
export type HexMeaning = HashMeaning | DataMeaning | UnfitMeaning | BareMeaning;

/** The selector of a function or an error, or the topic0 of an event. */
export interface HashMeaning {
  readonly kind: 'function' | 'error' | 'event';
  readonly item: AbiFunction | AbiError | AbiEvent;
  readonly origin: Origin;
}

/** A call of a function, or the data of a revert with an error: selector and arguments, which fit to the last byte. */
export interface DataMeaning {
  readonly kind: 'calldata' | 'revert';
  readonly item: AbiFunction | AbiError;
  readonly origin: Origin;
  /** In the order of the inputs of `item`. */
  readonly values: readonly AbiValue[];
  readonly nested: readonly NestedMeaning[];
  /** What a `Panic(uint256)` says, in words; undefined for all else. */
  readonly note: string | undefined;
}

/** The selector is known, but the bytes behind it are not what this function or error encodes. */
export interface UnfitMeaning {
  readonly kind: 'calldata' | 'revert';
  readonly item: AbiFunction | AbiError;
  readonly origin: Origin;
  /** What is wrong with them, to stand behind `because`. */
  readonly reason: string;
}

/** Values without a name: one word, or what `abi.encode` made. One of several readings, none of them sure. */
export interface BareMeaning {
  readonly kind: 'word' | 'blob';
  readonly inputs: readonly AbiParameter[];
  readonly values: readonly AbiValue[];
  readonly nested: readonly NestedMeaning[];
}

/** What a `bytes` among the values holds: the calls of a multicall, the revert that another one carries. */
export interface NestedMeaning {
  /** Where it stands: indices from the values on, down through arrays and tuples. */
  readonly path: readonly number[];
  /** The calls or reverts that fit, the best first; not empty. */
  readonly meanings: readonly DataMeaning[];
}

/** A meaning as JSON. What it does not have is not there. */
export interface MeaningJson {
  readonly kind: HexMeaning['kind'];
  readonly signature?: string;
  readonly name?: string;
  readonly args?: readonly ArgumentJson[];
  /** The calls and reverts in `bytes` among the arguments. */
  readonly nested?: readonly { readonly in: string; readonly meaning: MeaningJson }[];
  /** What a panic says. */
  readonly note?: string;
  /** Why the arguments are not there: the bytes behind the selector are not theirs. */
  readonly reason?: string;
  readonly source?: Trust;
  readonly from?: string;
}

interface ArgumentJson {
  readonly name: string;
  readonly type: string;
  readonly value: AbiJson;
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
    ...{ kind, signature: item.signature, name: item.name },
    ...('values' in meaning && valuesToJson(item.inputs, meaning)),
    ...('note' in meaning && meaning.note !== undefined && { note: meaning.note }),
    ...('reason' in meaning && { reason: meaning.reason }),
    ...originToJson(origin),
  };
}

function valuesToJson(
  inputs: readonly AbiParameter[],
  { values, nested }: { readonly values: readonly AbiValue[]; readonly nested: readonly NestedMeaning[] },
) {
  const args = inputs.map(({ name, type }, index): ArgumentJson => {
    return { name, type: type.text, value: abiValueToJson(type, values[index] as AbiValue) };
  });
  const inside = nested.flatMap(({ path, meanings }) =>
    meanings.map((meaning) => ({ in: formatNestedPath(inputs, path), meaning: meaningToJson(meaning) })),
  );
  return { args, ...(inside.length > 0 && { nested: inside }) };
}

function originToJson({ trust, from }: Origin) {
  return { source: trust, from };
}

/**
 * Where something stands among values, as Solidity would write it: members by their names, or by their place where they
 * have none.
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
const meanings: ReadonlyMap<bigint, string> = new Map([
  [0x00n, 'a check that the compiler inserted failed'],
  [0x01n, 'an assert failed'],
  [0x11n, 'an integer overflowed or underflowed'],
  [0x12n, 'a division or modulo by zero'],
  [0x21n, 'a value that its enum does not have'],
  [0x22n, 'a byte array in storage that is wrongly encoded'],
  [0x31n, 'pop() on an empty array'],
  [0x32n, 'an index out of the bounds of an array, a slice or bytesN'],
  [0x41n, 'too much memory allocated, or an array too large'],
  [0x51n, 'a call of an internal function variable that was never set'],
]);

/**
 * What the code of a Solidity `Panic(uint256)` says.
 *
 * @example formatPanicCode(0x11n) // 'an integer overflowed or underflowed'
 */
export function formatPanicCode(code: bigint): string {
  return meanings.get(code) ?? 'a code that Solidity does not document';
}
