/** https://docs.soliditylang.org/en/latest/control-structures.html#panic-via-assert-and-error-via-require */
const meanings: ReadonlyMap<bigint, string> = new Map([
  [0x00n, 'a check that the compiler inserted failed'],
  [0x01n, 'an assert failed'],
  [0x11n, 'an integer overflowed or underflowed'],
  [0x12n, 'a division or modulo by zero'],
  [0x21n, 'a value that its enum does not have'],
  [0x22n, 'a byte array in storage that is wrongly encoded'],
  [0x31n, 'pop() on an empty array'],
  [0x32n, 'an index out of the bounds of an array, a slice or bytesN'],
  [0x41n, 'too much memory allocated, or an array too large'],
  [0x51n, 'a call of an internal function variable that was never set'],
]);

/**
 * What the code of a Solidity `Panic(uint256)` says.
 *
 * @example panicText(0x11n) // 'an integer overflowed or underflowed'
 */
export function panicText(code: bigint): string {
  return meanings.get(code) ?? 'a code that Solidity does not document';
}
