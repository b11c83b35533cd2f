import * as z from 'zod/mini';
import {
  isAppError,
  logFilterToJson,
  parseQueryDefinition,
  parseQueryForm,
  type QueryDefinition,
  queryDefinitionToJson,
  toQueryForm,
} from '../../../core/index.ts';
import { isWhole, type KeptRun, keptRunSchema } from './keptRun.ts';

/** A network as it was when a query ran; of another chain by now, it is another network. */
export interface AskedNetwork {
  readonly id: string;
  readonly name: string;
}

/** A question and whom it is asked. */
export interface NetworkQuestion {
  readonly question: QueryDefinition;
  readonly network: AskedNetwork;
}

/** A query that ran. */
export interface RecentQuery extends NetworkQuestion {
  readonly id: string;
  readonly last: KeptRun;
  /** The last complete run before it. */
  readonly earlier?: KeptRun | undefined;
}

/** Those that are not saved; the longest ago go first. */
export const MOST_RECENT = 100;
export const MOST_SAVED = 200;
/** Characters of one question: some 1,000 addresses. A longer one is not kept. */
const LONGEST_QUESTION = 64 * 1024;
/** Of all questions together. */
const MOST_CHARACTERS = 1024 * 1024;

const id = z.string().check(z.regex(/^[0-9a-f-]{36}$/));
const name = z.string().check(z.maxLength(300));
const network = z.object({ id: name, name });
const kept = z.object({
  id,
  question: z.unknown(),
  network,
  last: keptRunSchema,
  earlier: z.optional(keptRunSchema),
});
const keptList = z.object({ version: z.literal(1), queries: z.array(z.unknown()) });

/** A query that has a name. */
export interface SavedQuery extends NetworkQuestion {
  readonly id: string;
  readonly name: string;
}

export const LONGEST_NAME = 100;
const saved = z.object({ version: z.literal(1), question: z.unknown(), network });

/** What takes a while to find, of each question once. */
const known = new WeakMap<QueryDefinition, { readonly asks: string; readonly characters: number }>();

function factsOf(question: QueryDefinition) {
  const facts = known.get(question);
  if (facts) return facts;
  const json = JSON.stringify(queryDefinitionToJson(question));
  const { filter } = parseQueryForm(toQueryForm(question.query));
  const found = { asks: filter ? JSON.stringify(logFilterToJson(filter)) : json, characters: json.length };
  known.set(question, found);
  return found;
}

/** Tells queries apart: which logs are asked of which network, whatever they are called and whichever end comes first. */
export function keyOf({ question, network }: NetworkQuestion): string {
  return `${network.id}\n${question.chainId}\n${factsOf(question).asks}`;
}

/** The list with a run of a query noted, which comes first from its beginning on. */
export function withRun(
  list: readonly RecentQuery[],
  asked: NetworkQuestion,
  run: KeptRun,
): readonly RecentQuery[] {
  if (factsOf(asked.question).characters > LONGEST_QUESTION) return list;
  const key = keyOf(asked);
  const before = list.find((query) => keyOf(query) === key);
  if (!before) return [{ id: crypto.randomUUID(), ...asked, last: run }, ...list];
  if (before.last.id === run.id) {
    const { rows, compared } = before.last;
    const noted = { ...(compared && { compared }), ...run, ...(rows && { rows }) };
    return list.map((query) => (query === before ? { ...before, ...asked, last: noted } : query));
  }
  // Of a run that was overtaken by another nothing more is told.
  if (before.earlier?.id === run.id) return list;
  const earlier = isWhole(before.last) ? before.last : before.earlier;
  const { earlier: _, ...rest } = before;
  const next = { ...rest, ...asked, last: run, ...(earlier && { earlier }) };
  return [next, ...list.filter((query) => query !== before)];
}

/** The list with its rows on disk noted for a run, or that they are there no more. */
export function withRows(
  list: readonly RecentQuery[],
  runId: string,
  rows: KeptRun['rows'],
): readonly RecentQuery[] {
  const noted = (run: KeptRun): KeptRun => {
    if (run.id !== runId) return run;
    const { rows: _, ...rest } = run;
    return rows ? { ...rest, rows } : rest;
  };
  return list.map(({ last, earlier, ...query }) => ({
    ...query,
    last: noted(last),
    ...(earlier && { earlier: noted(earlier) }),
  }));
}

/**
 * Within bounds: the newest. `isSaved` says which have a name, and are bounded by themselves; undefined where that is not known
 * yet.
 */
export function bounded(
  list: readonly RecentQuery[],
  isSaved: ((query: RecentQuery) => boolean) | undefined,
): readonly RecentQuery[] {
  const recent = isSaved ? MOST_RECENT : MOST_RECENT + MOST_SAVED;
  const room = { saved: MOST_SAVED, recent, characters: MOST_CHARACTERS };
  return list.filter((query) => {
    const kind = isSaved?.(query) ? 'saved' : 'recent';
    room[kind]--;
    room.characters -= factsOf(query.question).characters;
    return room[kind] >= 0 && room.characters >= 0;
  });
}

/** Every run that is told of. */
export function runsIn(list: readonly RecentQuery[]): readonly KeptRun[] {
  return list.flatMap(({ last, earlier }) => (earlier ? [last, earlier] : [last]));
}

/** The form in which the list is kept. */
export function recentToJson(list: readonly RecentQuery[]) {
  return {
    version: 1,
    queries: list.map(({ question, ...query }) => ({ ...query, question: queryDefinitionToJson(question) })),
  };
}

/** The list out of what was kept, without what is none of ours: an earlier release, or anybody else, may have written it. */
export function readRecent(stored: unknown): readonly RecentQuery[] {
  const list = keptList.safeParse(stored).data?.queries.slice(0, MOST_RECENT + MOST_SAVED) ?? [];
  const found = list.flatMap((one) => {
    const query = kept.safeParse(one).data;
    const question = query && readQuestion(query.question);
    if (!query || !question) return [];
    const { earlier, ...rest } = query;
    return [{ ...rest, question, ...(earlier && { earlier }) }];
  });
  return bounded(
    firstOfEach(firstOfEach(found, keyOf), ({ id }) => id),
    undefined,
  );
}

/** The form in which a query with a name is kept. */
export function savedToJson({ name, question, network }: SavedQuery) {
  return { version: 1, network, question: queryDefinitionToJson({ ...question, title: name }) };
}

/** A query with a name, out of what was kept; undefined for what is none of ours. */
export function readSaved(id: string, stored: unknown): SavedQuery | undefined {
  const query = saved.safeParse(stored).data;
  const question = query && readQuestion(query.question);
  if (!query || !question?.title || question.title.length > LONGEST_NAME) return undefined;
  const { title, ...untitled } = question;
  return { id, name: title, network: query.network, question: untitled };
}

/** Only what can be asked. */
function readQuestion(json: unknown): QueryDefinition | undefined {
  try {
    const question = parseQueryDefinition(json);
    if (question.chainId === undefined || factsOf(question).characters > LONGEST_QUESTION) return undefined;
    return parseQueryForm(toQueryForm(question.query)).filter && question;
  } catch (error) {
    if (isAppError(error, 'badInput')) return undefined;
    throw error;
  }
}

function firstOfEach<T>(list: readonly T[], by: (one: T) => string): readonly T[] {
  const seen = new Set<string>();
  return list.filter((one) => {
    const key = by(one);
    return !seen.has(key) && seen.add(key);
  });
}
