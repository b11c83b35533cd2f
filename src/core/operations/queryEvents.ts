import { badInput } from '../base/errors.ts';
import { sanitizeText } from '../base/text.ts';
import { parseAddress, parseHexData } from '../eth/hex.ts';
import type { Log } from '../logs/log.ts';
import type { LogFilter } from '../logs/query/filter.ts';
import type { Verdict } from '../logs/query/verdict.ts';
import {
  createContinuationCall,
  createCursorAfter,
  decodeCursor,
  type EventCursor,
  encodeCursor,
  estimateToJson,
  formatContinuation,
  formatEnding,
  readWithinLimits,
  toCursorQuery,
} from './continuation.ts';
import {
  countEvents,
  type EventModeInput,
  eventRowToJson,
  isComplete,
  listReasons,
  sampleEvents,
  writeEvents,
} from './eventModes.ts';
import type { OperationDeps, OperationOptions } from './operation.ts';
import { formatEventDeclaration, type NamedEvents, resolveEvents } from './resolveEvents.ts';
import {
  countSentBytes,
  type Finding,
  type JsonObject,
  MAX_RESULT_BYTES,
  type OperationResult,
  toOperationResult,
} from './result.ts';
import type { QueryEventsInput } from './tools.ts';

/**
 * Event logs of a contract: how many, a few, page by page, or all in a file.
 *
 * @throws AppError `badInput` for what cannot be asked; as a `LogQuery` does.
 */
export async function queryEvents(
  input: QueryEventsInput,
  deps: OperationDeps,
  options: OperationOptions = {},
): Promise<OperationResult> {
  const [chainId, knowledge] = await Promise.all([deps.chainId(options), deps.knowledge(options)]);
  if (input.cursor !== undefined && (input.mode === 'file' || input.mode === 'sample'))
    throw badInput('mode', 'A cursor is of mode rows, and of no other: leave it out, or the mode.');
  const isPage = input.mode === 'rows' || input.cursor !== undefined;
  const written = input.cursor === undefined ? input : {};
  const { filter, named } = await resolveEvents(written, knowledge, chainId);
  const asked = { input, filter, knowledge, deps, chainId };
  const read = isPage
    ? pageEvents
    : { count: countEvents, sample: sampleEvents, file: writeEvents, rows: pageEvents }[input.mode];
  const finding = await read(asked, options);
  return toOperationResult(deps, chainId, named ? withEventDeclarations(finding, named) : finding);
}

/** Declarations that are told of one name. */
const MAX_DECLARATIONS = 5;

/**
 * With what a name was taken for. Where no row came of what the contract is not known to declare, it may declare another
 * one; of a standard, which nobody here has named, that is as likely.
 */
function withEventDeclarations(finding: Finding, { events, declaredBy }: NamedEvents): Finding {
  const { complete, reasons = [], found } = finding;
  const asked = events
    .slice(0, MAX_DECLARATIONS)
    .map((event) => sanitizeText(formatEventDeclaration(event), 200));
  const { count, rows } = found;
  const isEmpty = count === '0' || rows === 0 || (Array.isArray(rows) && rows.length === 0);
  const doubt = `the contract is not known to declare this event, so it was taken for that of ${WHOSE[declaredBy]} (eventsAsked): where it declares another one, give that declaration`;
  return {
    ...finding,
    complete: isEmpty && declaredBy === 'standards' && complete === true ? 'unknown' : complete,
    reasons: isEmpty && declaredBy !== 'contract' ? [...reasons, doubt] : reasons,
    found: { eventsAsked: asked, declaredBy, ...found },
  };
}

const WHOSE = { contract: 'the contract', project: 'the project', standards: 'a standard' } as const;

const ROWS = 20;
/** Of what stands around the rows: verdict, network, words and the arguments of the next call, without its cursor. */
const FRAME_BYTES = 4000;

