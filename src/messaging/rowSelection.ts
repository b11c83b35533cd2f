import * as z from 'zod/mini';

/** Ranges of a selection: each has its first row, and the row after its last. */
const MAX_ROW_RANGES = 1000;

const rowNumberSchema = z.int().check(z.minimum(0));

export const rowsFormatSchema = z.enum(['tsv', 'csv', 'markdown', 'json']);
export type RowsFormat = z.infer<typeof rowsFormatSchema>;

const rowRangesSchema = z
  .array(z.tuple([rowNumberSchema, rowNumberSchema]))
  .check(z.maxLength(MAX_ROW_RANGES));

export const selectionSchema = z.object({
  order: z.optional(z.int()),
  selected: z.optional(rowRangesSchema),
});

/** Selected rows. Row numbers are valid for one result in one order. */
export const copiedRowsSchema = z.object({
  resultId: z.string(),
  order: z.int(),
  selected: rowRangesSchema,
  format: rowsFormatSchema,
});

export type CopiedRows = Readonly<z.infer<typeof copiedRowsSchema>>;
export type Selection = Readonly<z.infer<typeof selectionSchema>>;
export type RowRanges = CopiedRows['selected'];

export function countSelectedRows(ranges: RowRanges): number {
  return ranges.reduce((count, [start, end]) => count + Math.max(0, end - start), 0);
}
