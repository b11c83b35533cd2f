/**
 * A type of the contract ABI; `text` is its canonical form: https://docs.soliditylang.org/en/latest/abi-spec.html#types.
 * `writtenAs` is the name that the source has for it, such as `Vault.Limits` of a struct.
 */
export type AbiType =
  | {
      readonly kind: 'uint' | 'int';
      readonly bits: number;
      /** Of a fixed-point type (`fixed128x18`): its value is the integer divided by 10 to this power. */
      readonly decimals?: number;
      /** The enum whose members the values are, where the project declares it. */
      readonly enumeration?: EnumType;
      /** What the values count, where the project says it. */
      readonly unit?: AmountUnit;
      readonly named?: NamedTypeKind;
      readonly writtenAs?: string;
      readonly text: string;
    }
  | {
      readonly kind: 'address' | 'bool' | 'string' | 'bytes';
      readonly named?: NamedTypeKind;
      readonly writtenAs?: string;
      readonly text: string;
    }
  /** `bytes1` to `bytes32`, and `function`: an address and a selector, 24 bytes. */
  | {
      readonly kind: 'fixedBytes';
      readonly size: number;
      readonly named?: NamedTypeKind;
      readonly writtenAs?: string;
      readonly text: string;
    }
  /** `length` is undefined for a dynamic array, whose length is part of the value. */
  | {
      readonly kind: 'array';
      readonly item: AbiType;
      readonly length: number | undefined;
      readonly text: string;
    }
  | {
      readonly kind: 'tuple';
      readonly members: readonly AbiParameter[];
      /** Set for a struct in a function of a library, whose `text` is its name. */
      readonly named?: 'struct';
      readonly writtenAs?: string;
      readonly text: string;
    };

/**
 * What an integer counts: the smallest unit of a token, by its address, or by its name or symbol on the chain; or fixed
 * decimals, with a symbol if there is one.
 */
export type AmountUnit =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'fixed'; readonly symbol: string | undefined; readonly decimals: number };

/** An enum of Solidity or Vyper. */
export interface EnumType {
  /** As the compiler writes it: `Payroll.Role`, or `Role` outside of contracts. */
  readonly name: string;
  /** In the order of their values. */
  readonly members: readonly string[];
  /** Set for a flag of Vyper, and an enum of it before 0.4.0: each member is a bit. */
  readonly isFlag?: true;
}

/**
 * What a name stands for in a function of a library, whose selector has the names of types as written: an enum, a
 * contract, a storage reference (a slot), or an unknown type that takes a word.
 * https://docs.soliditylang.org/en/latest/contracts.html#function-signatures-and-selectors-in-libraries
 */
export type NamedTypeKind = 'enum' | 'contract' | 'storage' | 'type';

/**
 * A type of a function of a library by its name.
 *
 * @example namedType('enum', 'Lib.Kind').text // 'Lib.Kind'
 */
export function namedType(named: NamedTypeKind, name: string): AbiType {
  switch (named) {
    case 'enum':
      return { kind: 'uint', bits: 8, named, text: name };
    case 'contract':
      return { kind: 'address', named, text: name };
    case 'storage':
      return { kind: 'uint', bits: 256, named, text: `${name} storage` };
    case 'type':
      return { kind: 'fixedBytes', size: 32, named, text: name };
  }
}

/**
 * A type as a contract's own source writes it, without the contract that declares it: `Tier`, `Limits[]`; canonical if
 * the source has no name for it.
 *
 * @example formatWrittenType({ kind: 'uint', bits: 256, text: 'uint256' }) // 'uint256'
 */
export function formatWrittenType(type: AbiType): string {
  if (type.kind === 'array') return `${formatWrittenType(type.item)}[${type.length ?? ''}]`;
  const enumeration = type.kind === 'uint' ? type.enumeration?.name : undefined;
  const name = enumeration ?? type.writtenAs ?? type.text;
  return name.startsWith('(') ? name : name.slice(name.lastIndexOf('.') + 1);
}

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
  return ELEMENTARY_TYPES.get(word) ?? parseFixedPointType(word);
}

const fixedPointTypes = new Map<string, AbiType>();
const MAX_DECIMALS = 80;

/** `fixed168x10`, `ufixed` for `ufixed128x18`. Vyper before 0.4.0 calls its decimals so. */
function parseFixedPointType(word: string): AbiType | undefined {
  const [, unsigned, size] = /^(u?)fixed([1-9]\d{0,2}x[1-9]\d?)?$/.exec(word) ?? [];
  if (unsigned === undefined) return undefined;
  const [bits = 128, decimals = 18] = size?.split('x').map(Number) ?? [];
  if (bits % 8 !== 0 || bits > 256 || decimals > MAX_DECIMALS) return undefined;
  const text = `${unsigned}fixed${bits}x${decimals}`;
  const known = fixedPointTypes.get(text);
  if (known) return known;
  const type: AbiType = { kind: unsigned ? 'uint' : 'int', bits, decimals, text };
  fixedPointTypes.set(text, type);
  return type;
}

/**
 * Whether a type is or contains a fixed-point type, which most tools do not know.
 *
 * @example hasFixedPoint({ kind: 'bool', text: 'bool' }) // false
 */
export function hasFixedPoint(type: AbiType): boolean {
  if (type.kind === 'array') return hasFixedPoint(type.item);
  if (type.kind === 'tuple') return type.members.some((member) => hasFixedPoint(member.type));
  return (type.kind === 'uint' || type.kind === 'int') && type.decimals !== undefined;
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
 * A struct of a function of a library: the selector has its name. No compiler accepts one without members.
 *
 * @example structType('Lib.Note', [{ name: 'n', type: { kind: 'bool', text: 'bool' } }]).text // 'Lib.Note'
 */
export function structType(name: string, members: readonly AbiParameter[]): AbiType {
  return { kind: 'tuple', members, named: 'struct', text: name };
}

/**
 * Whether a log has only the hash of this parameter, as a topic: it is indexed and longer than one word.
 *
 * @example isHashed({ name: 'note', type: { kind: 'string', text: 'string' }, indexed: true }) // true
 */
export function isHashed({ indexed, type: { kind } }: EventParameter): boolean {
  return indexed && (kind === 'string' || kind === 'bytes' || kind === 'array' || kind === 'tuple');
}
