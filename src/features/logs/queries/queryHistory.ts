import * as z from 'zod/mini';
import {
  isAppError,
  logFilterToJson,
  parseQueryDefinition,
  parseQueryForm,
  type QueryDefinition,
  queryDefinitionToJson,
  reasonCodes,
  type Verdict,
} from '../../../core/index.ts';

const blockText = z.string().check(z.regex(/^\d{1,20}$/));
/** Reasons stored per run; the panel has them all. */
const MAX_REASONS = 8;

const storedVerdictSchema = z.object({
  state: z.enum(['complete', 'more', 'unreached', 'uncertain']),
  order: z.enum(['newestFirst', 'oldestFirst']),
  fromBlock: blockText,
  toBlock: blockText,
  reasons: z
    .array(z.object({ code: z.enum(reasonCodes), block: z.optional(blockText) }))
    .check(z.maxLength(MAX_REASONS)),
});

/** Block numbers are decimal strings. */
const storedRunSchema = z.object({
  id: z.string().check(z.regex(/^[0-9a-f-]{36}$/)),
  /** When the last logs came, else when the run began; in milliseconds since the Unix epoch. */
  at: z.number().check(z.nonnegative()),
  count: z.int().check(z.nonnegative()),
  /** Absent before the first page. */
  verdict: z.optional(storedVerdictSchema),
  /** How it ended before it was complete. */
  ended: z.optional(z.enum(['failed', 'cancelled'])),
});

export type StoredRun = Readonly<z.infer<typeof storedRunSchema>>;
export type StoredVerdict = Readonly<z.infer<typeof storedVerdictSchema>>;

export function toStoredVerdict({ state, order, fromBlock, toBlock, reasons }: Verdict): StoredVerdict {
  return {
    state,
    order,
    fromBlock: fromBlock.toString(),
    // Before the first block there are no blocks: the range is empty, and ends below its start.
    toBlock: (toBlock < 0n ? 0n : toBlock).toString(),
    reasons: reasons.slice(0, MAX_REASONS).map(({ code, block }) => ({
      code,
      ...(block !== undefined && { block: block.toString() }),
    })),
  };
}

export function isCompleteRun({ verdict }: StoredRun): boolean {
  return verdict?.state === 'complete';
}

/** A network as it was when the query ran. With another chain now, it counts as a different network. */
interface QueriedNetwork {
  readonly id: string;
  readonly name: string;
}

export interface NetworkQuery {
  readonly question: QueryDefinition;
  readonly network: QueriedNetwork;
}

/** A query that ran. */
export interface RecentQuery extends NetworkQuery {
  readonly id: string;
  readonly last: StoredRun;
  /** The last complete run before `last`. */
  readonly earlier?: StoredRun | undefined;
}

/** Queries that are not saved; the oldest are dropped first. */
export const MAX_RECENT_QUERIES = 100;
export const MAX_SAVED_QUERIES = 200;
/** Characters of one query, about 1,000 addresses. A longer one is not stored. */
const MAX_QUERY_CHARS = 64 * 1024;
/** Of all queries together. */
const MAX_TOTAL_CHARS = 1024 * 1024;

const id = z.string().check(z.regex(/^[0-9a-f-]{36}$/));
const name = z.string().check(z.maxLength(300));
const network = z.object({ id: name, name });
const storedQuerySchema = z.object({
  id,
  question: z.unknown(),
  network,
  last: storedRunSchema,
  earlier: z.optional(storedRunSchema),
});
const storedListSchema = z.object({ version: z.literal(1), queries: z.array(z.unknown()) });

/** A query with a name. */
export interface SavedQuery extends NetworkQuery {
  readonly id: string;
  readonly name: string;
}

export const MAX_QUERY_NAME_CHARS = 100;
const savedQuerySchema = z.object({ version: z.literal(1), question: z.unknown(), network });

/** Costly to compute, so computed once per query. */
const keyCache = new WeakMap<QueryDefinition, { readonly filterKey: string; readonly characters: number }>();

function getQueryFacts(question: QueryDefinition) {
  const facts = keyCache.get(question);
  if (facts) return facts;
  const json = JSON.stringify(queryDefinitionToJson(question));
  const { filter } = parseQueryForm(question.query);
  const found = {
    filterKey: filter ? JSON.stringify(logFilterToJson(filter)) : json,
    characters: json.length,
  };
  keyCache.set(question, found);
  return found;
}

