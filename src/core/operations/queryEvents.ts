import { badInput } from '../base/errors.ts';
import { type OwnText, ownText, ownWord } from '../base/ownText.ts';
import { formatQuantity } from '../base/text.ts';
import type { Log } from '../logs/log.ts';
import { parseDeclaredEvent } from '../logs/query/eventArguments.ts';
import type { LogFilter } from '../logs/query/filter.ts';
import { createVerdict, type Verdict } from '../logs/query/verdict.ts';
import { abiText, userText } from './agentText.ts';
import {
  createContinuationCall,
  createCursorAfter,
  decodeCursor,
  type EventCursor,
  encodeCursor,
  estimateToJson,
  formatContinuation,
  formatEnding,
  hashFilter,
  readWithinLimits,
  toCursorQuery,
} from './continuation.ts';
import { createDeclaredDecoder } from './declaredEvent.ts';
import {
  countEvents,
  type EventModeInput,
  eventRowToJson,
  isComplete,
  listReasons,
  sampleEvents,
  writeEvents,
} from './eventModes.ts';
import { groupEvents } from './groupEvents.ts';
import type { OperationDeps, OperationOptions } from './operation.ts';
import { formatEventDeclaration, type NamedEvents, resolveEvents } from './resolveEvents.ts';
import {
  countSentBytes,
  type Finding,
  type JsonObject,
  MAX_RESULT_BYTES,
  type OperationResult,
  toCompletion,
  toOperationResult,
} from './result.ts';
import { MAX_CURSOR_CHARS, type QueryEventsInput } from './tools.ts';

/**
 * Counts or groups event logs, or returns a sample, a page or a file of them.
 *
 * @throws AppError `badInput` for an invalid query; otherwise as a `LogQuery` does.
 */
export async function queryEvents(
  input: QueryEventsInput,
  deps: OperationDeps,
  options: OperationOptions = {},
): Promise<OperationResult> {
  const [chainId, knowledge] = await Promise.all([deps.chainId(options), deps.knowledge(options)]);
  const isGrouped = input.group_by !== undefined || input.sum !== undefined;
  if (isGrouped && input.mode !== 'groups') {
    throw badInput('mode', 'group_by and sum are for mode groups. Set mode to groups, or leave them out.');
  }
  if (input.cursor !== undefined && ['file', 'sample', 'groups'].includes(input.mode))
    throw badInput('mode', 'A cursor is only for mode rows. Leave out the cursor or the mode.');
  const cursor = input.cursor === undefined ? undefined : decodeCursor(input.cursor, input);
  const { filter, form, named } = await resolveEvents(cursor?.asked ?? input, knowledge, chainId);
  if (cursor && cursor.filter !== hashFilter(filter, chainId)) {
    throw badInput(
      'cursor',
      'A name in the query now refers to something else than on the previous page, or the network is another one. Start again without the cursor.',
    );
  }
  const { decode } = createDeclaredDecoder(form.event, knowledge);
  const declared = parseDeclaredEvent(form.event);
  const modeInput = { input, filter, knowledge: { ...knowledge, decode }, deps, chainId, declared };
  const toResult = (finding: Finding) =>
    toOperationResult(deps, chainId, named && !cursor ? withEventDeclarations(finding, named) : finding);
  if (cursor || input.mode === 'rows') return pageEvents({ ...modeInput, cursor, toResult }, options);
  if (input.mode === 'groups') {
    const groupsInput = { ...modeInput, event: form.event, known: knowledge };
    return toResult(await groupEvents(groupsInput, options));
  }
  const runMode = { count: countEvents, sample: sampleEvents, file: writeEvents }[input.mode];
  return toResult(await runMode(modeInput, options));
}

/**
 * Adds the declarations that a name was resolved to. If there are no rows and the contract is not known to declare the
 * event, it may declare another one of that name; so an empty result for an event of a standard is not certain.
 */
