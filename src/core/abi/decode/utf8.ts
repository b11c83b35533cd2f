import type { Hex } from '../../values/hex.ts';
import { writeHex } from '../../values/hexBytes.ts';

/** Strict, and leaves a byte order mark where it is. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text whose UTF-8 these bytes are; undefined where they are none. */
export function readUtf8(hex: Hex): string | undefined {
  const bytes = new Uint8Array((hex.length - 2) / 2);
  writeHex(hex, bytes, 0);
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
