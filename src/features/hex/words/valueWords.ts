import {
  type AbiType,
  type AbiValue,
  type Address,
  formatAbiValue,
  toChecksumAddress,
} from '../../../core/index.ts';
import type { Wording } from './wording.ts';

/** Integers that are shorter are read without groups; those that are longer are hashes rather than amounts. */
const LEAST_GROUPED = 10_000n;
const MOST_GROUPED = 10n ** 40n;

/** A value on one line, as a person reads it: integers in groups, addresses with their names, texts in quotes. */
export function readableValue(
  { type, value }: { readonly type: AbiType; readonly value: AbiValue },
  { nameOf }: Pick<Wording, 'nameOf'>,
  most: number,
): string {
  const address = (known: Address) => addressWords(known, nameOf);
  const text = formatAbiValue(type, value, { address, most });
  return type.kind === 'string' ? `"${text}"` : text;
}

/** As {@link readableValue}, but an integer first as it is, so that it can be searched and copied. */
export function exactValue(
  typed: { readonly type: AbiType; readonly value: AbiValue },
  wording: Pick<Wording, 'nameOf'>,
  most: number,
): string {
  const { value } = typed;
  const readable = readableValue(typed, wording, most);
  if (typeof value !== 'bigint') return readable;
  const size = value < 0n ? -value : value;
  const isGrouped = size >= LEAST_GROUPED && size <= MOST_GROUPED;
  return isGrouped ? `${value} (${readable})` : String(value);
}

function addressWords(address: Address, nameOf: Wording['nameOf']): string {
  const name = nameOf(address);
  const checksummed = toChecksumAddress(address);
  return name === undefined ? checksummed : `${name} (${checksummed})`;
}