function withEventDeclarations(finding: Finding, { events, declaredBy }: NamedEvents): Finding {
  const { complete, reasons, found } = finding;
  const declarations = events
    .slice(0, MAX_DECLARATIONS)
    .map((event) => abiText(event, formatEventDeclaration(event)));
  const { count, rows } = found;
  const isEmpty = String(count) === '0' || rows === 0 || (Array.isArray(rows) && rows.length === 0);
  const undeclaredReason = ownText`The contract is not known to declare this event. The declaration of ${DECLARER_LABELS[declaredBy]} was used (see eventsAsked). If the contract declares another one, write that declaration.`;
  return {
    ...finding,
    ...toCompletion(
      complete,
      isEmpty && declaredBy !== 'contract' ? [...reasons, undeclaredReason] : reasons,
    ),
    found: {
      eventsAsked: declarations,
      ...(events.length > MAX_DECLARATIONS && { truncated: true }),
      declaredBy: ownWord(declaredBy),
      ...found,
    },
  };
}

const MAX_DECLARATIONS = 5;

const DECLARER_LABELS = {
  contract: ownText`the contract`,
  project: ownText`the project`,
  standards: ownText`a standard`,
} as const;

/** A page of decoded rows, and the call for the next one. All pages together have every row once. */
async function pageEvents(modeInput: PageInput, options: OperationOptions): Promise<OperationResult> {
  const { deps, input, knowledge, cursor, toResult } = modeInput;
  const order = cursor?.order ?? input.order ?? 'oldestFirst';
  const limit = input.limit ?? cursor?.limit ?? DEFAULT_ROWS;
  const filter = cursor ? createFilterAfter(cursor, modeInput.filter) : modeInput.filter;
  const { query, pages, ending } = readWithinLimits(filter, deps, {
    ...options,
    order,
    confirm: input.confirm === true,
    extent: 'some',
  });
  const seam = createSeam(cursor);
  const logs: Log[] = [];
  for await (const page of pages) {
    for (const log of page.logs) if (logs.length <= limit && seam.isAfter(log)) logs.push(log);
    if (logs.length > limit) break;
  }
  const end = ending();
  const verdict = query.verdict && withEarlierReasons(query.verdict, cursor);
  const stopped = formatEnding(end, formatContinuation(verdict));
  const completeLogs = stopped === undefined ? logs : logs.filter((log) => isInReadBlocks(log, verdict));
  const candidates = completeLogs.slice(0, limit);
  await knowledge.prepare(candidates);
  const queryParts = cursor?.asked ?? toCursorQuery(input);
  const pinnedQuery = pinQuery(cursor ?? verdict, {
    order,
    limit,
    asked: queryParts,
    filter: hashFilter(filter, modeInput.chainId),
  });
  const replaced = verdict && (await findReplaced(cursor, { seam, verdict, deps }, options));
  const replacedReason = replaced && formatReplaced(replaced);

  function createPage({ rows, shared }: PageRows): OperationResult {
    const last = candidates[rows.length - 1];
    const hasMoreRows = completeLogs.length > rows.length;
    const isUnfinished = hasMoreRows || stopped !== undefined;
    const returnedSoFar = (cursor?.given ?? 0) + rows.length;
    const next =
      hasMoreRows && last && pinnedQuery
        ? createNextCall(
            {
              ...{ ...pinnedQuery, given: returnedSoFar, ...reasonsToCursor(verdict) },
              ...(order === 'newestFirst' && { newest: cursor?.newest ?? toRowBlock(candidates[0] ?? last) }),
              ...(replaced && { replaced }),
            },
            { last, nth: countSameIndex(candidates.slice(0, rows.length), last, cursor) },
          )
        : stopped !== undefined && verdict
          ? createContinuationCall(input, verdict, queryParts)
          : undefined;
    const complete = verdict ? isComplete(verdict) : 'unknown';
    return toResult({
      ...toCompletion(isUnfinished ? false : complete, [
        ...(stopped === undefined ? [] : [stopped]),
        ...(hasMoreRows
          ? [
              ownText`MORE ROWS: this is a page of ${userText(formatQuantity(rows.length, 'row'))}. Make next_call for the next page.`,
            ]
          : []),
        ...(replacedReason === undefined ? [] : [replacedReason]),
        ...(verdict ? listReasons(verdict) : []),
      ]),
      head: verdict?.head,
      found: {
        order: ownWord(order),
        ...(pinnedQuery && { range: { from: userText(pinnedQuery.from), to: userText(pinnedQuery.to) } }),
        returned: rows.length,
        returnedSoFar,
        ...(shared && { note: ownText`What all rows have in common is in shared.`, shared }),
        rows,
        ...(next && { next_call: next }),
        ...estimateToJson(end),
      },
    });
  }

  return fitRows(
    candidates.map((log) => eventRowToJson(log, knowledge)),
    createPage,
  );
}

