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
 * Counts event logs, or returns a sample, a page or a file of them.
 *
 * @throws AppError `badInput` for an invalid query; otherwise as a `LogQuery` does.
 */
export async function queryEvents(
  input: QueryEventsInput,
  deps: OperationDeps,
  options: OperationOptions = {},
): Promise<OperationResult> {
  const [chainId, knowledge] = await Promise.all([deps.chainId(options), deps.knowledge(options)]);
  if (input.cursor !== undefined && (input.mode === 'file' || input.mode === 'sample'))
    throw badInput('mode', 'A cursor is only for mode rows. Leave out the cursor or the mode.');
  const isPage = input.mode === 'rows' || input.cursor !== undefined;
  const queryInput = input.cursor === undefined ? input : {};
  const { filter, named: namedEvents } = await resolveEvents(queryInput, knowledge, chainId);
  const modeInput = { input, filter, knowledge, deps, chainId };
  const runMode = isPage
    ? pageEvents
    : { count: countEvents, sample: sampleEvents, file: writeEvents, rows: pageEvents }[input.mode];
  const finding = await runMode(modeInput, options);
  return toOperationResult(
    deps,
    chainId,
    namedEvents ? withEventDeclarations(finding, namedEvents) : finding,
  );
}

/**
 * Adds the declarations that a name was resolved to. If there are no rows and the contract is not known to declare the
 * event, it may declare another one of that name; so an empty result for an event of a standard is not certain.
 */
function withEventDeclarations(finding: Finding, { events, declaredBy }: NamedEvents): Finding {
  const { complete, reasons = [], found } = finding;
  const declarations = events
    .slice(0, MAX_DECLARATIONS)
    .map((event) => sanitizeText(formatEventDeclaration(event), 200));
  const { count, rows } = found;
  const isEmpty = count === '0' || rows === 0 || (Array.isArray(rows) && rows.length === 0);
  const undeclaredReason = `The contract is not known to declare this event. The declaration of ${DECLARER_LABELS[declaredBy]} was used (see eventsAsked). If the contract declares another one, write that declaration.`;
  return {
    ...finding,
    complete: isEmpty && declaredBy === 'standards' && complete === true ? 'unknown' : complete,
    reasons: isEmpty && declaredBy !== 'contract' ? [...reasons, undeclaredReason] : reasons,
    found: { eventsAsked: declarations, declaredBy, ...found },
  };
}

const MAX_DECLARATIONS = 5;

const DECLARER_LABELS = {
  contract: 'the contract',
  project: 'the project',
  standards: 'a standard',
} as const;

/** A page of decoded rows, and the call for the next one. All pages together have every row once. */
async function pageEvents(modeInput: EventModeInput, options: OperationOptions): Promise<Finding> {
  const { deps, input, knowledge } = modeInput;
  const cursor = input.cursor === undefined ? undefined : decodeCursor(input.cursor, input);
  const order = cursor?.order ?? input.order ?? 'oldestFirst';
  const limit = input.limit ?? cursor?.limit ?? DEFAULT_ROWS;
  const filter = cursor ? createFilterAfter(cursor) : modeInput.filter;
  const { query, pages, ending } = readWithinLimits(filter, deps, {
    ...options,
    order,
    confirm: input.confirm === true,
    extent: 'some',
  });
  const seam = createSeam(cursor);
  const rows: Log[] = [];
  for await (const { logs } of pages) {
    for (const log of logs) if (rows.length <= limit && seam.isAfter(log)) rows.push(log);
    if (rows.length > limit) break;
  }
  const end = ending();
  const { verdict } = query;
  const stopped = formatEnding(end, formatContinuation(verdict));
  const completeRows = stopped === undefined ? rows : rows.filter((log) => isInReadBlocks(log, verdict));
  const candidates = completeRows.slice(0, limit);
  await knowledge.prepare(candidates);
  const queryParts = cursor?.asked ?? toCursorQuery(input);
  const pinnedQuery = pinQuery(cursor ?? verdict, filter, { order, limit, asked: queryParts });
  const fittingRows = takeFittingRows(candidates, knowledge, pinnedQuery);
  const last = candidates[fittingRows.length - 1];
  const hasMoreRows = completeRows.length > fittingRows.length;
  const isUnfinished = hasMoreRows || stopped !== undefined;
  const returnedSoFar = (cursor?.given ?? 0) + fittingRows.length;
  const reorgReason = seam.reason();
  const next =
    hasMoreRows && last && pinnedQuery
      ? createNextCall(pinnedQuery, last, returnedSoFar)
      : stopped !== undefined && verdict
        ? createContinuationCall(input, verdict, queryParts)
        : undefined;
  return {
    complete: isUnfinished ? false : reorgReason === undefined && verdict ? isComplete(verdict) : 'unknown',
    reasons: [
      ...(stopped === undefined ? [] : [stopped]),
      ...(hasMoreRows
        ? [`MORE ROWS: this is a page of ${fittingRows.length} rows. Make next_call for the next page.`]
        : []),
      ...(reorgReason === undefined ? [] : [reorgReason]),
      ...(isUnfinished || !verdict ? [] : listReasons(verdict)),
    ],
    head: verdict?.head,
    found: {
      order,
      ...(pinnedQuery ? { range: { from: pinnedQuery.from, to: pinnedQuery.to } } : {}),
      returned: fittingRows.length,
      returnedSoFar,
      rows: fittingRows,
      ...(next && { next_call: next }),
      ...estimateToJson(end),
    },
  };
}

