import { keccak256 } from 'ox/Hash';
import type { Hex } from '../../values/hex.ts';

const utf8 = new TextEncoder();

/** Keccak-256 of a signature: the topic0 of an event; its first four bytes are the selector of an error or a function. */
export function signatureHash(signature: string): Hex {
  return keccak256(utf8.encode(signature), { as: 'Hex' });
}

/** The first four bytes of the hash of a signature. */
export function selectorOf(signature: string): Hex {
  return signatureHash(signature).slice(0, 10) as Hex;
}