/** A later page also rests on what the earlier ones rest on: its range is that of the first page, in numbers. */
function withEarlierReasons(verdict: Verdict, cursor: EventCursor | undefined): Verdict {
  const earlier = cursor?.reasons ?? [];
  const reasons = earlier.map(({ code, block }) => ({
    code,
    ...(block !== undefined && { block: BigInt(block) }),
  }));
  return createVerdict({
    ...verdict,
    isRead: verdict.state !== 'more',
    reasons: [...verdict.reasons, ...reasons],
  });
}

/** Reasons of a page that the next pages repeat. */
const MAX_REASONS = 12;

function reasonsToCursor(verdict: Verdict | undefined): Pick<EventCursor, 'reasons'> {
  const reasons = verdict?.reasons.slice(0, MAX_REASONS).map(({ code, block }) => ({
    code,
    ...(block !== undefined && { block: block.toString() }),
  }));
  return reasons?.length ? { reasons } : {};
}

/** On some chains the log index repeats: how many rows with the place of the last row have been returned. */
function countSameIndex(rows: readonly Log[], last: Log, cursor: EventCursor | undefined): number {
  const isSame = ({ blockNumber, logIndex }: Log) =>
    blockNumber === last.blockNumber && logIndex === last.logIndex;
  const before =
    cursor && BigInt(cursor.last.block) === last.blockNumber && cursor.last.index === last.logIndex;
  return rows.filter(isSame).length + (before ? (cursor.last.nth ?? 1) : 0);
}

interface PageInput extends EventModeInput {
  readonly chainId: number | undefined;
  readonly cursor: EventCursor | undefined;
  /** Adds what every result of the query has. */
  readonly toResult: (finding: Finding) => OperationResult;
}

const DEFAULT_ROWS = 20;

/** Skips the rows of earlier pages, and finds whether the last of them is still there: its block is read again. */
function createSeam(cursor: EventCursor | undefined) {
  let isFound = cursor === undefined;
  let sameIndex = 0;
  const lastBlock = cursor && BigInt(cursor.last.block);
  return {
    isAfter(log: Log): boolean {
      if (!cursor || lastBlock === undefined || log.blockNumber !== lastBlock) return true;
      if (log.logIndex === cursor.last.index && log.blockHash === cursor.last.hash) isFound = true;
      if (log.logIndex === cursor.last.index) return ++sameIndex > (cursor.last.nth ?? 1);
      return cursor.order === 'oldestFirst'
        ? log.logIndex > cursor.last.index
        : log.logIndex < cursor.last.index;
    },
    hasLast: () => isFound,
  };
}

type Replaced = NonNullable<EventCursor['replaced']>;

/**
 * Why rows of earlier pages may be gone from the chain. The newest returned row shows it: its block has the hashes of all
 * blocks below it. Oldest first, that is the last row of the previous page; newest first, the first row of the first page.
 */
async function findReplaced(
  cursor: EventCursor | undefined,
  page: {
    readonly seam: ReturnType<typeof createSeam>;
    readonly verdict: Verdict;
    readonly deps: OperationDeps;
  },
  { signal }: OperationOptions,
): Promise<Replaced | undefined> {
  if (!cursor || cursor.replaced) return cursor?.replaced;
  const { last, newest } = cursor;
  if (!page.seam.hasLast() && isInReadBlocks({ blockNumber: BigInt(last.block) }, page.verdict))
    return { block: last.block, isCertain: true };
  if (!newest) return undefined;
  const hash = await page.deps.client.getBlockHash(BigInt(newest.block), { signal });
  return hash === newest.hash ? undefined : { block: newest.block, isCertain: hash !== undefined };
}

const formatReplaced = ({ block, isCertain }: Replaced): OwnText =>
  isCertain
    ? ownText`A row of an earlier page is no longer in block ${userText(block)}: the chain was reorganized. Start again without the cursor.`
    : ownText`The endpoint does not show whether block ${userText(block)} is the same as on an earlier page, so rows may be gone. Start again without the cursor.`;

