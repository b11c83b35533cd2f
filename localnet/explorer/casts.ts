import type { Hex } from 'ox';
import { HttpFailure } from './failures.ts';

/**
 * An address as Blockscout casts it (all versions to 12.0.0): hex of any case, but also an integer or
 * twenty raw characters.
 */
export function castAddress(value: unknown): Hex.Hex | undefined {
  return castBytes(value, 20);
}

export function castHash(value: unknown): Hex.Hex | undefined {
  return castBytes(value, 32);
}

function castBytes(value: unknown, size: number): Hex.Hex | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) {
    return `0x${value.toString(16).padStart(size * 2, '0')}`;
  }
  if (typeof value !== 'string') return undefined;
  const raw = Buffer.from(value);
  if (raw.length === size) return `0x${raw.toString('hex')}`;
  return /^0x[0-9a-f]*$/i.test(value) && value.length === 2 + size * 2 ? lowerHex(value) : undefined;
}

/** Bytes of any length, `0x` and an even number of hex digits. */
export function castData(value: unknown): Hex.Hex | undefined {
  return typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value) ? lowerHex(value) : undefined;
}

function lowerHex(value: string): Hex.Hex {
  return `0x${value.slice(2).toLowerCase()}`;
}

/** Hex digits without a prefix. A sign is taken too, as Elixir's `Integer.parse/2` does. */
export function parseHexDigits(text: string): number | undefined {
  return /^[+-]?[0-9a-f]+$/i.test(text) ? Number.parseInt(text, 16) : undefined;
}

export function parseDecimal(text: string): number | undefined {
  return /^[+-]?\d+$/.test(text) ? Number.parseInt(text, 10) : undefined;
}

/** The database keeps heights and log indexes in 32 bits; a larger number crashes the query. */
export function asColumnInteger(value: number): number {
  if (value > 2 ** 31 - 1 || value < -(2 ** 31)) throw new HttpFailure(500);
  return value;
}
