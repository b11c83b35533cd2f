import { isRecord } from '../base/values.ts';
import { type Hex, parseHexData } from '../eth/hex.ts';
import { MAX_MESSAGE_CHARS } from '../http/response.ts';

/**
 * Extracts the revert data from `data` of a node's error: hex (geth, anvil, reth), hex after a word
 * (`Reverted 0x…` of OpenEthereum and Nethermind), or an object that contains it (Hardhat). Long data is
 * truncated like a server's message.
 *
 * @example readRevertData('Reverted 0x4e487b71') // { data: '0x4e487b71', isCut: false }
 */
export function readRevertData(data: unknown): { readonly data: Hex | undefined; readonly isCut: boolean } {
  const text = isRecord(data) ? (data.data ?? data.result) : data;
  if (typeof text !== 'string') return { data: undefined, isCut: false };
  const [found] = /0x[0-9a-fA-F]*$/.exec(text) ?? [];
  const isCut = text.length >= MAX_MESSAGE_CHARS;
  const digits = found?.slice(0, found.length - (found.length % 2));
  return { data: parseHexData(digits), isCut: isCut && digits !== undefined };
}
