import type { Hex } from './hex.ts';

const BYTE_DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const DIGIT_VALUES = new Uint8Array(128).map((_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? 0 : value;
});

/**
 * Writes the bytes of lower-case `0x` hex into `target` at `offset`.
 *
 * @returns the number of bytes.
 * @example writeHex('0x0102', new Uint8Array(4), 1) // 2
 */
export function writeHex(hex: Hex, target: Uint8Array, offset: number): number {
  const length = (hex.length - 2) >> 1;
  for (let index = 0, at = 2; index < length; index++, at += 2) {
    target[offset + index] =
      ((DIGIT_VALUES[hex.charCodeAt(at)] ?? 0) << 4) | (DIGIT_VALUES[hex.charCodeAt(at + 1)] ?? 0);
  }
  return length;
}

export interface ByteRange {
  readonly bytes: Uint8Array;
  readonly offset: number;
  readonly length: number;
}

/**
 * Compares bytes from the left. If all common bytes are equal, the shorter range comes first.
 *
 * @example
 * const bytes = Uint8Array.of(1, 2, 1, 3);
 * compareBytes({ bytes, offset: 0, length: 2 }, { bytes, offset: 2, length: 2 }); // -1
 */
export function compareBytes(a: ByteRange, b: ByteRange): number {
  const common = Math.min(a.length, b.length);
  for (let index = 0; index < common; index++) {
    const difference = (a.bytes[a.offset + index] ?? 0) - (b.bytes[b.offset + index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/**
 * The `length` bytes at `offset` as lower-case `0x` hex.
 *
 * @example readHex(Uint8Array.of(1, 2, 3), 1, 2) // '0x0203'
 */
export function readHex(bytes: Uint8Array, offset: number, length: number): Hex {
  let digits = '';
  for (let index = offset; index < offset + length; index++) digits += BYTE_DIGITS[bytes[index] ?? 0];
  return `0x${digits}`;
}

/**
 * Joins chunks of bytes. A single chunk is returned as it is, not copied.
 *
 * @example
 * concatBytes([Uint8Array.of(1), Uint8Array.of(2, 3)]); // Uint8Array [1, 2, 3]
 */
export function concatBytes(chunks: readonly Uint8Array[]): Uint8Array {
  if (chunks.length === 1 && chunks[0]) return chunks[0];
  const whole = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.byteLength, 0));
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}
