import * as z from 'zod/mini';
import { sortColumn } from './columns.ts';

/** Characters of a filter. */
export const LONGEST_FILTER = 1000;

/** How rows are arranged and told, as a webview says it. */
export const arrangement = z.object({
  filter: z.string().check(z.maxLength(LONGEST_FILTER)),
  sort: z.optional(z.object({ column: sortColumn, descending: z.boolean() })),
  /** Shows topics and data instead of what they mean. */
  raw: z.optional(z.boolean()),
});

export type Arrangement = Readonly<z.infer<typeof arrangement>>;

/** Whether rows are the same ones in the same order. */
export function isSameArrangement(a: Arrangement, b: Arrangement): boolean {
  return (
    a.filter === b.filter && a.sort?.column === b.sort?.column && a.sort?.descending === b.sort?.descending
  );
}