const toRowBlock = ({ blockNumber, blockHash }: Log) => ({ block: blockNumber.toString(), hash: blockHash });

/** Starts at the block of the last row; the rows up to it are then skipped. */
function createFilterAfter(
  { from, to, order, last }: EventCursor,
  { addresses, topics }: LogFilter,
): LogFilter {
  const at = BigInt(last.block);
  return {
    addresses,
    topics,
    fromBlock: order === 'oldestFirst' ? at : BigInt(from),
    toBlock: order === 'oldestFirst' ? BigInt(to) : at,
  };
}

/** If reading stopped early, the last block may be incomplete. */
function isInReadBlocks({ blockNumber }: Pick<Log, 'blockNumber'>, verdict: Verdict | undefined): boolean {
  const { readThrough, order } = verdict ?? {};
  if (readThrough === undefined) return false;
  return order === 'oldestFirst' ? blockNumber <= readThrough : blockNumber >= readThrough;
}

/** The query with its range resolved to blocks, the same on every page. */
function pinQuery(
  range: EventCursor | Verdict | undefined,
  rest: Pick<EventCursor, 'asked' | 'filter' | 'limit' | 'order'>,
): PinnedQuery | undefined {
  if (!range) return undefined;
  const { from, to } = 'fromBlock' in range ? { from: `${range.fromBlock}`, to: `${range.toBlock}` } : range;
  return { from, to, ...rest };
}

type PinnedQuery = Pick<EventCursor, 'asked' | 'filter' | 'from' | 'limit' | 'order' | 'to'>;

interface PageRows {
  readonly rows: readonly JsonObject[];
  /** What all rows have in common, and do not repeat. */
  readonly shared?: JsonObject;
}

/** The rows that fit into a result, at least one. If not all fit, what they have in common is stated once. */
function fitRows(
  rows: readonly JsonObject[],
  createPage: (page: PageRows) => OperationResult,
): OperationResult {
  const fitting = takeFittingRows({ rows }, createPage);
  if (fitting.rows.length === rows.length) return createPage(fitting);
  return createPage(takeFittingRows(stateSharedOnce(rows), createPage));
}

function stateSharedOnce(rows: readonly JsonObject[]): PageRows {
  const keys = SHARED_KEYS.filter((key) => new Set(rows.map((row) => JSON.stringify(row[key]))).size === 1);
  const pick = (row: JsonObject, isPicked: (key: string) => boolean) =>
    Object.fromEntries(Object.entries(row).filter(([key]) => isPicked(key)));
  const shared = pick(rows[0] ?? {}, (key) => keys.includes(key));
  if (Object.keys(shared).length === 0) return { rows };
  return { rows: rows.map((row) => pick(row, (key) => !keys.includes(key))), shared };
}

const SHARED_KEYS: readonly string[] = ['address', 'event', 'abi'];

/** Bytes of rows add up, so that each is measured once. */
function takeFittingRows(page: PageRows, createPage: (page: PageRows) => OperationResult): PageRows {
  const [first, ...others] = page.rows;
  if (!first) return page;
  const fitting = [first];
  // The first row gives the page its next call; later ones change only the digits in it.
  let bytes = countSentBytes(createPage({ ...page, rows: fitting })) + MAX_DIGITS_BYTES;
  for (const row of others) {
    bytes += countSentBytes([row]) - countSentBytes([]) + COMMA_BYTES;
    if (bytes > MAX_RESULT_BYTES) break;
    fitting.push(row);
  }
  return { ...page, rows: fitting };
}

/** Of a comma between rows, in both forms. */
const COMMA_BYTES = 2;
/** More than numbers of rows and blocks grow from the first row to the last, in both forms and in the cursor. */
const MAX_DIGITS_BYTES = 100;

function createNextCall(
  cursor: Omit<EventCursor, 'last' | 'v'>,
  place: { readonly last: Log; readonly nth: number },
): JsonObject {
  return {
    tool: ownWord('query_events'),
    arguments: {
      mode: ownWord('rows'),
      cursor: userText(encodeCursor(createCursorAfter(cursor, place)), MAX_CURSOR_CHARS),
    },
  };
}
