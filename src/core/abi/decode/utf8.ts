import type { Hex } from '../../values/hex.ts';
import { writeHex } from '../../values/hexBytes.ts';

/** Strict, and leaves a byte order mark where it is. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text whose UTF-8 the hex digits between two places are; undefined where they are none. */
export function readUtf8(text: string, { from, end }: { readonly from: number; readonly end: number }) {
  const bytes = new Uint8Array((end - from) / 2);
  writeHex(`0x${text.slice(from, end)}` as Hex, bytes, 0);
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
