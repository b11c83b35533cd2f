import * as z from 'zod/mini';
import { badInput, throwIfAborted } from '../base/errors.ts';
import { decimal, type OwnText, ownText, ownWord } from '../base/ownText.ts';
import { formatQuantity, groupDigits } from '../base/text.ts';
import { hashText } from '../eth/keccak.ts';
import type { Log, LogOrder } from '../logs/log.ts';
import type { LogFilter } from '../logs/query/filter.ts';
import { iteratePages, type LoadProgress, type LogPage, type LogQuery } from '../logs/query/logQuery.ts';
import { isUnreached, reasonCodes, type Verdict } from '../logs/query/verdict.ts';
import type { StateQuery } from '../state/contractState.ts';
import { MAX_MESSAGE_CHARS, userText } from './agentText.ts';
import type { OperationDeps, OperationOptions } from './operation.ts';
import type { JsonObject } from './result.ts';
import { eventQueryInput, type GetStateInput, MAX_CURSOR_CHARS, type QueryEventsInput } from './tools.ts';

/** Reads a query within the limits of one call. `ending` says whether it was cut short. */
export function readWithinLimits(
  filter: LogFilter,
  { client, clock }: Pick<OperationDeps, 'client' | 'clock'>,
  { order, confirm, extent, signal, onProgress }: ReadLimits,
): {
  readonly query: LogQuery;
  readonly pages: AsyncGenerator<LogPage>;
  readonly ending: () => Ending;
  readonly requests: () => number;
} {
  const limit = confirm ? CONFIRMED_LIMIT : DEFAULT_LIMIT;
  const started = clock.elapsed();
  const stopped = new AbortController();
  const finished = new AbortController();
  let ending: Ending = { kind: 'end' };
  let sent = 0;
  /** One for each step ahead since the first requests. */
  const points: { readonly sent: number; readonly share: number; readonly ms: number }[] = [];
  const query = client.openLogQuery(filter, { order, onRequest: () => sent++ });

  function stop(reason: Ending): void {
    if (stopped.signal.aborted) return;
    ending = reason;
    stopped.abort();
  }

  function checkLimits(share: number): void {
    if (sent >= limit.requests) stop({ kind: 'requests', requests: sent });
    if (confirm || sent < MIN_REQUESTS_TO_ESTIMATE || share <= 0) return;
    const point = { sent, share, ms: clock.elapsed() - started };
    // The first requests find out how many blocks a response may have: they say nothing of the rest.
    if (share > (points.at(-1)?.share ?? 0)) points.push(point);
    const [first] = points;
    if (!first || points.length < MIN_STEPS_TO_ESTIMATE || sent - first.sent < MIN_REQUESTS_TO_ESTIMATE)
      return;
    const rest = (1 - share) / (share - first.share);
    const requests = Math.ceil(sent + (sent - first.sent) * rest);
    if (requests <= MAX_UNCONFIRMED_REQUESTS) return;
    const seconds = Math.ceil((point.ms + (point.ms - first.ms) * rest) / 1000);
    stop({ kind: 'dear', estimate: { requests, seconds } });
  }

  async function* pages(): AsyncGenerator<LogPage> {
    const readSignal = signal ? AbortSignal.any([signal, stopped.signal]) : stopped.signal;
    void clock.sleep(limit.ms, { signal: finished.signal }).then(
      () => stop({ kind: 'time', seconds: limit.ms / 1000 }),
      () => undefined,
    );
    let rows = 0;
    const reportProgress = (share: number) => {
      onProgress?.({ share, message: `${formatQuantity(rows, 'row')}, ${formatQuantity(sent, 'request')}` });
      checkLimits(share);
    };
    try {
      const source =
        extent === 'all'
          ? query.rest({ signal: readSignal, onProgress: (progress) => reportProgress(getShare(progress)) })
          : iteratePages(query, { signal: readSignal });
      for await (const page of source) {
        rows += page.logs.length;
        yield page;
        if (extent === 'some') reportProgress(getShareRead(page.verdict));
        // Do not start another page if the call was stopped meanwhile.
        if (page.verdict.state === 'more') throwIfAborted(stopped.signal);
      }
      ending = { kind: 'end' };
    } catch (error) {
      // A cancellation by the caller is an error, a limit is not.
      throwIfAborted(signal);
      if (!stopped.signal.aborted) throw error;
    } finally {
      finished.abort();
    }
  }

  return { query, pages: pages(), ending: () => ending, requests: () => sent };
}

