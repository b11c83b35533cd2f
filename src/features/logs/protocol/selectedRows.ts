import * as z from 'zod/mini';

/** Stretches that a selection is made of: each by its first row and the one behind its last. */
export const MOST_STRETCHES = 1000;

const row = z.int().check(z.minimum(0));

export const rowsFormat = z.enum(['tsv', 'csv', 'markdown', 'json']);
/** What rows are copied as. */
export type RowsFormat = z.infer<typeof rowsFormat>;

const stretches = z.array(z.tuple([row, row])).check(z.maxLength(MOST_STRETCHES));

/** What is selected, where several rows are. */
export const selecting = z.object({ order: z.optional(z.int()), selected: z.optional(stretches) });

/** Rows that are selected, in order; row numbers hold for one answer, in one order of its rows. */
export const copiedRows = z.object({
  answer: z.string(),
  order: z.int(),
  selected: stretches,
  format: rowsFormat,
});

export type CopiedRows = Readonly<z.infer<typeof copiedRows>>;
export type Selecting = Readonly<z.infer<typeof selecting>>;
export type Stretches = CopiedRows['selected'];

/** How many rows these are. */
export function countRows(stretches: Stretches): number {
  return stretches.reduce((count, [start, end]) => count + Math.max(0, end - start), 0);
}
