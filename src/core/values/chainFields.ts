import * as z from 'zod/mini';
import { parseAddress } from './address.ts';
import { type Hex, parseHexData } from './hex.ts';

const UINT256_MAX = 2n ** 256n - 1n;

/** An integer of smallest units or a token id: a decimal string of up to 78 digits, rarely a JSON integer. */
export const uint256Field = z
  .pipe(
    z.union([z.string().check(z.regex(/^\d{1,78}$/)), z.int().check(z.nonnegative())]),
    z.transform((digits) => BigInt(digits)),
  )
  .check(z.refine((value) => value <= UINT256_MAX));

/** An address in any case, as lower case. */
export const addressField = z.pipe(
  z.string().check(z.refine((text) => parseAddress(text) !== undefined)),
  z.transform((text) => parseAddress(text) as NonNullable<ReturnType<typeof parseAddress>>),
);

/** Hex data of exactly `bytes` bytes, any number of whole ones if left out, in lower case. */
export const hexField = (bytes?: number) =>
  z.pipe(
    z.string().check(z.refine((text) => parseHexData(text, bytes) !== undefined)),
    z.transform((text) => parseHexData(text, bytes) as Hex),
  );

export const transactionHashField = hexField(32);

/** A block number, an integer in every answer. */
export const heightField = z.pipe(
  z.int().check(z.nonnegative()),
  z.transform((height) => BigInt(height)),
);

/** An ISO 8601 time with up to nanoseconds, as milliseconds since the Unix epoch. */
export const timeField = z.pipe(
  z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)))),
  z.transform((text) => Date.parse(text)),
);