interface ReadLimits extends OperationOptions {
  readonly order: LogOrder;
  readonly confirm: boolean;
  /** `all` reads ahead; `some` goes page by page, since the caller will stop soon. */
  readonly extent: 'all' | 'some';
}

/** Why reading ended; `dear`: the estimate requires a confirmation. */
type Ending =
  | { readonly kind: 'end' }
  | { readonly kind: 'time'; readonly seconds: number }
  | { readonly kind: 'requests'; readonly requests: number }
  | { readonly kind: 'dear'; readonly estimate: Estimate };

/** What reading the complete range takes. */
interface Estimate {
  readonly requests: number;
  readonly seconds: number;
}

/** After this, a call ends with a partial result. */
interface RequestLimit {
  readonly ms: number;
  readonly requests: number;
}

/** Most MCP clients time out a call after a minute. */
const DEFAULT_LIMIT: RequestLimit = { ms: 45_000, requests: 400 };
/** For a call that was confirmed after an estimate. */
const CONFIRMED_LIMIT: RequestLimit = { ms: 300_000, requests: 10_000 };
/** A call that is estimated to send more ends with the estimate and must be confirmed. */
const MAX_UNCONFIRMED_REQUESTS = 200;
/** The first requests, after which the pace counts; and how many more, with how many steps ahead, allow an estimate. */
const MIN_REQUESTS_TO_ESTIMATE = 24;
const MIN_STEPS_TO_ESTIMATE = 8;

function getShare({ blocksDone, blocks }: LoadProgress): number {
  return blocks > 0n ? Number((blocksDone * 10_000n) / blocks) / 10_000 : 1;
}

function getShareRead({ readThrough, fromBlock, toBlock, order }: Verdict): number {
  if (readThrough === undefined) return 0;
  const blocksDone = order === 'oldestFirst' ? readThrough - fromBlock + 1n : toBlock - readThrough + 1n;
  return getShare({ blocksDone, blocks: toBlock - fromBlock + 1n });
}

/** Why a call ended before the end of its range, and how to continue; undefined if it did not. */
export function formatEnding(ending: Ending, howToContinue: OwnText): OwnText | undefined {
  switch (ending.kind) {
    case 'end':
      return undefined;
    case 'time':
      return ownText`Stopped after ${userText(formatQuantity(ending.seconds, 'second'))}, the limit of one call. ${howToContinue}`;
    case 'requests':
      return ownText`Stopped after ${userText(formatQuantity(ending.requests, 'request'))}, the limit of one call. ${howToContinue}`;
    case 'dear': {
      const { requests, seconds } = ending.estimate;
      return ownText`The complete result takes about ${userText(groupDigits(BigInt(requests)))} requests and ${userText(formatQuantity(seconds, 'second'))}. Narrow the range or the filter, or call again with confirm: true.`;
    }
  }
}

export function estimateToJson(ending: Ending): JsonObject {
  return ending.kind === 'dear' ? { estimate: { ...ending.estimate } } : {};
}

/** How to continue a call for the rest of its range; `verdict` is undefined if nothing was read. */
export function formatContinuation(verdict: Verdict | undefined): OwnText {
  return verdict
    ? ownText`Continue with next_call.`
    : ownText`Nothing was read. Narrow the range, or tell the user that the endpoint is slow.`;
}