const DEFAULT_ROWS = 20;

/** Detects a reorg between two pages: the block of the last row is read again, and must still contain that row. */
function createSeam(cursor: EventCursor | undefined) {
  let isFound = cursor === undefined;
  const lastBlock = cursor && BigInt(cursor.last.block);
  return {
    isAfter(log: Log): boolean {
      if (!cursor || lastBlock === undefined || log.blockNumber !== lastBlock) return true;
      if (log.logIndex === cursor.last.index && log.blockHash === cursor.last.hash) isFound = true;
      return cursor.order === 'oldestFirst'
        ? log.logIndex > cursor.last.index
        : log.logIndex < cursor.last.index;
    },
    reason: (): string | undefined =>
      isFound
        ? undefined
        : `The last row of the previous page is no longer in block ${cursor?.last.block}: the chain was reorganized. Start again without the cursor.`,
  };
}

/** Starts at the block of the last row; the rows up to it are then skipped. */
function createFilterAfter({ addresses, topics, from, to, order, last }: EventCursor): LogFilter {
  const at = BigInt(last.block);
  return {
    addresses: addresses.flatMap((text) => parseAddress(text) ?? []),
    topics: topics.map((values) => values?.flatMap((text) => parseHexData(text, 32) ?? []) ?? null),
    fromBlock: order === 'oldestFirst' ? at : BigInt(from),
    toBlock: order === 'oldestFirst' ? BigInt(to) : at,
  };
}

/** If reading stopped early, the last block may be incomplete. */
function isInReadBlocks({ blockNumber }: Log, verdict: Verdict | undefined): boolean {
  const { readThrough, order } = verdict ?? {};
  if (readThrough === undefined) return false;
  return order === 'oldestFirst' ? blockNumber <= readThrough : blockNumber >= readThrough;
}

/** The query with its range resolved to blocks, the same on every page. */
function pinQuery(
  range: EventCursor | Verdict | undefined,
  { addresses, topics }: LogFilter,
  rest: Pick<EventCursor, 'asked' | 'limit' | 'order'>,
): PinnedQuery | undefined {
  if (!range) return undefined;
  const { from, to } = 'fromBlock' in range ? { from: `${range.fromBlock}`, to: `${range.toBlock}` } : range;
  return {
    addresses: [...addresses],
    topics: topics.map((values) => (values === null ? null : [...values])),
    from,
    to,
    ...rest,
  };
}

type PinnedQuery = Omit<EventCursor, 'last' | 'v' | 'given'>;

/** The rows that fit into a result, at least one. */
function takeFittingRows(
  logs: readonly Log[],
  knowledge: EventModeInput['knowledge'],
  pinnedQuery: PinnedQuery | undefined,
): readonly JsonObject[] {
  const cursorBytes = pinnedQuery ? 2 * JSON.stringify(pinnedQuery).length + 400 : 0;
  const maxBytes = MAX_RESULT_BYTES - FRAME_BYTES - cursorBytes;
  const rows: JsonObject[] = [];
  let bytes = 0;
  for (const log of logs) {
    const row = eventRowToJson(log, knowledge);
    bytes += countSentBytes(row);
    if (rows.length > 0 && bytes > maxBytes) break;
    rows.push(row);
  }
  return rows;
}

/** Bytes of everything but the rows and the cursor: verdict, network, reasons, the rest of the next call. */
const FRAME_BYTES = 4000;

function createNextCall(pinnedQuery: PinnedQuery, last: Log, returnedSoFar: number): JsonObject {
  return {
    tool: 'query_events',
    arguments: {
      mode: 'rows',
      cursor: encodeCursor(createCursorAfter({ ...pinnedQuery, given: returnedSoFar }, last)),
    },
  };
}
