import type { Address } from '../../core/index.ts';
import { lineBefore } from './constantName.ts';

/** The zero address, and the low ones at which chains have precompiled contracts. */
const LOW = /^0x0{36}/;
/** All bits of an address: a mask. */
const MASK = `0x${'f'.repeat(40)}`;
/** How proxies as of ERC-1167 and their makers begin, and what compilers of Solidity write. */
const BYTECODE = /^0x(?:3d602d80|363d3d37|5f5f365f|60806040|60c06040|60a06040)/;
/** Operations of assembly that take numbers; of an address none of them makes sense. */
const OPERATION = /\b(?:mstore8?|shl|shr|sar|and|or|xor|not|add|sub|byte|push20)\b/i;
const ASSEMBLY = /\.(?:sol|yul|huff)$/i;

/** Whether 40 digits of hex that stand at `offset` are none that anybody has: a special one, code, or a number. */
export function isNoAddress(
  {
    address,
    written,
    offset,
  }: { readonly address: Address; readonly written: string; readonly offset: number },
  text: string,
  path: string,
): boolean {
  if (LOW.test(address) || address === MASK || BYTECODE.test(address)) return true;
  // In Solidity an address is written with its checksum or in quotes.
  if (!ASSEMBLY.test(path) || written !== written.toLowerCase()) return false;
  const before = lineBefore(text, offset);
  return !/["'/*]/.test(before) && OPERATION.test(before);
}
