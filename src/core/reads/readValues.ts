import type { AbiType, AbiValue } from '../abi/type.ts';
import { formatAbiValue } from '../abi/value.ts';
import { sanitizeText } from '../base/text.ts';
import { type Address, formatShortAddress } from '../eth/hex.ts';
import { toChecksumAddress } from '../eth/keccak.ts';
import { formatIsoTime } from '../eth/time.ts';
import { noTokens } from '../tokens/amounts.ts';
import type { ReadResult } from './readContract.ts';

export interface ReadFormat {
  /** Undefined without names. */
  readonly nameOf?: ((address: Address) => string | undefined) | undefined;
  /** Characters; a longer value is cut. */
  readonly most?: number | undefined;
  /** The name of the value, or of the function if its result has no name: it shows whether an integer is a time. */
  readonly name?: string | undefined;
}

/** Last words of the names of times: `since`, `deadline`, `updatedAt`, `unlock_time`, `startTimestamp`. */
const TIME_NAMES = new Set(
  'time timestamp since until deadline expiry expires expired expiration date eta start end'.split(' '),
);
/** From 2001 to 2100, in seconds since the Unix epoch: amounts and durations are hardly ever in between. */
const MIN_TIME = 1_000_000_000n;
const MAX_TIME = 4_102_444_800n;

/**
 * An integer whose name and size are those of a time, in ISO 8601 with the integer; undefined for any other.
 *
 * @example formatTimeValue('since', 1_795_945_945n) // '2026-11-29T09:52:25Z (1795945945)'
 */
export function formatTimeValue(name: string, value: bigint): string | undefined {
  if (value < MIN_TIME || value >= MAX_TIME) return undefined;
  const parts = name.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  const last = parts.at(-1)?.toLowerCase() ?? '';
  if (!TIME_NAMES.has(last) && (last !== 'at' || parts.length < 2)) return undefined;
  return `${formatIsoTime(Number(value) * 1000)} (${value})`;
}

/**
 * A value of a read for people, on one line: an address with its name, members of enums by name.
 *
 * @example formatReadValue({ kind: 'uint', bits: 256, text: 'uint256' }, 1250n) // '1,250'
 */
export function formatReadValue(
  type: AbiType,
  value: AbiValue,
  { nameOf, most = MAX_VALUE_CHARS, name: ownName }: ReadFormat = {},
): string {
  return formatAbiValue(type, value, {
    most,
    // The types of a result have symbols and decimals in place of tokens.
    unitsOf: noTokens,
    ...(ownName !== undefined && {
      integer: (name: string, integer: bigint) => formatTimeValue(name || ownName, integer),
    }),
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
