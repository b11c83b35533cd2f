import type { Log } from '../../logs/query/log.ts';
import type { LogFilter } from '../../logs/query/logFilter.ts';
import type { Verdict } from '../../logs/query/verdict.ts';
import { parseAddress } from '../../values/address.ts';
import { parseHexData } from '../../values/hex.ts';
import type { Finding, JsonObject } from '../kit/answer.ts';
import { MOST_ANSWER_BYTES, sentBytes } from '../kit/fitAnswer.ts';
import type { OperationOptions } from '../kit/operation.ts';
import type { EventsAsked } from './countEvents.ts';
import { askedParts, type Cursor, cursorBehind, readCursor, writeCursor } from './cursor.ts';
import { readWithinLimits } from './effort.ts';
import { endingReason, estimateJson, goOnWords } from './ending.ts';
import { eventRow } from './eventRow.ts';
import { furtherCall } from './furtherCall.ts';
import { completeBy, reasonsOf } from './verdictWords.ts';

const ROWS = 20;
/** Of what stands around the rows: verdict, network, words and the arguments of the next call, without its cursor. */
const FRAME_BYTES = 4000;

/** A page of decoded rows, and the call that gives the next one: all pages together have every row once. */
export async function pageEvents(asked: EventsAsked, options: OperationOptions): Promise<Finding> {
  const { deps, input, knowledge } = asked;
  const before = input.cursor === undefined ? undefined : readCursor(input.cursor, input);
  const order = before?.order ?? input.order ?? 'oldestFirst';
  const limit = input.limit ?? before?.limit ?? ROWS;
  const filter = before ? filterBehind(before) : asked.filter;
  const query = deps.client.openLogQuery(filter, { order });
  const { pages, ending } = readWithinLimits(query, deps, {
    ...options,
    ...{ confirm: input.confirm === true, wanted: 'some' },
  });
  const seam = createSeam(before);
  const rows: Log[] = [];
  for await (const { logs } of pages) {
    for (const log of logs) if (rows.length <= limit && seam.isBehind(log)) rows.push(log);
    if (rows.length > limit) break;
  }
  const end = ending();
  const { verdict } = query;
  const stopped = endingReason(end, goOnWords(verdict));
  const whole = stopped === undefined ? rows : rows.filter((log) => isReadWhole(log, verdict));
  const candidates = whole.slice(0, limit);
  await knowledge.prepare(candidates);
  const parts = before?.asked ?? askedParts(input);
  const pinned = pinnedBy(before ?? verdict, filter, { order, limit, asked: parts });
  const shown = fittingRows(candidates, knowledge, pinned);
  const last = candidates[shown.length - 1];
  const isPage = whole.length > shown.length;
  const isMore = isPage || stopped !== undefined;
  const given = (before?.given ?? 0) + shown.length;
  const doubt = seam.doubt();
  const next =
    isPage && last && pinned
      ? nextCall(pinned, last, given)
      : stopped !== undefined && verdict
        ? furtherCall(input, verdict, parts)
        : undefined;
  return {
    complete: isMore ? false : doubt === undefined && verdict ? completeBy(verdict) : 'unknown',
    reasons: [
      ...(stopped === undefined ? [] : [stopped]),
      ...(isPage
        ? [`MORE ROWS THERE: this is a page of ${shown.length} rows. Make next_call for the next one.`]
        : []),
      ...(doubt === undefined ? [] : [doubt]),
      ...(isMore || !verdict ? [] : reasonsOf(verdict)),
    ],
    head: verdict?.head,
    found: {
      order,
      ...(pinned ? { range: { from: pinned.from, to: pinned.to } } : {}),
      ...{ returned: shown.length, returnedSoFar: given, rows: shown },
      ...(next && { next_call: next }),
      ...estimateJson(end),
    },
  };
}

/** Of what was cut short the last block may be there in part. */
function isReadWhole({ blockNumber }: Log, verdict: Verdict | undefined): boolean {
  const { readThrough, order } = verdict ?? {};
  if (readThrough === undefined) return false;
  return order === 'oldestFirst' ? blockNumber <= readThrough : blockNumber >= readThrough;
}

type Pinned = Omit<Cursor, 'last' | 'v' | 'given'>;

/** The question with its range in blocks, the same on every page. */
function pinnedBy(
  range: Cursor | Verdict | undefined,
  { addresses, topics }: LogFilter,
  rest: Pick<Cursor, 'asked' | 'limit' | 'order'>,
): Pinned | undefined {
  if (!range) return undefined;
  const { from, to } = 'fromBlock' in range ? { from: `${range.fromBlock}`, to: `${range.toBlock}` } : range;
  return {
    addresses: [...addresses],
    topics: topics.map((values) => (values === null ? null : [...values])),
    ...{ from, to },
    ...rest,
  };
}

/** Of the rows those for which there is room; one at least, as none takes all of it. */
function fittingRows(
  logs: readonly Log[],
  knowledge: EventsAsked['knowledge'],
  pinned: Pinned | undefined,
): readonly JsonObject[] {
  const cursorBytes = pinned ? 2 * JSON.stringify(pinned).length + 400 : 0;
  const room = MOST_ANSWER_BYTES - FRAME_BYTES - cursorBytes;
  const rows: JsonObject[] = [];
  let bytes = 0;
  for (const log of logs) {
    const row = eventRow(log, knowledge);
    bytes += sentBytes(row);
    if (rows.length > 0 && bytes > room) break;
    rows.push(row);
  }
  return rows;
}

function nextCall(pinned: Pinned, last: Log, given: number): JsonObject {
  return {
    tool: 'query_events',
    arguments: { mode: 'rows', cursor: writeCursor(cursorBehind({ ...pinned, given }, last)) },
  };
}

/** The block of the last row is read again: where it has changed, the pages are not of one chain. */
function createSeam(before: Cursor | undefined) {
  let isFound = before === undefined;
  const lastBlock = before && BigInt(before.last.block);
  return {
    isBehind(log: Log): boolean {
      if (!before || lastBlock === undefined || log.blockNumber !== lastBlock) return true;
      if (log.logIndex === before.last.index && log.blockHash === before.last.hash) isFound = true;
      return before.order === 'oldestFirst'
        ? log.logIndex > before.last.index
        : log.logIndex < before.last.index;
    },
    doubt: (): string | undefined =>
      isFound
        ? undefined
        : `the last row of the page before is no longer in block ${before?.last.block}: the chain was reorganised there. Ask anew without the cursor.`,
  };
}

/** From the block of the last row on: what of it was given is passed over. */
function filterBehind({ addresses, topics, from, to, order, last }: Cursor): LogFilter {
  const at = BigInt(last.block);
  return {
    addresses: addresses.flatMap((text) => parseAddress(text) ?? []),
    topics: topics.map((values) => values?.flatMap((text) => parseHexData(text, 32) ?? []) ?? null),
    fromBlock: order === 'oldestFirst' ? at : BigInt(from),
    toBlock: order === 'oldestFirst' ? BigInt(to) : at,
  };
}
