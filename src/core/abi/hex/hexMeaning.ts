import type { AbiError, AbiEvent, AbiFunction } from '../abiItem.ts';
import type { AbiParameter, AbiValue } from '../abiType.ts';
import type { Origin } from '../candidates.ts';

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