/** The call that reads the rest of a range: the blocks after those that `verdict` covers. */
export function createContinuationCall(
  input: QueryEventsInput,
  { order, readThrough, fromBlock, toBlock, reasons }: Verdict,
  queryParts: EventCursor['asked'] = toCursorQuery(input),
): JsonObject {
  const isAscending = order === 'oldestFirst';
  const from = isAscending && readThrough !== undefined ? readThrough + 1n : fromBlock;
  const to = !isAscending && readThrough !== undefined ? readThrough - 1n : toBlock;
  const mode = input.cursor === undefined ? input.mode : 'rows';
  // An end that the chain has not reached stays as the caller wrote it.
  const isReached = !isAscending || !reasons.some(isUnreached);
  return {
    tool: ownWord('query_events'),
    arguments: {
      // As the caller wrote them.
      ...(queryParts as JsonObject),
      mode: ownWord(mode),
      from: decimal(from),
      ...(isReached && { to: decimal(to) }),
      ...(input.limit !== undefined && { limit: input.limit }),
      confirm: true,
    },
  };
}

/**
 * A cursor as base64url.
 *
 * @throws AppError `badInput` for `mode` if the query is too long to be repeated on each page.
 */
export function encodeCursor(cursor: EventCursor): string {
  const encoded = encodeBase64Json(cursor);
  if (encoded.length <= MAX_CURSOR_CHARS) return encoded;
  throw badInput(
    'mode',
    'The query is too long to be read in pages. Use fewer addresses and values, or mode count, sample or file.',
  );
}

/** @throws AppError `badInput` for `cursor` if it is invalid or belongs to another query. */
export function decodeCursor(encoded: string, input: QueryEventsInput): EventCursor {
  const parsed = cursorSchema.safeParse(parseBase64Json(encoded));
  if (!parsed.success) throw createCursorError();
  const { asked } = parsed.data;
  const changedPart = CURSOR_PARTS.find(
    (part) => input[part] !== undefined && JSON.stringify(input[part]) !== JSON.stringify(asked[part]),
  );
  if (changedPart === undefined) return parsed.data;
  throw badInput(
    'cursor',
    ownText`The cursor belongs to a query with another ${ownWord(changedPart)}. To continue, send only the cursor. To start again, leave it out.`,
  );
}

const createCursorError = () =>
  badInput(
    'cursor',
    'The cursor is invalid. Copy it unchanged from next_call, or call again without a cursor.',
  );

function encodeBase64Json(json: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(json));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function parseBase64Json(encoded: string): unknown {
  try {
    const binary = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0))));
  } catch {
    return undefined;
  }
}

export function toCursorQuery(input: QueryEventsInput): EventCursor['asked'] {
  return Object.fromEntries(
    CURSOR_PARTS.flatMap((part) => (input[part] === undefined ? [] : [[part, input[part]]])),
  );
}

/**
 * A hash of a resolved filter on its chain: if a name gets another meaning between two pages, or the network is another one,
 * they would mix two queries.
 */
export function hashFilter({ addresses, topics }: LogFilter, chainId: number | undefined): string {
  return hashQuery([chainId ?? null, addresses, topics]);
}

const hashQuery = (parts: readonly unknown[]): string => hashText(JSON.stringify(parts)).slice(0, 18);

/** The parts of a call that a cursor replaces. */
const CURSOR_PARTS = ['address', 'event', 'args', 'from', 'to', 'order'] as const;

/** @param place the last row of a page, and which one of those with its index it is, from 1. */
export function createCursorAfter(
  cursor: Omit<EventCursor, 'last' | 'v'>,
  { last, nth }: { readonly last: Log; readonly nth: number },
): EventCursor {
  const { blockNumber, logIndex, blockHash } = last;
  const place = { block: blockNumber.toString(), index: logIndex, hash: blockHash };
  return { v: 1, ...cursor, last: nth > 1 ? { ...place, nth } : place };
}

export type EventCursor = z.infer<typeof cursorSchema>;

