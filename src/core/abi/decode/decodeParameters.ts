import { type Hex, parseHexData } from '../../values/hex.ts';
import type { AbiParameter, AbiValue } from '../abiType.ts';
import type { DecodeFault } from './decodeFault.ts';
import { compileParameters, NOT_HEX } from './readAll.ts';

/**
 * Decodes ABI-encoded values, strictly: only what encoded again gives the same bytes, as compilers write it
 * (https://docs.soliditylang.org/en/latest/abi-spec.html#strict-encoding-mode). Anything else is a fault with its
 * reason; nothing is thrown, and the time follows from the length of the data, whatever it says.
 *
 * @example
 * decodeParameters([{ name: 'paid', type: { kind: 'bool', text: 'bool' } }], toAbiWord(1n)) // [true]
 */
export function decodeParameters(
  parameters: readonly AbiParameter[],
  data: Hex,
): readonly AbiValue[] | DecodeFault {
  const text = parseHexData(data);
  return text === undefined ? NOT_HEX : compileParameters(parameters)(text);
}
