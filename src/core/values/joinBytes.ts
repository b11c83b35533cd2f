/**
 * The bytes of `chunks` one after the other; of a single one, that itself.
 *
 * @example
 * joinBytes([Uint8Array.of(1, 2), Uint8Array.of(3)]); // Uint8Array [1, 2, 3]
 */
export function joinBytes(chunks: readonly Uint8Array[]): Uint8Array {
  if (chunks.length === 1 && chunks[0]) return chunks[0];
  const whole = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.byteLength, 0));
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}
