import * as z from 'zod/mini';
import { AppError, isAppError } from '../../../base/errors.ts';
import type { CompletenessReason, HeldList } from '../../../holdings/completeness.ts';
import { listField } from '../../../values/outsideFields.ts';
import { type Cursor, cursorField, isSameCursor, readCursor } from './cursor.ts';
import type { ExplorerRest, UntilAborted } from './explorerRest.ts';

/** One list that comes by pages. */
export interface PagedList<T> {
  readonly name: HeldList;
  readonly path: string;
  /** Filters of our own: the explorer's cursor has none of them, so that they go with every page. */
  readonly query: Readonly<Record<string, string>>;
  /** The rows of a page that can be read, and how many cannot. `asked` is the cursor that it was asked with. */
  readonly read: (
    items: readonly unknown[],
    asked: Cursor,
  ) => Promise<{ readonly rows: readonly T[]; readonly skipped: number }>;
  /** The same for the same row, in whatever page it is. */
  readonly keyOf: (row: T) => string;
}

/** Reads a list page by page. */
export interface Pager<T> {
  /** Every row so far, none twice. */
  readonly rows: readonly T[];
  readonly skipped: number;
  /** Whether there is nothing more to be read, for whatever reason. */
  readonly isAtEnd: boolean;
  /** Why rows may be missing although the list is at its end. */
  readonly reasons: readonly CompletenessReason[];
  /**
   * Adds the next page; its new rows. @throws AppError as `get` of the client does; the page can be asked for again.
   */
  next(options: UntilAborted): Promise<readonly T[]>;
}

/** Pages in a row that bring nothing and name a next one: so many are no list that goes on. */
const MOST_BARREN = 3;

const Page = z.object({ items: listField, next_page_params: cursorField });

/**
 * Follows the cursor of a list (`next_page_params`), which takes the place of nothing but itself: every member goes
 * back, one that is null too, with our own filters beside them. A release before v10 answers a cursor that it does not
 * understand with the first page, so that a page that begins with a known row, or a cursor that stays the same, is the
 * end; as is a third page in a row without anything.
 */
export function createPager<T>(rest: ExplorerRest, list: PagedList<T>): Pager<T> {
  const rows: T[] = [];
  const known = new Set<string>();
  const reasons: CompletenessReason[] = [];
  let skipped = 0;
  let cursor: Cursor | undefined = {};
  let barren = 0;

  function add(read: readonly T[]): readonly T[] {
    const added = read.filter((row) => {
      const key = list.keyOf(row);
      return !known.has(key) && known.add(key);
    });
    for (const row of added) rows.push(row);
    return added;
  }

  return {
    rows,
    reasons,
    get skipped() {
      return skipped;
    },
    get isAtEnd() {
      return cursor === undefined;
    },
    async next(options) {
      const asked = cursor;
      if (!asked) return [];
      const page = await readPage(rest, { list, asked }, options);
      const [first] = page.rows;
      const again = first !== undefined && known.has(list.keyOf(first));
      skipped += again ? 0 : page.skipped;
      const added = add(page.rows);
      const next = page.cursor;
      const stays = next !== undefined && next !== 'broken' && isSameCursor(next, asked);
      barren = added.length + page.skipped === 0 ? barren + 1 : 0;
      const isBroken = next === 'broken' || (next !== undefined && barren === MOST_BARREN);
      if (again || stays) reasons.push({ code: 'pageRepeated', list: list.name });
      else if (isBroken) reasons.push({ code: 'listBroken', list: list.name });
      cursor = again || stays || isBroken ? undefined : next;
      return added;
    },
  };
}

/** A list to its end, or as far as so many pages go. */
export interface WholeList<T> {
  readonly rows: readonly T[];
  readonly skipped: number;
  readonly reasons: readonly CompletenessReason[];
}

/**
 * Reads a list to its end. A later page that fails ends it; only a first one fails as a whole.
 *
 * @throws AppError as `get` of the client does.
 */
export async function readWholeList<T>(
  rest: ExplorerRest,
  list: PagedList<T>,
  { mostPages, ...options }: UntilAborted & { readonly mostPages: number },
): Promise<WholeList<T>> {
  const pager = createPager(rest, list);
  const reasons: CompletenessReason[] = [];
  for (let page = 0; page < mostPages && !pager.isAtEnd; page++) {
    try {
      await pager.next(options);
    } catch (error) {
      if (page === 0 || !isAppError(error) || error.kind === 'aborted') throw error;
      reasons.push({ code: 'listBroken', list: list.name });
      break;
    }
  }
  const { rows, skipped, isAtEnd } = pager;
  if (!isAtEnd && reasons.length === 0) reasons.push({ code: 'bound', list: list.name, most: rows.length });
  return { rows, skipped, reasons: [...pager.reasons, ...reasons] };
}

async function readPage<T>(
  rest: ExplorerRest,
  { list, asked }: { readonly list: PagedList<T>; readonly asked: Cursor },
  options: UntilAborted,
) {
  const parsed = Page.safeParse(await rest.get(list.path, { ...list.query, ...asked }, options));
  if (!parsed.success) {
    throw new AppError('badResponse', 'The answer of the explorer is no page of a list.', {
      cause: parsed.error,
      source: rest.label,
    });
  }
  const { items, next_page_params: next } = parsed.data;
  return { ...(await list.read(items, asked)), cursor: readCursor(next) };
}
