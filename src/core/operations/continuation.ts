import * as z from 'zod/mini';
import { badInput, throwIfAborted } from '../base/errors.ts';
import { groupDigits } from '../eth/units.ts';
import type { Log } from '../logs/log.ts';
import { iteratePages, type LoadProgress, type LogPage, type LogQuery } from '../logs/query/logQuery.ts';
import type { Verdict } from '../logs/query/verdict.ts';
import type { OperationDeps, OperationOptions } from './operation.ts';
import type { JsonObject } from './result.ts';
import type { QueryEventsInput } from './tools.ts';

/** What one call may take before it ends with what it has. */
interface RequestLimit {
  readonly ms: number;
  readonly requests: number;
}

/** Most clients of MCP give a call a minute. */
const LIMIT: RequestLimit = { ms: 45_000, requests: 400 };
/** Of a call that was confirmed after an estimate. */
const CONFIRMED: RequestLimit = { ms: 300_000, requests: 10_000 };
/** Requests in all above which a call ends with an estimate, and waits to be confirmed. */
export const MAX_UNCONFIRMED_REQUESTS = 200;
/** Requests after which the rest can be judged by the blocks that are read. */
const MIN_REQUESTS_TO_ESTIMATE = 24;

/** What it would take to read on to the end, judged by what was read. */
export interface Estimate {
  readonly requests: number;
  readonly seconds: number;
}

/** Why reading ended: at its end, or before. */
type Ending =
  | { readonly kind: 'end' }
  | { readonly kind: 'time'; readonly seconds: number }
  | { readonly kind: 'requests'; readonly requests: number }
  | { readonly kind: 'dear'; readonly estimate: Estimate };

interface ReadLimits extends OperationOptions {
  readonly confirm: boolean;
  /** `all` reads ahead; `some` goes page by page, as who asks will stop soon. */
  readonly wanted: 'all' | 'some';
}

/** Reads a query within the limits of one call. What a cut leaves behind is told by `ending`. */
export function readWithinLimits(
  query: LogQuery,
  deps: Pick<OperationDeps, 'clock' | 'sent'>,
  { confirm, wanted, signal, onProgress }: ReadLimits,
): {
  readonly pages: AsyncGenerator<LogPage>;
  readonly ending: () => Ending;
  readonly requests: () => number;
} {
  const { clock, sent } = deps;
  const limit = confirm ? CONFIRMED : LIMIT;
  const started = clock.elapsed();
  const before = sent();
  const stopped = new AbortController();
  const done = new AbortController();
  let ending: Ending = { kind: 'end' };
  const requests = () => sent() - before;

  function stop(why: Ending): void {
    if (stopped.signal.aborted) return;
    ending = why;
    stopped.abort();
  }

  function judge(share: number): void {
    const spent = requests();
    if (spent >= limit.requests) stop({ kind: 'requests', requests: spent });
    if (confirm || spent < MIN_REQUESTS_TO_ESTIMATE || share <= 0) return;
    const whole = Math.ceil(spent / share);
    if (whole <= MAX_UNCONFIRMED_REQUESTS) return;
    const seconds = Math.ceil((clock.elapsed() - started) / 1000 / share);
    stop({ kind: 'dear', estimate: { requests: whole, seconds } });
  }

  async function* pages(): AsyncGenerator<LogPage> {
    const asked = signal ? AbortSignal.any([signal, stopped.signal]) : stopped.signal;
    void clock.sleep(limit.ms, { signal: done.signal }).then(
      () => stop({ kind: 'time', seconds: limit.ms / 1000 }),
      () => undefined,
    );
    let rows = 0;
    const tell = (share: number) => {
      onProgress?.({ share, message: `${rows} rows, ${requests()} requests` });
      judge(share);
    };
    try {
      const read =
        wanted === 'all'
          ? query.rest({ signal: asked, onProgress: (done) => tell(shareOf(done)) })
          : iteratePages(query, { signal: asked });
      for await (const page of read) {
        rows += page.logs.length;
        yield page;
        if (wanted === 'some') tell(shareRead(page.verdict));
        // What was stopped meanwhile begins no further page.
        if (page.verdict.state === 'more') throwIfAborted(stopped.signal);
      }
      ending = { kind: 'end' };
    } catch (error) {
      // The caller's own cancel is an error; a limit is an end like another.
      throwIfAborted(signal);
      if (!stopped.signal.aborted) throw error;
    } finally {
      done.abort();
    }
  }

  return { pages: pages(), ending: () => ending, requests };
}

function shareOf({ blocksDone, blocks }: LoadProgress): number {
  return blocks > 0n ? Number((blocksDone * 10_000n) / blocks) / 10_000 : 1;
}

function shareRead({ readThrough, fromBlock, toBlock, order }: Verdict): number {
  if (readThrough === undefined) return 0;
  const blocksDone = order === 'oldestFirst' ? readThrough - fromBlock + 1n : toBlock - readThrough + 1n;
  return shareOf({ blocksDone, blocks: toBlock - fromBlock + 1n });
}

