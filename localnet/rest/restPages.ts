import type { Reply } from '../http/recordingServer.ts';
import { type RestCall, restReply } from './restCall.ts';

const PAGE = 50;
const LARGEST_PAGE = 100;
const anywhere = ['apikey', 'key', 'items_count'];

/** One list: what may be asked of it, and where a page begins and ends. */
export type PagedList<T> = {
  readonly rows: readonly T[];
  /** Parameters that it takes beside those of its cursor. */
  readonly filters: readonly string[];
  /** Members of its cursor. */
  readonly members: readonly string[];
  /** How many rows lie before the place that the cursor names; undefined where that is not whole. */
  readonly before: (query: URLSearchParams) => number | undefined;
  /** The cursor behind the row at `last`; `query` is that of the page which ends there. */
  readonly cursor: (last: number, first: number) => Readonly<Record<string, unknown>>;
};

/** A page of a list. A cursor that is not whole is page 1 again, without a word. */
export function pageReply<T>(call: RestCall, list: PagedList<T>, show: (row: T) => unknown): Reply {
  const refused = refuseUnexpected(call, [...list.filters, ...list.members]);
  if (refused) return refused;
  const size = pageSize(call);
  if (size === undefined) return invalid('items_count', '0 is smaller than inclusive minimum 1');
  const first = list.before(call.query) ?? 0;
  const shown = list.rows.slice(first, first + size);
  const isLast = first + shown.length >= list.rows.length;
  const next = isLast
    ? null
    : { ...list.cursor(first + shown.length - 1, first), ...count(call, shown.length) };
  return restReply(200, { items: shown.map(show), next_page_params: next });
}

/** From v10 on the description of a route says which parameters it takes. */
export function refuseUnexpected(
  { era, query }: Pick<RestCall, 'era' | 'query'>,
  known: readonly string[],
): Reply | undefined {
  if (era === 'v5' || era === 'v8') return undefined;
  const odd = [...query.keys()].find((name) => !known.includes(name) && !anywhere.includes(name));
  return odd === undefined ? undefined : invalid(odd, `Unexpected field: ${odd}`);
}

export function invalid(name: string, detail: string): Reply {
  return restReply(422, { errors: [{ title: 'Invalid value', source: { pointer: `/${name}` }, detail }] });
}

/** The whole number that a parameter holds. */
export function integer(query: URLSearchParams, name: string): bigint | undefined {
  const text = query.get(name) ?? '';
  return /^-?\d{1,80}$/.test(text) ? BigInt(text) : undefined;
}

/** Before v12 the parameter is a part of the cursor that says nothing. */
function pageSize({ era, query }: RestCall): number | undefined {
  const asked = query.get('items_count');
  if (era !== 'v12' || asked === null) return PAGE;
  const size = Number(asked);
  return Number.isInteger(size) && size >= 1 ? Math.min(size, LARGEST_PAGE) : undefined;
}

function count({ era, query }: RestCall, shown: number) {
  return era === 'v12' ? {} : { items_count: Number(query.get('items_count') ?? 0) + shown };
}
