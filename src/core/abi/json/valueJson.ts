import type { AbiParameter, AbiType, AbiValue } from '../abiType.ts';

export type AbiJson = string | boolean | readonly AbiJson[] | { readonly [name: string]: AbiJson };

/**
 * A value as JSON: integers as decimal strings, addresses and bytes as hex; a tuple as an object where all its members
 * have names, each another, and as a list otherwise.
 *
 * @example
 * abiValueToJson({ kind: 'uint', bits: 256, text: 'uint256' }, 2n ** 64n) // '18446744073709551616'
 */
export function abiValueToJson(type: AbiType, value: AbiValue): AbiJson {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object') return value;
  if (type.kind === 'array') return value.map((item) => abiValueToJson(type.item, item));
  const members = type.kind === 'tuple' ? type.members : [];
  const values = members.map((member, index) => abiValueToJson(member.type, value[index] as AbiValue));
  if (!areKeys(members)) return values;
  return Object.fromEntries(members.map(({ name }, index) => [name, values[index] as AbiJson]));
}

/** `__proto__` is no key that every reader of JSON takes for a plain one. */
function areKeys(members: readonly AbiParameter[]): boolean {
  const names = new Set(members.map(({ name }) => name));
  return names.size === members.length && !names.has('') && !names.has('__proto__');
}
