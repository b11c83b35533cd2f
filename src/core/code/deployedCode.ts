import { createMessage, type Message } from '../base/text.ts';
import type { Hex } from '../eth/hex.ts';

/**
 * The creation code in a blueprint: the preamble `fe71`, a byte with the version 0 and the size of a length, then that
 * length with as many bytes of data.
 *
 * https://eips.ethereum.org/EIPS/eip-5202
 *
 * @returns undefined if the code is no blueprint.
 * @example parseBlueprint('0xfe71006000') // '0x6000'
 */
export function parseBlueprint(code: Hex): Hex | undefined {
  if (!code.startsWith('0xfe71')) return undefined;
  const config = Number.parseInt(code.slice(6, 8), 16);
  // The other six bits are the version; a length of three bytes is reserved.
  if (!(config >= 0 && config <= 2)) return undefined;
  const from = 8 + 2 * config;
  const dataBytes = config === 0 ? 0 : Number.parseInt(code.slice(8, from), 16);
  const initcode = code.slice(from + 2 * dataBytes);
  return initcode === '' || Number.isNaN(dataBytes) ? undefined : `0x${initcode}`;
}

/**
 * Says that code is not for the EVM as Solidity and Vyper compile for it; undefined if it may be.
 *
 * - https://eips.ethereum.org/EIPS/eip-3541: no contract begins with `ef`; that is EOF, or an account that delegates.
 * - https://docs.zksync.io: EraVM code is an odd number of words, and begins with zeros.
 * - PolkaVM code begins with `PVM` and a zero.
 *
 * @example findForeignCode('0x6000') // undefined
 */
export function findForeignCode(code: Hex): Message | undefined {
  if (code.startsWith('0xef0100')) return undefined;
  if (code.startsWith('0xef'))
    return createMessage('The code begins with ef: it has another format (EOF), which is not compared.');
  const hasOddWordCount = (code.length - 2) % 128 === 64;
  if ((code.startsWith('0x00') && hasOddWordCount) || code.startsWith('0x50564d00'))
    return createMessage(
      'The code is for another machine than the EVM. Compare it with the output of its own compiler.',
    );
  return undefined;
}
