/** Bytes that show the encoding of a file without a mark. */
const MAX_EXAMINED_BYTES = 1_024;

/**
 * The text of a file, without its byte order mark: UTF-8, or UTF-16 as editors and shells of Windows write it, with a mark
 * or where every other byte is zero. It has a NUL only if the file is not text, or UTF-32.
 *
 * @example decodeFileText(Uint8Array.of(0xff, 0xfe, 0x41, 0)) // 'A'
 */
export function decodeFileText(bytes: Uint8Array): string {
  return new TextDecoder(findEncoding(bytes)).decode(bytes);
}

function findEncoding(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const examined = bytes.subarray(0, MAX_EXAMINED_BYTES);
  const isZeroAt = (parity: number) => (byte: number, index: number) => byte === 0 && index % 2 === parity;
  const [even, odd] = [examined.filter(isZeroAt(0)).length, examined.filter(isZeroAt(1)).length];
  // Names and keywords are ASCII; comments may not be.
  const many = examined.length / 4;
  if (odd > many && even < odd / 16) return 'utf-16le';
  return even > many && odd < even / 16 ? 'utf-16be' : 'utf-8';
}
