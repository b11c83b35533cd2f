import * as z from 'zod/mini';
import { AppError, isAppError, safeUrl, withProvider } from '../../base/errors.ts';
import type { ProviderLabel } from '../../base/provenance.ts';
import { createTimeSlices, type TimeSlices } from '../../base/timeSlices.ts';
import { type ExplorerDeps, fetchFromExplorer, isExplorerNotFound } from '../../http/fetchJson.ts';
import { listField, optionalField } from '../../http/fields.ts';
import { explorerApiUrl } from '../../networks/network.ts';
import type { CompletenessReason, HoldingsList } from '../../tokens/completeness.ts';
import { moneyField } from './fields.ts';

interface ExplorerRestOptions extends ExplorerDeps {
  /** The explorer's JSON-RPC URL. */
  readonly url: string;
  /** When it aborts, no more requests are sent and pending ones are cancelled. */
  readonly revoked: AbortSignal;
}

export interface UntilAborted {
  readonly signal?: AbortSignal | undefined;
}

/** The REST API of one explorer (`/api/v2`). */
export interface ExplorerRest {
  readonly label: ProviderLabel;
  /** In milliseconds since the Unix epoch. */
  now(): number;
  slices(): TimeSlices;
  /**
   * The unvalidated JSON of `GET /api/v2{path}`.
   *
   * @throws AppError of any network kind; `notFound` if the explorer does not have the item, `notServed`
   *   if it does not have the route or any REST API.
   */
  get(path: string, query: Readonly<Record<string, string>>, options: UntilAborted): Promise<unknown>;
}

/** The largest holders have some thousand tokens, at about 700 bytes each. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

/** Includes tokens that the instance considers scams: by the header since v10, by the cookie before. */
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
      if (!url) throw new AppError('notServed', 'The endpoint is not an explorer.', { provider: label });
      const requestSignal = signal ? AbortSignal.any([signal, revoked]) : revoked;
      try {
        const limits = { signal: requestSignal, maxBytes: MAX_RESPONSE_BYTES, headers: SHOW_ALL };
        return await fetchFromExplorer(options, url, limits);
      } catch (error) {
        throw isAppError(error) ? withProvider(toRestError(error), label) : error;
      }
    },
  };
}

/**
 * Follows the cursor of a list (`next_page_params`): every member is sent back, null included, with our own
 * filters. Releases before v10 respond to a cursor that they do not understand with the first page; so
 * reading stops when a page begins with a known row, when a cursor comes again, or after three empty pages in a row.
 */
