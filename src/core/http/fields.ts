import * as z from 'zod/mini';
import { sanitizeName } from '../base/names.ts';
import { MAX_LIST_ITEMS } from '../base/provenance.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import { type Hex, parseAddress, parseHexData } from '../eth/hex.ts';

/**
 * An optional field of a response. Missing, null and the wrong type all become undefined.
 *
 * @example
 * const Item = z.object({ name: optionalField(z.string()) });
 */
export function optionalField<T extends z.ZodMiniType>(field: T) {
  return z.pipe(
    z.catch(z.nullish(field), undefined),
    z.transform((value) => (value ?? undefined) as z.output<T> | undefined),
  );
}

/** A name or another short text, sanitized and bounded; empty, or what looks like an address, becomes undefined. */
export const textField = z.pipe(
  z.string(),
  z.transform((text) => sanitizeName(text)),
);

/** A list whose entries are not parsed: a list from outside can have a million. */
export const listField = z.custom<readonly unknown[]>((value) => Array.isArray(value));

/**
 * Parses the entries of a list in slices of time. `skipped` counts the entries that `schema` rejects, and those after
 * the first `most`, {@link MAX_LIST_ITEMS} by default. Null and missing are an empty list.
 *
 * @example
 * const { read, skipped } = await parseItems(z.object({ token_id: uint256Field }), data.items, { slices });
 */
export async function parseItems<T extends z.ZodMiniType>(
  schema: T,
  items: readonly unknown[] | undefined,
  { slices, most = MAX_LIST_ITEMS }: { readonly slices: TimeSlices; readonly most?: number },
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

/** An integer of smallest units or a token ID: a decimal string of up to 78 digits, rarely a JSON integer. */
export const uint256Field = z
  .pipe(
    z.union([z.string().check(z.regex(/^\d{1,78}$/)), z.int().check(z.nonnegative())]),
    z.transform((digits) => BigInt(digits)),
  )
  .check(z.refine((value) => value <= UINT256_MAX));

const UINT256_MAX = 2n ** 256n - 1n;

/** An address in any case; becomes lower case. */
export const addressField = z.pipe(
  z.string().check(z.refine((text) => parseAddress(text) !== undefined)),
  z.transform((text) => parseAddress(text) as NonNullable<ReturnType<typeof parseAddress>>),
);

/** Hex data of exactly `bytes` bytes, or of any number of bytes; becomes lower case. */
export const hexField = (bytes?: number) =>
  z.pipe(
    z.string().check(z.refine((text) => parseHexData(text, bytes) !== undefined)),
    z.transform((text) => parseHexData(text, bytes) as Hex),
  );

export const transactionHashField = hexField(32);

/** A block number, a JSON integer in every response. */
export const heightField = z.pipe(
  z.int().check(z.nonnegative()),
  z.transform((height) => BigInt(height)),
);

/** An ISO 8601 time with up to nanoseconds; becomes milliseconds since the Unix epoch. */
export const timeField = z.pipe(
  z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)))),
  z.transform((text) => Date.parse(text)),
);
