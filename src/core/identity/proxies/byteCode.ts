import type { Hex } from '../../values/hex.ts';

const DELEGATECALL = 0xf4;
const CALLCODE = 0xf2;
const PUSH1 = 0x60;
const PUSH32 = 0x7f;
/** Ten times what Ethereum allows; chains that allow more have few such contracts. More is not walked through. */
const LONGEST_WALK = 2 + 2 * 256 * 1024;

/**
 * Whether runtime code has an instruction that runs the code of others: without one a contract is no proxy, whatever
 * its functions are called. What stands behind a PUSH is data, and so is what the compiler adds at the end.
 *
 * @param code runtime code in lower case.
 * @example runsOtherCode('0x60f4600055') // false
 */
export function runsOtherCode(code: Hex): boolean {
  // Of another instruction set (EOF), in which the old one is not told; or too much to be walked through.
  if (code.startsWith('0xef00') || code.length > LONGEST_WALK) return true;
  const end = code.length - metadataDigits(code);
  for (let at = 2; at < end; at += 2) {
    const operation = Number.parseInt(code.slice(at, at + 2), 16);
    if (operation === DELEGATECALL || operation === CALLCODE) return true;
    if (operation >= PUSH1 && operation <= PUSH32) at += 2 * (operation - PUSH1 + 1);
  }
  return false;
}

/** The CBOR that Solidity and Vyper add ends with its length in two bytes, and begins with a map or a list. */
function metadataDigits(code: Hex): number {
  if (code.length < 2 + 4) return 0;
  const digits = 2 * Number.parseInt(code.slice(-4), 16) + 4;
  const start = code.length - digits;
  if (start < 2) return 0;
  return /^(?:a[1-4]|8[1-4])/.test(code.slice(start, start + 2)) ? digits : 0;
}