/** A page of decoded rows, and the call that gives the next one: all pages together have every row once. */
async function pageEvents(asked: EventModeInput, options: OperationOptions): Promise<Finding> {
  const { deps, input, knowledge } = asked;
  const before = input.cursor === undefined ? undefined : decodeCursor(input.cursor, input);
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
  const stopped = formatEnding(end, formatContinuation(verdict));
  const whole = stopped === undefined ? rows : rows.filter((log) => isReadWhole(log, verdict));
  const candidates = whole.slice(0, limit);
  await knowledge.prepare(candidates);
  const parts = before?.asked ?? toCursorQuery(input);
  const pinned = pinnedBy(before ?? verdict, filter, { order, limit, asked: parts });
  const shown = fittingRows(candidates, knowledge, pinned);
  const last = candidates[shown.length - 1];
  const isPage = whole.length > shown.length;
  const isMore = isPage || stopped !== undefined;
  const given = (before?.given ?? 0) + shown.length;
  const doubt = seam.reason();
  const next =
    isPage && last && pinned
      ? nextCall(pinned, last, given)
      : stopped !== undefined && verdict
        ? createContinuationCall(input, verdict, parts)
        : undefined;
  return {
    complete: isMore ? false : doubt === undefined && verdict ? isComplete(verdict) : 'unknown',
    reasons: [
      ...(stopped === undefined ? [] : [stopped]),
      ...(isPage
        ? [`MORE ROWS THERE: this is a page of ${shown.length} rows. Make next_call for the next one.`]
        : []),
      ...(doubt === undefined ? [] : [doubt]),
      ...(isMore || !verdict ? [] : listReasons(verdict)),
    ],
    head: verdict?.head,
    found: {
      order,
      ...(pinned ? { range: { from: pinned.from, to: pinned.to } } : {}),
      ...{ returned: shown.length, returnedSoFar: given, rows: shown },
      ...(next && { next_call: next }),
      ...estimateToJson(end),
    },
  };
}

/** Of what was cut short the last block may be there in part. */
function isReadWhole({ blockNumber }: Log, verdict: Verdict | undefined): boolean {
  const { readThrough, order } = verdict ?? {};
  if (readThrough === undefined) return false;
  return order === 'oldestFirst' ? blockNumber <= readThrough : blockNumber >= readThrough;
}

type Pinned = Omit<EventCursor, 'last' | 'v' | 'given'>;

/** The question with its range in blocks, the same on every page. */
function pinnedBy(
  range: EventCursor | Verdict | undefined,
  { addresses, topics }: LogFilter,
  rest: Pick<EventCursor, 'asked' | 'limit' | 'order'>,
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
  knowledge: EventModeInput['knowledge'],
  pinned: Pinned | undefined,
): readonly JsonObject[] {
  const cursorBytes = pinned ? 2 * JSON.stringify(pinned).length + 400 : 0;
  const room = MAX_RESULT_BYTES - FRAME_BYTES - cursorBytes;
  const rows: JsonObject[] = [];
  let bytes = 0;
  for (const log of logs) {
    const row = eventRowToJson(log, knowledge);
    bytes += countSentBytes(row);
    if (rows.length > 0 && bytes > room) break;
    rows.push(row);
  }
  return rows;
}

function nextCall(pinned: Pinned, last: Log, given: number): JsonObject {
  return {
    tool: 'query_events',
    arguments: { mode: 'rows', cursor: encodeCursor(createCursorAfter({ ...pinned, given }, last)) },
  };
}

/** The block of the last row is read again: where it has changed, the pages are not of one chain. */
function createSeam(before: EventCursor | undefined) {
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
    reason: (): string | undefined =>
      isFound
        ? undefined
        : `the last row of the page before is no longer in block ${before?.last.block}: the chain was reorganised there. Ask anew without the cursor.`,
  };
}

/** From the block of the last row on: what of it was given is passed over. */
function filterBehind({ addresses, topics, from, to, order, last }: EventCursor): LogFilter {
  const at = BigInt(last.block);
  return {
    addresses: addresses.flatMap((text) => parseAddress(text) ?? []),
    topics: topics.map((values) => values?.flatMap((text) => parseHexData(text, 32) ?? []) ?? null),
    fromBlock: order === 'oldestFirst' ? at : BigInt(from),
    toBlock: order === 'oldestFirst' ? BigInt(to) : at,
  };
}
