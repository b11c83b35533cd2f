import type { AbiType, AbiValue } from '../abi/type.ts';
import { formatAbiValue } from '../abi/value.ts';
import { sanitizeText } from '../base/text.ts';
import { type Address, formatShortAddress } from '../eth/hex.ts';
import { toChecksumAddress } from '../eth/keccak.ts';
import type { ReadResult } from './readContract.ts';

export interface ReadFormat {
  /** Undefined without names. */
  readonly nameOf?: ((address: Address) => string | undefined) | undefined;
  /** Characters; a longer value is cut. */
  readonly most?: number | undefined;
}

/**
 * A value of a read for people, on one line: an address with its name, members of enums by name.
 *
 * @example formatReadValue({ kind: 'uint', bits: 256, text: 'uint256' }, 1250n) // '1,250'
 */
export function formatReadValue(
  type: AbiType,
  value: AbiValue,
  { nameOf, most = MAX_VALUE_CHARS }: ReadFormat = {},
): string {
  return formatAbiValue(type, value, {
    most,
    address: (address) => {
      const name = nameOf?.(address);
      const text = toChecksumAddress(address);
      return name === undefined ? text : `${sanitizeText(name, 80)} (${formatShortAddress(text)})`;
    },
  });
}

const MAX_VALUE_CHARS = 2000;

/** What a function returned, each value with its name and type, as `formatReadValue` writes it. */
export function listReadValues(
  { outputs, values }: Pick<ReadResult, 'outputs' | 'values'>,
  format: ReadFormat = {},
): readonly ReadValue[] {
  return outputs.map(({ name, type }, index) => ({
    name,
    type: type.text,
    text: formatReadValue(type, values[index] as AbiValue, format),
  }));
}

/**
 * Values on one line, of at most `most` characters.
 *
 * @example formatReadValues([{ name: 'total', type: 'uint256', text: '12' }], 300) // 'total: 12'
 */
export function formatReadValues(values: readonly ReadValue[], most: number): string {
  const line = values.map(({ name, text }) => (name === '' ? text : `${name}: ${text}`)).join(', ');
  return line.length > most ? `${line.slice(0, most)}…` : line;
}

export interface ReadValue {
  /** Empty if it has none. */
  readonly name: string;
  readonly type: string;
  readonly text: string;
}
