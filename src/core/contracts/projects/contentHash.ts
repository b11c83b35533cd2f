const FIRST_PRIME = 0x85eb_ca77;
const SECOND_PRIME = 0xc2b2_ae3d;

/**
 * A hash of 53 bits that tells contents of one file apart, not one that an attacker cannot meet: who can write the file
 * gains nothing by it. Four bytes at a step, about 2 GB a second.
 */
export function contentHash(bytes: Uint8Array): number {
  let high = 0xdead_beef ^ bytes.length;
  let low = 0x41c6_ce57 ^ bytes.length;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const words = bytes.length & ~3;
  for (let at = 0; at < words; at += 4) {
    const word = view.getInt32(at, true);
    high = Math.imul(high ^ word, FIRST_PRIME);
    low = Math.imul(low ^ word, SECOND_PRIME);
    high = (high << 13) | (high >>> 19);
    low = (low << 17) | (low >>> 15);
  }
  for (let at = words; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    high = Math.imul(high ^ byte, FIRST_PRIME);
    low = Math.imul(low ^ byte, SECOND_PRIME);
  }
  high = Math.imul(high ^ (high >>> 16), FIRST_PRIME) ^ Math.imul(low ^ (low >>> 13), SECOND_PRIME);
  low = Math.imul(low ^ (low >>> 16), SECOND_PRIME) ^ Math.imul(high ^ (high >>> 13), FIRST_PRIME);
  return 0x1_0000_0000 * (high & 0x1f_ffff) + (low >>> 0);
}
