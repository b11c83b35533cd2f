import * as z from 'zod/mini';
import { MOST_ITEMS } from '../../base/source.ts';
import type { TimeSlices } from '../../base/timeSlices.ts';
import { parseAddress } from '../../values/address.ts';
import { type Hex, parseHexData } from '../../values/hex.ts';
import { plainText } from '../../values/plainText.ts';

const UINT256_MAX = 2n ** 256n - 1n;

/**
 * A field that an answer can do without: missing, null and of the wrong type are alike undefined. The official
 * types mark every field as nullable, and which are sent depends on year and key.
 */
export function optionalField<T extends z.ZodMiniType>(field: T) {
  return z.pipe(
    z.catch(z.nullish(field), undefined),
    z.transform((value) => (value ?? undefined) as z.output<T> | undefined),
  );
}

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

/** Text from a chain, made plain and short; empty is undefined. */
export const textField = z.pipe(
  z.string(),
  z.transform((text) => plainText(text) || undefined),
);

/** An ISO 8601 time with up to nanoseconds, as milliseconds since the Unix epoch. */
export const timeField = z.pipe(
  z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)))),
  z.transform((text) => Date.parse(text)),
);

/** A chain id: an integer in `balances_v2`, a decimal string in the list of chains. */
export const chainIdField = z.pipe(
  z.union([z.int(), z.string().check(z.regex(/^\d{1,16}$/))]),
  z.transform((id) => Number(id)),
);

/** A list, its entries unread and as they came, since a list from outside can have a million. */
export const listField = z.custom<readonly unknown[]>((value) => Array.isArray(value));

/**
 * The entries of a list that `schema` takes, and how many are left out: those that it does not take, and those behind
 * the first `most`, {@link MOST_ITEMS} by default. Null and missing are an empty list. Read in slices of time.
 * @example
 * const { read, skipped } = await readItems(z.object({ token_id: uint256Field }), data.items, { slices });
 */
export async function readItems<T extends z.ZodMiniType>(
  schema: T,
  items: readonly unknown[] | undefined,
  { slices, most = MOST_ITEMS }: { readonly slices: TimeSlices; readonly most?: number },
) {
  const list = items ?? [];
  const read: z.output<T>[] = [];
  for (const item of list.slice(0, most)) {
    const parsed = z.safeParse(schema, item);
    if (parsed.success) read.push(parsed.data);
    if (slices.isOver()) await slices.rest();
  }
  return { read, skipped: list.length - read.length };
}
