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
