/** A type of the contract ABI; `text` is its canonical form: https://docs.soliditylang.org/en/latest/abi-spec.html#types */
export type AbiType =
  | { readonly kind: 'uint' | 'int'; readonly bits: number; readonly text: string }
  | { readonly kind: 'address' | 'bool' | 'string' | 'bytes'; readonly text: string }
  /** `bytes1` to `bytes32`, and `function`, which is an address and a selector: 24 bytes. */
  | { readonly kind: 'fixedBytes'; readonly size: number; readonly text: string }
  /** `length` is undefined where it is part of the value. */
  | {
      readonly kind: 'array';
      readonly item: AbiType;
      readonly length: number | undefined;
      readonly text: string;
    }
  | { readonly kind: 'tuple'; readonly members: readonly AbiParameter[]; readonly text: string };

export interface AbiParameter {
  /** Empty where it has none. */
  readonly name: string;
  readonly type: AbiType;
}

export interface EventParameter extends AbiParameter {
  readonly indexed: boolean;
}

/**
 * A decoded value. Integers are bigint; addresses, `bytes` and `bytesN` lower-case hex; arrays and tuples a list in
 * order. What it is stands in its type.
 */
export type AbiValue = bigint | boolean | string | readonly AbiValue[];

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
 * The words for which {@link parseElementaryType} has a type, the most common first.
 *
 * @example elementaryTypeNames[0] // 'address'
 */
export const elementaryTypeNames: readonly string[] = [...new Set([...COMMON, ...ELEMENTARY.keys()])];

/**
 * The type that a single word stands for, aliases resolved; undefined where it is none of the ABI. The same object for
 * the same type: https://docs.soliditylang.org/en/latest/abi-spec.html#types
 *
 * @example parseElementaryType('uint')?.text // 'uint256'
 */
export function parseElementaryType(word: string): AbiType | undefined {
  return ELEMENTARY.get(word);
}

/**
 * `item[length]`, or `item[]` where the length is part of the value.
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
 * Types in parentheses, as a signature has them.
 *
 * @example formatTypeList([]) // '()'
 */
export function formatTypeList(parameters: readonly AbiParameter[]): string {
  return `(${parameters.map(({ type }) => type.text).join(',')})`;
}

/**
 * Whether a log has only the hash of this parameter, as a topic: it is indexed and not of one word.
 *
 * @example isHashed({ name: 'note', type: { kind: 'string', text: 'string' }, indexed: true }) // true
 */
export function isHashed({ indexed, type: { kind } }: EventParameter): boolean {
  return indexed && (kind === 'string' || kind === 'bytes' || kind === 'array' || kind === 'tuple');
}
