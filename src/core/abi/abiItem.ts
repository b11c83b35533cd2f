import type { Hex } from '../values/hex.ts';
import type { AbiParameter, EventParameter } from './abiType.ts';

/** An event of a contract's ABI. */
export interface AbiEvent {
  readonly kind: 'event';
  readonly name: string;
  readonly inputs: readonly EventParameter[];
  readonly anonymous: boolean;
  /** Canonical form, `Transfer(address,address,uint256)`. */
  readonly signature: string;
  /** Keccak-256 of the signature: topic 0 of its logs, but of an anonymous event. */
  readonly topic0: Hex;
}

/** A custom error. */
export interface AbiError {
  readonly kind: 'error';
  readonly name: string;
  readonly inputs: readonly AbiParameter[];
  readonly signature: string;
  /** The first four bytes of the Keccak-256 of the signature. */
  readonly selector: Hex;
}

export interface AbiFunction {
  readonly kind: 'function';
  readonly name: string;
  readonly inputs: readonly AbiParameter[];
  readonly outputs: readonly AbiParameter[];
  readonly signature: string;
  readonly selector: Hex;
}

export type AbiItem = AbiEvent | AbiError | AbiFunction;

/**
 * An item as one line of text, from which it can be read again: `event Transfer(address indexed from, address indexed
 * to, uint256 value)`, canonical types, tuples as `(address token, uint256 amount) order`. The form in which an ABI is
 * kept: equal items of many contracts are one string.
 */
export type AbiItemText = string;