/** Why a call ended before the end of its range, and `goOn`, which says how to; nothing where it did not. */
export function formatEnding(ending: Ending, goOn: string): string | undefined {
  switch (ending.kind) {
    case 'end':
      return undefined;
    case 'time':
      return `stopped after ${ending.seconds} seconds, which one call may take: ${goOn}`;
    case 'requests':
      return `stopped after ${ending.requests} requests, which one call may send: ${goOn}`;
    case 'dear': {
      const { requests, seconds } = ending.estimate;
      return `not read to the end: that takes about ${groupDigits(BigInt(requests))} requests and ${seconds} seconds. Narrow the range or the filter, or call again with confirm: true`;
    }
  }
}

/** The estimate that an answer carries. */
export function estimateToJson(ending: Ending): JsonObject {
  return ending.kind === 'dear' ? { estimate: { ...ending.estimate } } : {};
}

/** How to go on with a call that can be made again for what is left, if anything was read at all. */
export function formatContinuation(verdict: Verdict | undefined): string {
  return verdict
    ? 'go on with next_call'
    : 'nothing was read in that time. Narrow the range, or tell the user that the endpoint is slow';
}

const text = z.string().check(z.maxLength(2000));
const texts = z.array(text).check(z.maxLength(50));

/** What a page of rows goes on from: the whole question, with its range pinned to blocks, and the last row given. */
const cursorSchema = z.strictObject({
  v: z.literal(1),
  addresses: texts.check(z.maxLength(20)),
  topics: z.array(z.nullable(texts)).check(z.maxLength(4)),
  from: z.string().check(z.regex(/^\d{1,20}$/)),
  to: z.string().check(z.regex(/^\d{1,20}$/)),
  order: z.enum(['oldestFirst', 'newestFirst']),
  limit: z.int().check(z.minimum(1), z.maximum(100)),
  given: z.int().check(z.nonnegative()),
  last: z.strictObject({
    block: z.string().check(z.regex(/^\d{1,20}$/)),
    index: z.int().check(z.nonnegative()),
    hash: z.string().check(z.regex(/^0x[0-9a-f]{64}$/)),
  }),
  /** What was asked for in the call that began it, to be held against what a later one says. */
  asked: z.record(z.string(), z.unknown()),
});

export type EventCursor = z.infer<typeof cursorSchema>;

/** The parts of a call that a cursor stands for. */
const STANDS_FOR = ['address', 'event', 'args', 'from', 'to', 'order'] as const;

/** What of a call a cursor made from it stands for. */
export function toCursorQuery(input: QueryEventsInput): EventCursor['asked'] {
  return Object.fromEntries(
    STANDS_FOR.flatMap((part) => (input[part] === undefined ? [] : [[part, input[part]]])),
  );
}

/** A cursor as base64url, to be given back as it is. */
export function encodeCursor(cursor: EventCursor): string {
  const bytes = new TextEncoder().encode(JSON.stringify(cursor));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** @throws AppError `badInput` for `cursor` where it is none, or of another question than the call asks. */
export function decodeCursor(written: string, input: QueryEventsInput): EventCursor {
  const read = cursorSchema.safeParse(parsed(written));
  if (!read.success) {
    throw badInput(
      'cursor',
      'Not a cursor of this tool. Give it as it stands in next_call, or ask again without one.',
    );
  }
  const { asked } = read.data;
  const other = STANDS_FOR.find(
    (part) => input[part] !== undefined && JSON.stringify(input[part]) !== JSON.stringify(asked[part]),
  );
  if (other === undefined) return read.data;
  throw badInput(
    'cursor',
    `The cursor is of a question with another ${other}. Leave all but the cursor out to go on, or leave the cursor out to ask anew.`,
  );
}

/** The cursor behind the last row of a page. */
export function createCursorAfter(cursor: Omit<EventCursor, 'last' | 'v'>, last: Log): EventCursor {
  const { blockNumber, logIndex, blockHash } = last;
  return { v: 1, ...cursor, last: { block: blockNumber.toString(), index: logIndex, hash: blockHash } };
}

function parsed(written: string): unknown {
  try {
    const binary = atob(written.replaceAll('-', '+').replaceAll('_', '/'));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0))));
  } catch {
    return undefined;
  }
}

/** The call that reads what is left of a range of which `verdict` says how far it was read. */
export function createContinuationCall(
  input: QueryEventsInput,
  { order, readThrough, fromBlock, toBlock }: Verdict,
  asked: EventCursor['asked'] = toCursorQuery(input),
): JsonObject {
  const isUp = order === 'oldestFirst';
  const from = isUp && readThrough !== undefined ? readThrough + 1n : fromBlock;
  const to = !isUp && readThrough !== undefined ? readThrough - 1n : toBlock;
  const mode = input.cursor === undefined ? input.mode : 'rows';
  return {
    tool: 'query_events',
    arguments: {
      ...(asked as JsonObject),
      ...{ mode, from: from.toString(), to: to.toString() },
      ...(input.limit !== undefined && { limit: input.limit }),
      confirm: true,
    },
  };
}
