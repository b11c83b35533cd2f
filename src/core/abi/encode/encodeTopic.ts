import { keccak256 } from 'ox/Hash';
import type { Hex } from '../../values/hex.ts';
import { writeHex } from '../../values/hexBytes.ts';
import type { AbiType, AbiValue } from '../abiType.ts';
import { encodeWord, listOf, padded, rawDigits } from './encodeParameters.ts';

/**
 * The topic that an indexed parameter with this value has: the value where it is one word, else a hash of it.
 * https://docs.soliditylang.org/en/latest/abi-spec.html#encoding-of-indexed-event-parameters
 *
 * @throws AppError `badInput` for `values` where the value is none of the type.
 * @example encodeTopic({ kind: 'bool', text: 'bool' }, true) // toAbiWord(1n)
 */
export function encodeTopic(type: AbiType, value: AbiValue): Hex {
  switch (type.kind) {
    case 'string':
    case 'bytes':
      return hashOf(rawDigits(type, value));
    case 'array':
    case 'tuple':
      return hashOf(inPlace(type, value));
    default:
      return `0x${encodeWord(type, value)}`;
  }
}

/** Without offsets and lengths, each value up to a whole word. */
function inPlace(type: AbiType, value: AbiValue): string {
  switch (type.kind) {
    case 'string':
    case 'bytes':
      return padded(rawDigits(type, value));
    case 'array':
      return listOf(type, value)
        .map((item) => inPlace(type.item, item))
        .join('');
    case 'tuple': {
      const values = listOf(type, value);
      return type.members.map((member, index) => inPlace(member.type, values[index] as AbiValue)).join('');
    }
    default:
      return encodeWord(type, value);
  }
}

function hashOf(digits: string): Hex {
  const bytes = new Uint8Array(digits.length / 2);
  writeHex(`0x${digits}`, bytes, 0);
  return keccak256(bytes, { as: 'Hex' });
}
