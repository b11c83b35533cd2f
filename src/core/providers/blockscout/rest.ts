import * as z from 'zod/mini';
import { AppError, isAppError, safeUrl, withProvider } from '../../base/errors.ts';
import type { ProviderLabel } from '../../base/provenance.ts';
import { createTimeSlices, type TimeSlices } from '../../base/timeSlices.ts';
import { type ExplorerDeps, fetchFromExplorer, isExplorerNotFound } from '../../http/fetchJson.ts';
import { listField, optionalField } from '../../http/fields.ts';
import { explorerApiUrl } from '../../networks/network.ts';
import type { CompletenessReason, HoldingsList } from '../../tokens/completeness.ts';
import { moneyField } from './fields.ts';

export interface ExplorerRestOptions extends ExplorerDeps {
  /** The JSON-RPC of the explorer. */
  readonly url: string;
  /** Once it aborts, nothing is sent any more and what is on its way is cancelled. */
  readonly revoked: AbortSignal;
}

export interface UntilAborted {
  readonly signal?: AbortSignal | undefined;
}

/** Asks the REST interface of one explorer (`/api/v2`), whatever the route. */
export interface ExplorerRest {
  readonly label: ProviderLabel;
  /** In milliseconds since the Unix epoch. */
  now(): number;
  slices(): TimeSlices;
  /**
   * The JSON, unvalidated, of `GET /api/v2{path}`.
   *
   * @throws AppError of any network kind; `notFound` for a thing that the explorer does not know, `notServed` where it
   *   has no such route, or no such interface at all.
   */
  get(path: string, query: Readonly<Record<string, string>>, options: UntilAborted): Promise<unknown>;
}

/** The largest holders have some thousands of tokens, at some 700 bytes each. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

/** Has tokens listed that the instance calls scam: since v10 by the header, before by the cookie. */
const SHOW_ALL = { 'show-scam-tokens': 'true', cookie: 'show_scam_tokens=true' };

/**
 * @example
 * const rest = createExplorerRest({ ...http, url: 'https://explorer.example/api/eth-rpc', revoked });
 * await rest.get('/tokens/0x…', {}, { signal });
 */
export function createExplorerRest(options: ExplorerRestOptions): ExplorerRest {
  const { url: rpcUrl, revoked, clock } = options;
  const label = { name: 'blockscout', origin: safeUrl(rpcUrl), takesKey: false };
  return {
    label,
    now: () => clock.now(),
    slices: () => createTimeSlices(clock),
    async get(path, query, { signal }) {
      const url = explorerApiUrl(rpcUrl, `/api/v2${path}`, query);
      if (!url) throw new AppError('notServed', 'The endpoint is no explorer.', { provider: label });
      const ends = signal ? AbortSignal.any([signal, revoked]) : revoked;
      try {
        const limits = { signal: ends, maxBytes: MAX_RESPONSE_BYTES, headers: SHOW_ALL };
        return await fetchFromExplorer(options, url, limits);
      } catch (error) {
        throw isAppError(error) ? withProvider(toRestError(error), label) : error;
      }
    },
  };
}

/** From v6 on an unknown route is 400. */
function toRestError(error: AppError): AppError {
  const { status, serverMessage = '' } = error.details;
  const noRoute =
    (status === 404 && !isExplorerNotFound(error)) ||
    (status === 400 && /^unknown api v2 action$/i.test(serverMessage.trim()));
  return noRoute ? new AppError('notServed', 'The explorer has no such route.', error.details) : error;
}

/** Where the next page of a list begins, as the explorer wrote it. */
export type PageCursor = Readonly<Record<string, string>>;

const MAX_CURSOR_MEMBERS = 20;
const MAX_CURSOR_VALUE_CHARS = 200;

/** `next_page_params` of a page. */
export const cursorField = z.nullish(z.record(z.string(), z.unknown()));

/**
 * What goes back to ask for the next page, a member that is null too; undefined at the end, `broken` for what is none.
 *
 * @example parsePageCursor({ block_number: 7, index: null }) // { block_number: '7', index: 'null' }
 */
export function parsePageCursor(written: z.infer<typeof cursorField>): PageCursor | 'broken' | undefined {
  // A key that some releases repeat stands in the URL already.
  const members = Object.entries(written ?? {}).filter(([name]) => name !== 'apikey' && name !== 'key');
  if (members.length === 0) return undefined;
  if (members.length > MAX_CURSOR_MEMBERS) return 'broken';
  const cursor: Record<string, string> = {};
  for (const [name, value] of members) {
    const isPlain = value === null || ['string', 'number', 'boolean'].includes(typeof value);
    const text = String(value);
    if (!isPlain || !/^\w{1,64}$/.test(name) || text.length > MAX_CURSOR_VALUE_CHARS) return 'broken';
    cursor[name] = text;
  }
  return cursor;
}

/** Whether two cursors lead to the same page; how many rows came before it does not matter. */
function isSameCursor(a: PageCursor, b: PageCursor): boolean {
  const names = Object.keys({ ...a, ...b });
  return names.every((name) => name === 'items_count' || a[name] === b[name]);
}

/** One list that comes by pages. */
export interface PagedList<T> {
  readonly name: HoldingsList;
  readonly path: string;
  /** Filters of our own: the explorer's cursor has none of them, so that they go with every page. */
  readonly query: Readonly<Record<string, string>>;
  /** The rows of a page that can be read, and how many cannot. `asked` is the cursor that it was asked with. */
  readonly read: (
    items: readonly unknown[],
    asked: PageCursor,
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
const MAX_EMPTY_PAGES = 3;

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
  let cursor: PageCursor | undefined = {};
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
      const isBroken = next === 'broken' || (next !== undefined && barren === MAX_EMPTY_PAGES);
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
export async function fetchWholeList<T>(
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
  { list, asked }: { readonly list: PagedList<T>; readonly asked: PageCursor },
  options: UntilAborted,
) {
  const parsed = Page.safeParse(await rest.get(list.path, { ...list.query, ...asked }, options));
  if (!parsed.success) {
    throw new AppError('badResponse', 'The answer of the explorer is no page of a list.', {
      cause: parsed.error,
      provider: rest.label,
    });
  }
  const { items, next_page_params: next } = parsed.data;
  return { ...(await list.read(items, asked)), cursor: parsePageCursor(next) };
}

// Ratios are strings in older releases, with two digits: of a list they say less than the flag beside them.
const Status = z.object({
  finished_indexing_blocks: optionalField(z.boolean()),
  finished_indexing: optionalField(z.boolean()),
  indexed_blocks_ratio: moneyField,
});

/**
 * What `/main-page/indexing-status` says against the lists of the explorer; undefined where it has indexed every block.
 */
export function parseIndexingStatus(data: unknown): CompletenessReason | undefined {
  const status = Status.safeParse(data).data;
  const ratio = status?.indexed_blocks_ratio;
  const finished = status?.finished_indexing_blocks ?? status?.finished_indexing;
  if (finished === undefined && ratio === undefined) return { code: 'indexingUnknown' };
  if (ratio !== undefined && ratio >= 0 && ratio < 1) return { code: 'indexing', ratio };
  return finished === false ? { code: 'indexing', ratio: undefined } : undefined;
}
