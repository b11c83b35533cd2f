import { type Address, parseAddress } from '../../values/address.ts';
import { type Hex, MOST_EXACT, parseHexData, parseQuantity } from '../../values/hex.ts';
import { plainText } from '../../values/plainText.ts';

/** Characters of a name from a file: the longest identifiers of real contracts have about 80. */
const LONGEST_NAME = 128;
/** Characters of a path from a file. */
const LONGEST_SOURCE = 512;

/** A name as a file has it, safe to show; undefined for what is no text, or an empty one. */
export function readName(value: unknown): string | undefined {
  return typeof value === 'string' ? plainText(value, LONGEST_NAME) || undefined : undefined;
}

/** The path of a source, '/'-separated; undefined for what is no text, an empty one, or longer than any path. */
export function readSourcePath(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > LONGEST_SOURCE) return undefined;
  return plainText(value.replaceAll('\\', '/'), LONGEST_SOURCE) || undefined;
}

/**
 * A chain id as decimal text, from a number, decimal digits or `0x` hex; undefined for zero, which no chain has, and for
 * what a number does not hold exactly.
 *
 * @example readChainId('0x1') // '1'
 */
export function readChainId(value: unknown): string | undefined {
  const id = readInteger(value);
  return id !== undefined && id > 0n && id <= MOST_EXACT ? id.toString() : undefined;
}

/** A block number, from a number, decimal digits or `0x` hex. */
export function readBlock(value: unknown): bigint | undefined {
  const block = readInteger(value);
  return block !== undefined && block <= MOST_EXACT ? block : undefined;
}

export function readHash(value: unknown): Hex | undefined {
  return parseHexData(value, 32);
}

/** An address that is one of a contract: not the zero address, which stands for none. */
export function readContractAddress(value: unknown): Address | undefined {
  const address = parseAddress(value);
  return address === ZERO ? undefined : address;
}

/** A commit of git as a tool writes it, short or whole. */
export function readCommit(value: unknown): string | undefined {
  return typeof value === 'string' && /^[0-9a-f]{4,64}$/i.test(value) ? value.toLowerCase() : undefined;
}

function readInteger(value: unknown): bigint | undefined {
  if (typeof value === 'string' && /^[0-9]{1,20}$/.test(value)) return BigInt(value);
  return typeof value === 'string' && !value.startsWith('0x') ? undefined : parseQuantity(value);
}

const ZERO: Address = `0x${'0'.repeat(40)}`;
