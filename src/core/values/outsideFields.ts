import * as z from 'zod/mini';
import { MOST_ITEMS } from '../base/source.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import { plainText } from './plainText.ts';

/**
 * A field that an answer can do without: missing, null and of the wrong type are alike undefined.
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

/** Text from a chain, made plain and short; empty is undefined. */
export const textField = z.pipe(
  z.string(),
  z.transform((text) => plainText(text) || undefined),
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