/** Identifies a query: which logs of which network, whatever its title and order. */
export function getQueryKey({ question, network }: NetworkQuery): string {
  return `${network.id}\n${question.chainId}\n${getQueryFacts(question).filterKey}`;
}

/** The list with a run added or updated; its query moves to the top when the run begins. */
export function addRun(
  list: readonly RecentQuery[],
  queried: NetworkQuery,
  run: StoredRun,
): readonly RecentQuery[] {
  if (getQueryFacts(queried.question).characters > MAX_QUERY_CHARS) return list;
  const key = getQueryKey(queried);
  const before = list.find((query) => getQueryKey(query) === key);
  if (!before) return [{ id: crypto.randomUUID(), ...queried, last: run }, ...list];
  if (before.last.id === run.id) {
    return list.map((query) => (query === before ? { ...before, ...queried, last: run } : query));
  }
  // A newer run has replaced this one.
  if (before.earlier?.id === run.id) return list;
  const earlier = isCompleteRun(before.last) ? before.last : before.earlier;
  const { earlier: _, ...rest } = before;
  const next = { ...rest, ...queried, last: run, ...(earlier && { earlier }) };
  return [next, ...list.filter((query) => query !== before)];
}

/**
 * The newest queries within the limits. Saved queries have a limit of their own; `isSaved` is undefined
 * before they are read.
 */
export function limitQueries(
  list: readonly RecentQuery[],
  isSaved: ((query: RecentQuery) => boolean) | undefined,
): readonly RecentQuery[] {
  const recent = isSaved ? MAX_RECENT_QUERIES : MAX_RECENT_QUERIES + MAX_SAVED_QUERIES;
  const budget = { saved: MAX_SAVED_QUERIES, recent, characters: MAX_TOTAL_CHARS };
  return list.filter((query) => {
    const kind = isSaved?.(query) ? 'saved' : 'recent';
    budget[kind]--;
    budget.characters -= getQueryFacts(query.question).characters;
    return budget[kind] >= 0 && budget.characters >= 0;
  });
}

export function recentToJson(list: readonly RecentQuery[]) {
  return {
    version: 1,
    queries: list.map(({ question, ...query }) => ({ ...query, question: queryDefinitionToJson(question) })),
  };
}

/**
 * Parses the stored list, and drops invalid entries: an earlier release or another program may have written
 * it.
 */
export function parseRecent(stored: unknown): readonly RecentQuery[] {
  const list =
    storedListSchema.safeParse(stored).data?.queries.slice(0, MAX_RECENT_QUERIES + MAX_SAVED_QUERIES) ?? [];
  const found = list.flatMap((one) => {
    const query = storedQuerySchema.safeParse(one).data;
    const question = query && parseStoredQuery(query.question);
    if (!query || !question) return [];
    const { earlier, ...rest } = query;
    return [{ ...rest, question, ...(earlier && { earlier }) }];
  });
  return limitQueries(
    dropDuplicates(dropDuplicates(found, getQueryKey), ({ id }) => id),
    undefined,
  );
}

export function savedToJson({ name, question, network }: SavedQuery) {
  return { version: 1, network, question: queryDefinitionToJson({ ...question, title: name }) };
}

/** Undefined if the stored query is invalid. */
export function parseSaved(id: string, stored: unknown): SavedQuery | undefined {
  const query = savedQuerySchema.safeParse(stored).data;
  const question = query && parseStoredQuery(query.question);
  if (!query || !question?.title || question.title.length > MAX_QUERY_NAME_CHARS) return undefined;
  const { title, ...untitled } = question;
  return { id, name: title, network: query.network, question: untitled };
}

/** Only queries that can run. */
function parseStoredQuery(json: unknown): QueryDefinition | undefined {
  try {
    const question = parseQueryDefinition(json);
    if (question.chainId === undefined || getQueryFacts(question).characters > MAX_QUERY_CHARS)
      return undefined;
    return parseQueryForm(question.query).filter && question;
  } catch (error) {
    if (isAppError(error, 'badInput')) return undefined;
    throw error;
  }
}

function dropDuplicates<T>(list: readonly T[], getKey: (one: T) => string): readonly T[] {
  const seen = new Set<string>();
  return list.filter((one) => {
    const key = getKey(one);
    return !seen.has(key) && seen.add(key);
  });
}
