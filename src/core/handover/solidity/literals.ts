import type { AbiType, AbiValue } from '../../abi/abiType.ts';
import type { Address } from '../../values/address.ts';
import { toChecksumAddress } from '../../values/checksum.ts';

/**
 * A value of a type that is not made of others, as Solidity writes it; undefined for what it has no literal for.
 *
 * @example literalOf({ kind: 'string', text: 'string' }, 'a"b') // '"a\\x22b"'
 */
export function literalOf(type: AbiType, value: AbiValue): string | undefined {
  switch (type.kind) {
    case 'uint':
    case 'int':
    case 'bool':
      return String(value);
    case 'address':
      return toChecksumAddress(value as Address);
    case 'string':
      return stringLiteral(String(value));
    case 'bytes':
      return hexLiteral(String(value));
    case 'fixedBytes':
      return type.text === 'function' ? undefined : `${type.text}(${hexLiteral(String(value))})`;
    default:
      return undefined;
  }
}

/** Of ASCII alone: the compiler refuses text that runs from right to left, and takes bytes for any character. */
function stringLiteral(text: string): string {
  let literal = '';
  for (const byte of new TextEncoder().encode(text)) {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
    literal += isPlain ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return `"${literal}"`;
}

function hexLiteral(hex: string): string {
  return `hex"${hex.slice(2)}"`;
}
