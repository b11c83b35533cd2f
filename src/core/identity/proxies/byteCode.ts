import type { Address } from '../../values/address.ts';
import type { Hex } from '../../values/hex.ts';

const CALLDATACOPY = 0x37;
const GAS = 0x5a;
const DELEGATECALL = 0xf4;
const CALLCODE = 0xf2;
const PUSH1 = 0x60;
const PUSH20 = 0x73;
const PUSH32 = 0x7f;
/** Ten times what Ethereum allows; chains that allow more have few such contracts. More is not walked through. */
const LONGEST_WALK = 2 + 2 * 256 * 1024;

/** Clones have half as much. */
const LONGEST_FORWARDER = 2 + 2 * 100;

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
  for (let at = 2; at < end; at += 2 + pushedDigits(code, at)) {
    const operation = operationAt(code, at);
    if (operation === DELEGATECALL || operation === CALLCODE) return true;
  }
  return false;
}

/**
 * The address in the code that short runtime code hands its calls to, as clones do, whatever the rest is: one that is
 * pushed right before the gas and the DELEGATECALL, behind a copy of the data of the call.
 *
 * @param code runtime code in lower case.
 * @returns undefined for code that does not, or is of over 100 bytes.
 * @example forwardedIn('0x363d3d37') // undefined
 */
export function forwardedIn(code: Hex): Address | undefined {
  if (code.length > LONGEST_FORWARDER) return undefined;
  let isCopied = false;
  for (let at = 2; at < code.length; at += 2 + pushedDigits(code, at)) {
    const operation = operationAt(code, at);
    isCopied ||= operation === CALLDATACOPY;
    if (!isCopied || operation < PUSH1 || operation > PUSH20) continue;
    const next = at + 2 + pushedDigits(code, at);
    if (operationAt(code, next) !== GAS || operationAt(code, next + 2) !== DELEGATECALL) continue;
    return `0x${code.slice(at + 2, next).padStart(40, '0')}`;
  }
  return undefined;
}

function operationAt(code: Hex, at: number): number {
  return Number.parseInt(code.slice(at, at + 2), 16);
}

/** The digits of data behind a PUSH. */
function pushedDigits(code: Hex, at: number): number {
  const operation = operationAt(code, at);
  return operation >= PUSH1 && operation <= PUSH32 ? 2 * (operation - PUSH1 + 1) : 0;
}

/** The CBOR that Solidity and Vyper add ends with its length in two bytes, and begins with a map or a list. */
function metadataDigits(code: Hex): number {
  if (code.length < 2 + 4) return 0;
  const digits = 2 * Number.parseInt(code.slice(-4), 16) + 4;
  const start = code.length - digits;
  if (start < 2) return 0;
  return /^(?:a[1-4]|8[1-4])/.test(code.slice(start, start + 2)) ? digits : 0;
}
