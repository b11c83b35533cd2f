/** A type of the contract ABI; `text` is its canonical form: https://docs.soliditylang.org/en/latest/abi-spec.html#types */
export type AbiType =
  | { readonly kind: 'uint' | 'int'; readonly bits: number; readonly text: string }
  | { readonly kind: 'address' | 'bool' | 'string' | 'bytes'; readonly text: string }
  /** `bytes1` to `bytes32`, and `function`: an address and a selector, 24 bytes. */
  | { readonly kind: 'fixedBytes'; readonly size: number; readonly text: string }
  /** `length` is undefined for a dynamic array, whose length is part of the value. */
  | {
      readonly kind: 'array';
      readonly item: AbiType;
      readonly length: number | undefined;
      readonly text: string;
    }
  | { readonly kind: 'tuple'; readonly members: readonly AbiParameter[]; readonly text: string };

export interface AbiParameter {
  /** Empty if it has none. */
  readonly name: string;
  readonly type: AbiType;
}

export interface EventParameter extends AbiParameter {
  readonly indexed: boolean;
}

/** A decoded value. Integers are bigint; addresses, `bytes` and `bytesN` lower-case hex; arrays and tuples a list in order. */
export type AbiValue = bigint | boolean | string | readonly AbiValue[];

const BITS = Array.from({ length: 32 }, (_, index) => 8 * (index + 1));

/** Every type that is not made of others, by its names. */
const ELEMENTARY_TYPES: ReadonlyMap<string, AbiType> = new Map<string, AbiType>([
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

const COMMON_TYPE_NAMES: readonly string[] = [
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
 * The names that {@link parseElementaryType} accepts, the most common first.
 *
 * @example elementaryTypeNames[0] // 'address'
 */
export const elementaryTypeNames: readonly string[] = [
  ...new Set([...COMMON_TYPE_NAMES, ...ELEMENTARY_TYPES.keys()]),
];

/**
 * The type with this name, aliases resolved; undefined if it is not an elementary ABI type. Returns the same object for
 * the same type: https://docs.soliditylang.org/en/latest/abi-spec.html#types
 *
 * @example parseElementaryType('uint')?.text // 'uint256'
 */
export function parseElementaryType(word: string): AbiType | undefined {
  return ELEMENTARY_TYPES.get(word);
}

/**
 * `item[length]`, or `item[]` for a dynamic array.
 *
 * @example arrayType({ kind: 'bool', text: 'bool' }, 2).text // 'bool[2]'
 */
export function arrayType(item: AbiType, length: number | undefined): AbiType {
  return { kind: 'array', item, length, text: `${item.text}[${length ?? ''}]` };
}

/**
 * @example tupleType([{ name: 'ok', type: { kind: 'bool', text: 'bool' } }]).text // '(bool)'
 */
export function tupleType(members: readonly AbiParameter[]): AbiType {
  return { kind: 'tuple', members, text: formatTypeList(members) };
}

/**
 * Types in parentheses, as in a signature.
 *
 * @example formatTypeList([]) // '()'
 */
export function formatTypeList(parameters: readonly AbiParameter[]): string {
  return `(${parameters.map(({ type }) => type.text).join(',')})`;
}

/**
 * Whether a log has only the hash of this parameter, as a topic: it is indexed and longer than one word.
 *
 * @example isHashed({ name: 'note', type: { kind: 'string', text: 'string' }, indexed: true }) // true
 */
export function isHashed({ indexed, type: { kind } }: EventParameter): boolean {
  return indexed && (kind === 'string' || kind === 'bytes' || kind === 'array' || kind === 'tuple');
}
