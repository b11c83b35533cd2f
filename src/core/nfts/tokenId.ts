import { badInput } from '../base/errors.ts';

const LARGEST = 2n ** 256n - 1n;

/**
 * A token id of ERC-721 or ERC-1155 (uint256), from decimal digits or `0x` and hex digits; undefined if it is none.
 *
 * @example
 * parseTokenId('0x11'); // 17n
 */
export function parseTokenId(text: unknown): bigint | undefined {
  if (typeof text !== 'string') return undefined;
  const written = text.trim();
  if (!/^(?:\d{1,200}|0x[\da-f]{1,64})$/i.test(written)) return undefined;
  const tokenId = BigInt(written);
  return tokenId <= LARGEST ? tokenId : undefined;
}

/**
 * @throws AppError `badInput` for `field` if `text` is no token id.
 *
 * @example
 * requireTokenId('17'); // 17n
 */
export function requireTokenId(text: unknown, field = 'tokenId'): bigint {
  const tokenId = parseTokenId(text);
  if (tokenId !== undefined) return tokenId;
  throw badInput(
    field,
    'Not a token id: expected a whole number up to 2^256 - 1, decimal or 0x and hex digits.',
    { code: 'notTokenId' },
  );
}