export function createPager<T>(rest: ExplorerRest, list: PagedList<T>): Pager<T> {
  const rows: T[] = [];
  const seenKeys = new Set<string>();
  const seenCursors = new Set<string>();
  const reasons: CompletenessReason[] = [];
  let skipped = 0;
  let cursor: PageCursor | undefined = {};
  let emptyPages = 0;

  function add(pageRows: readonly T[]): readonly T[] {
    const added = pageRows.filter((row) => {
      const key = list.keyOf(row);
      return !seenKeys.has(key) && seenKeys.add(key);
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
      const current = cursor;
      if (!current) return [];
      seenCursors.add(toCursorKey(current));
      const page = await readPage(rest, { list, cursor: current }, options);
      const [first] = page.rows;
      const isRepeated = first !== undefined && seenKeys.has(list.keyOf(first));
      skipped += isRepeated ? 0 : page.skipped;
      const added = add(page.rows);
      const next = page.cursor;
      const isStuck = next !== undefined && next !== 'broken' && seenCursors.has(toCursorKey(next));
      emptyPages = added.length + page.skipped === 0 ? emptyPages + 1 : 0;
      const isBroken = next === 'broken' || (next !== undefined && emptyPages === MAX_EMPTY_PAGES);
      if (isRepeated || isStuck) reasons.push({ code: 'pageRepeated', list: list.name });
      else if (isBroken) reasons.push({ code: 'listBroken', list: list.name });
      cursor = isRepeated || isStuck || isBroken ? undefined : next;
      return added;
    },
  };
}

export interface WholeList<T> {
  readonly rows: readonly T[];
  readonly skipped: number;
  readonly reasons: readonly CompletenessReason[];
}

/**
 * Reads a list to its end. If a later page fails, the rows before it are returned; if the first one fails,
 * the call fails.
 *
 * @throws AppError as `ExplorerRest.get` does.
 */
export async function fetchWholeList<T>(
  rest: ExplorerRest,
  list: PagedList<T>,
  { maxPages, ...options }: UntilAborted & { readonly maxPages: number },
): Promise<WholeList<T>> {
  const pager = createPager(rest, list);
  const reasons: CompletenessReason[] = [];
  for (let page = 0; page < maxPages && !pager.isAtEnd; page++) {
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

export type PageCursor = Readonly<Record<string, string>>;

export interface PagedList<T> {
  readonly name: HoldingsList;
  readonly path: string;
  /** Our own filters, sent with every page: the explorer's cursor does not contain them. */
  readonly query: Readonly<Record<string, string>>;
  /** Parses a page that was requested with `cursor`, and counts unreadable rows. */
  readonly read: (
    items: readonly unknown[],
    cursor: PageCursor,
  ) => Promise<{ readonly rows: readonly T[]; readonly skipped: number }>;
  /** The same for the same row on any page. */
  readonly keyOf: (row: T) => string;
}

interface Pager<T> {
  /** All rows so far, without duplicates. */
  readonly rows: readonly T[];
  readonly skipped: number;
  /** Whether reading has stopped, for any reason. */
  readonly isAtEnd: boolean;
  /** Why rows may be missing at the end of the list. */
  readonly reasons: readonly CompletenessReason[];
  /**
   * Reads the next page and returns its new rows. @throws AppError as `ExplorerRest.get` does; the page can
   * then be retried.
   */
  next(options: UntilAborted): Promise<readonly T[]>;
}

/** Since v6, an unknown route has status 400. */
function toRestError(error: AppError): AppError {
  const { status, serverMessage = '' } = error.details;
  const noRoute =
    (status === 404 && !isExplorerNotFound(error)) ||
    (status === 400 && /^unknown api v2 action$/i.test(serverMessage.trim()));
  return noRoute ? new AppError('notServed', 'The explorer does not have this route.', error.details) : error;
}

const MAX_CURSOR_MEMBERS = 20;
const MAX_CURSOR_VALUE_CHARS = 200;

export const cursorField = z.nullish(z.record(z.string(), z.unknown()));

/**
 * Converts a cursor to query parameters; null becomes `null`. Undefined at the end of the list, `broken` if
 * invalid.
 *
 * @example parsePageCursor({ block_number: 7, index: null }) // { block_number: '7', index: 'null' }
 */
export function parsePageCursor(json: z.infer<typeof cursorField>): PageCursor | 'broken' | undefined {
  // Some releases echo the API key, which is already in the URL.
  const members = Object.entries(json ?? {}).filter(([name]) => name !== 'apikey' && name !== 'key');
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

/** The same for two cursors that lead to the same page, whatever the number of rows before it. */
function toCursorKey(cursor: PageCursor): string {
  const members = Object.entries(cursor).filter(([name]) => name !== 'items_count');
  return JSON.stringify(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** After this many pages in a row without rows, the list is considered broken. */
const MAX_EMPTY_PAGES = 3;

const Page = z.object({ items: listField, next_page_params: cursorField });

async function readPage<T>(
  rest: ExplorerRest,
  { list, cursor }: { readonly list: PagedList<T>; readonly cursor: PageCursor },
  options: UntilAborted,
) {
  const parsed = Page.safeParse(await rest.get(list.path, { ...list.query, ...cursor }, options));
  if (!parsed.success) {
    throw new AppError('badResponse', 'The response of the explorer is not a page of a list.', {
      cause: parsed.error,
      provider: rest.label,
    });
  }
  const { items, next_page_params: next } = parsed.data;
  return { ...(await list.read(items, cursor)), cursor: parsePageCursor(next) };
}

// Ratios are strings with two digits in older releases; for a list, the flag is more reliable.
const Status = z.object({
  finished_indexing_blocks: optionalField(z.boolean()),
  finished_indexing: optionalField(z.boolean()),
  indexed_blocks_ratio: moneyField,
});

/** Parses `/main-page/indexing-status`; undefined if every block is indexed. */
export function parseIndexingStatus(data: unknown): CompletenessReason | undefined {
  const status = Status.safeParse(data).data;
  const ratio = status?.indexed_blocks_ratio;
  const finished = status?.finished_indexing_blocks ?? status?.finished_indexing;
  const isRatio = ratio !== undefined && ratio >= 0;
  if (finished === undefined && !isRatio) return { code: 'indexingUnknown' };
  if (isRatio && ratio < 1) return { code: 'indexing', ratio };
  return finished === false ? { code: 'indexing', ratio: undefined } : undefined;
}
