import type { AbiParameter, AbiType } from './abiType.ts';

const BITS = Array.from({ length: 32 }, (_, index) => 8 * (index + 1));

/** Every type that is not made of others, by the words that stand for it. */
const ELEMENTARY: ReadonlyMap<string, AbiType> = new Map<string, AbiType>([
  ...(['address', 'bool', 'string', 'bytes'] as const).map((kind): [string, AbiType] => [
    kind,
    { kind, text: kind },
  ]),
  ['function', { kind: 'fixedBytes', size: 24, text: 'function' }],
  ...BITS.map((bits): [string, AbiType] => {
    const text = `bytes${bits / 8}`;
    return [text, { kind: 'fixedBytes', size: bits / 8, text }];
  }),
  ...(['uint', 'int'] as const).flatMap((kind) => {
    const sizes = BITS.map((bits): [string, AbiType] => [
      `${kind}${bits}`,
      { kind, bits, text: `${kind}${bits}` },
    ]);
    return [...sizes, [kind, { kind, bits: 256, text: `${kind}256` }] as [string, AbiType]];
  }),
]);

const COMMON: readonly string[] = [
  'address',
  'uint256',
  'uint',
  'bool',
  'bytes32',
  'string',
  'bytes',
  'int256',
];

/**
 * The words for which {@link elementaryType} has a type, the most common first.
 *
 * @example elementaryTypeNames[0] // 'address'
 */
export const elementaryTypeNames: readonly string[] = [...new Set([...COMMON, ...ELEMENTARY.keys()])];

/**
 * The type that a single word stands for, aliases resolved; undefined where it is none of the ABI. The same object for
 * the same type: https://docs.soliditylang.org/en/latest/abi-spec.html#types
 *
 * @example elementaryType('uint')?.text // 'uint256'
 */
export function elementaryType(word: string): AbiType | undefined {
  return ELEMENTARY.get(word);
}

/**
 * `item[length]`, or `item[]` where the length is part of the value.
 *
 * @example arrayOf({ kind: 'bool', text: 'bool' }, 2).text // 'bool[2]'
 */
export function arrayOf(item: AbiType, length: number | undefined): AbiType {
  return { kind: 'array', item, length, text: `${item.text}[${length ?? ''}]` };
}

/**
 * @example tupleOf([{ name: 'ok', type: { kind: 'bool', text: 'bool' } }]).text // '(bool)'
 */
export function tupleOf(members: readonly AbiParameter[]): AbiType {
  return { kind: 'tuple', members, text: typeList(members) };
}

/**
 * Types in parentheses, as a signature has them.
 *
 * @example typeList([]) // '()'
 */
export function typeList(parameters: readonly AbiParameter[]): string {
  return `(${parameters.map(({ type }) => type.text).join(',')})`;
}
