import * as z from 'zod/mini';
import { AppError } from '../../base/errors.ts';
import type { TimeSlices } from '../../base/timeSlices.ts';
import { listField, optionalField } from './fields.ts';

/**
 * Where reading a paged list ended: at its end, at the cap on pages, or at a page that brought nothing new although
 * the server says that more follow.
 */
export type ListEnd = 'complete' | 'pageCap' | 'nothingNew';

const Page = z.object({
  items: z.nullable(listField),
  pagination: optionalField(z.object({ has_more: optionalField(z.boolean()) })),
});

/** A list that is asked for page by page. */
export interface PagedList {
  readonly maxPages: number;
  /** `data` of the answer for a page. */
  readonly getPage: (query: Readonly<Record<string, string>>) => Promise<unknown>;
  /** In which its items are read. */
  readonly slices: TimeSlices;
}

/** Most entries of a page (SDK 2.3.8). */
const PAGE_SIZE = 100;

/**
 * Reads a list by `page-number` from 0, page by page until the server has no more.
 *
 * @param take what to do with the items of a page; returns how many of them were new.
 * @throws AppError `badResponse` when a page has no list of items.
 */
export async function readPages(
  { maxPages, getPage }: PagedList,
  take: (items: readonly unknown[], data: unknown) => Promise<number>,
): Promise<ListEnd> {
  for (let page = 0; page < maxPages; page++) {
    const data = await getPage({ 'page-size': `${PAGE_SIZE}`, 'page-number': `${page}` });
    const parsed = Page.safeParse(data ?? { items: null });
    if (!parsed.success) {
      throw new AppError('badResponse', 'The answer of the data API has no list of items.', {
        cause: parsed.error,
      });
    }
    const { items, pagination } = parsed.data;
    const fresh = await take(items ?? [], data);
    if (!pagination?.has_more) return 'complete';
    if (fresh === 0) return 'nothingNew';
  }
  return 'pageCap';
}
