import * as z from 'zod/mini';

/** Where the next page of a list begins, as the explorer wrote it. */
export type Cursor = Readonly<Record<string, string>>;

const MOST_MEMBERS = 20;
const LONGEST_VALUE = 200;

/** `next_page_params` of a page. */
export const cursorField = z.nullish(z.record(z.string(), z.unknown()));

/**
 * What goes back to ask for the next page, a member that is null too; undefined at the end, `broken` for what is none.
 *
 * @example readCursor({ block_number: 7, index: null }) // { block_number: '7', index: 'null' }
 */
export function readCursor(written: z.infer<typeof cursorField>): Cursor | 'broken' | undefined {
  // A key that some releases repeat stands in the URL already.
  const members = Object.entries(written ?? {}).filter(([name]) => name !== 'apikey' && name !== 'key');
  if (members.length === 0) return undefined;
  if (members.length > MOST_MEMBERS) return 'broken';
  const cursor: Record<string, string> = {};
  for (const [name, value] of members) {
    const isPlain = value === null || ['string', 'number', 'boolean'].includes(typeof value);
    const text = String(value);
    if (!isPlain || !/^\w{1,64}$/.test(name) || text.length > LONGEST_VALUE) return 'broken';
    cursor[name] = text;
  }
  return cursor;
}

/** Whether two cursors lead to the same page; how many rows came before it does not matter. */
export function isSameCursor(a: Cursor, b: Cursor): boolean {
  const names = Object.keys({ ...a, ...b });
  return names.every((name) => name === 'items_count' || a[name] === b[name]);
}