/** Where the next page continues: the query, with its range resolved to blocks, and the last row of this page. */
const cursorSchema = z.strictObject({
  v: z.literal(1),
  from: z.string().check(z.regex(/^\d{1,20}$/)),
  to: z.string().check(z.regex(/^\d{1,20}$/)),
  order: z.enum(['oldestFirst', 'newestFirst']),
  limit: z.int().check(z.minimum(1), z.maximum(100)),
  given: z.int().check(z.nonnegative()),
  last: z.strictObject({
    block: z.string().check(z.regex(/^\d{1,20}$/)),
    index: z.int().check(z.nonnegative()),
    hash: z.string().check(z.regex(/^0x[0-9a-f]{64}$/)),
    nth: z.optional(z.int().check(z.positive())),
  }),
  /** Why the pages so far are not certain to be complete. */
  reasons: z.optional(
    z
      .array(
        z.strictObject({
          code: z.enum(reasonCodes),
          block: z.optional(z.string().check(z.regex(/^\d{1,20}$/))),
        }),
      )
      .check(z.maxLength(20)),
  ),
  /** Newest first: the block of the first row of the first page. */
  newest: z.optional(
    z.strictObject({
      block: z.string().check(z.regex(/^\d{1,20}$/)),
      hash: z.string().check(z.regex(/^0x[0-9a-f]{64}$/)),
    }),
  ),
  /** The block of a returned row that was replaced, or may have been, before this page. */
  replaced: z.optional(
    z.strictObject({ block: z.string().check(z.regex(/^\d{1,20}$/)), isCertain: z.boolean() }),
  ),
  /** The parts of the first call; later calls must not differ. */
  asked: eventQueryInput,
  /** As {@link hashFilter} returns it. */
  filter: z.string().check(z.regex(/^0x[0-9a-f]{16}$/)),
});

/** Reasons that the next pages repeat: so many fit into {@link MAX_CURSOR_CHARS}. */
const MAX_STATE_REASONS = 8;

/** Where the next page of rebuilt state begins: `first` rows were returned, of the state after one block. */
const stateCursorSchema = z.strictObject({
  v: z.literal(2),
  first: z.int().check(z.positive()),
  block: z.string().check(z.regex(/^\d{1,20}$/)),
  blockHash: z.nullable(z.string().check(z.regex(/^0x[0-9a-f]{64}$/))),
  /** As {@link hashState} returns it. */
  query: z.string().check(z.regex(/^0x[0-9a-f]{16}$/)),
  /** Of all rows, and of those that were returned. */
  count: z.int().check(z.positive()),
  returned: z.string().check(z.regex(/^0x[0-9a-f]{16}$/)),
  confirmed: z.boolean(),
  /** Why the pages so far are not certain. */
  reasons: z.optional(
    z.array(z.string().check(z.maxLength(MAX_MESSAGE_CHARS + 1))).check(z.maxLength(MAX_STATE_REASONS)),
  ),
});

export type StateCursor = z.infer<typeof stateCursorSchema>;

/** What state was rebuilt, and on which chain, as a hash: see {@link hashFilter}. */
export function hashState({ kind, address, owner }: StateQuery, chainId: number | undefined): string {
  return hashQuery([chainId ?? null, kind, address, owner ?? null]);
}

/**
 * The returned rows, as a hash: if another rebuild has others, its pages do not fit to them.
 *
 * @param before the hash of the rows before `rows`.
 */
export const hashReturned = (rows: readonly JsonObject[], before?: string): string =>
  hashQuery(before === undefined ? rows : [before, ...rows]);

/** The call that returns the next rows of rebuilt state. */
export function createStateContinuation(
  { kind, address, owner, limit }: GetStateInput,
  { reasons = [], ...place }: Omit<StateCursor, 'v'>,
): JsonObject {
  const some = reasons.slice(0, MAX_STATE_REASONS);
  const cursor: StateCursor = { v: 2, ...place, ...(some.length > 0 && { reasons: some }) };
  return {
    tool: ownWord('get_state'),
    arguments: {
      kind: ownWord(kind),
      // As the caller wrote them.
      ...({ address, ...(owner !== undefined && { owner }) } as unknown as JsonObject),
      block: userText(place.block),
      ...(limit !== undefined && { limit }),
      cursor: userText(encodeBase64Json(cursor), MAX_CURSOR_CHARS),
    },
  };
}

/** @throws AppError `badInput` for `cursor` if it is invalid, or of another block than `block`. */
export function decodeStateCursor(encoded: string, block: GetStateInput['block']): StateCursor {
  const parsed = stateCursorSchema.safeParse(parseBase64Json(encoded));
  if (parsed.success && String(block ?? parsed.data.block) === parsed.data.block) return parsed.data;
  throw createCursorError();
}
