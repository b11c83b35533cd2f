import type { AbiValue } from '../abiType.ts';

export type FaultCode =
  | 'notHex'
  | 'topic0'
  | 'topicCount'
  | 'short'
  | 'rest'
  | 'padding'
  | 'bool'
  | 'range'
  | 'offset'
  | 'length'
  | 'utf8'
  | 'emptyType';

/** Why something is not the encoding of what its types say. */
export interface DecodeFault {
  readonly fault: FaultCode;
  /** What is wrong, to stand behind `because`. */
  readonly detail: string;
}

/**
 * Whether decoding failed.
 *
 * @example isDecodeFault([1n]) // false
 */
export function isDecodeFault(result: readonly AbiValue[] | DecodeFault): result is DecodeFault {
  return !Array.isArray(result);
}
