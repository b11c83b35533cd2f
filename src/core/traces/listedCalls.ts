import * as z from 'zod/mini';
import type { Clock } from '../base/clock.ts';
import { isAppError } from '../base/errors.ts';
import type { SliceOptions } from '../base/timeSlices.ts';
import { isRecord } from '../base/values.ts';
import type { Hex } from '../eth/hex.ts';
import { listField, optionalField, uint256Field } from '../http/fields.ts';
import { partyField } from '../providers/blockscout/fields.ts';
import {
  cursorField,
  type ExplorerRest,
  type PageCursor,
  parsePageCursor,
  type UntilAborted,
} from '../providers/blockscout/rest.ts';
import {
  type CallFrame,
  isCreation,
  MAX_CALL_DEPTH,
  MAX_CALLS,
  type TracedTransaction,
} from './callFrame.ts';
import { createFrame, malformedError, type ParsedFrames, parseType } from './parseCallTracer.ts';

/**
 * The outermost call, as the transaction itself tells it.
 *
 * @example const root = createRoot(transaction, calls);
 */
export function createRoot(transaction: TracedTransaction, calls: readonly CallFrame[]): CallFrame {
  const { from, to, created, value, input, gasLimit: gas, gasUsed, status, failure } = transaction;
  const isFailed = status === 'failed';
  const known = failure?.state === 'told' ? failure : undefined;
  return {
    ...{ type: to ? 'CALL' : 'CREATE', from, value, gas, gasUsed, input, logs: [], calls },
    to: to ?? (isFailed ? undefined : created),
    output: (isFailed ? known?.data : undefined) ?? '0x',
    error: isFailed ? (known?.data ? undefined : known?.message) || 'execution reverted' : undefined,
  };
}

/**
 * Parses the result of `ots_traceTransaction`: calls with their depth, each after the one that made it, without gas,
 * failures and logs. Undefined if it has another shape.
 *
 * https://docs.otterscan.io/api-docs/ots-api
 *
 * @throws AppError `badResponse` for calls whose depths form no tree; the reason of the signal when it aborts.
 * @example (await parseOtterscanCalls(response, transaction, { slices }))?.root.calls;
 */
export async function parseOtterscanCalls(
  result: unknown,
  transaction: TracedTransaction,
  { slices, signal }: SliceOptions,
): Promise<ParsedFrames | undefined> {
  if (!Array.isArray(result) || result.length === 0) return undefined;
  const open: { readonly calls: CallFrame[]; readonly frame?: CallFrame }[] = [{ calls: [] }];
  let isMalformed = false;
  for (const [index, wire] of result.slice(0, MAX_CALLS).entries()) {
    if (slices.isOver()) await slices.rest({ signal });
    const { type, depth, from, to, value, input, output } = isRecord(wire) ? wire : {};
    const level = Number.isSafeInteger(depth) ? (depth as number) : -1;
    if (level < 0 || level >= open.length || level >= MAX_CALL_DEPTH || (level === 0) !== (index === 0))
      throw malformedError();
    open.length = level + 1;
    const given = { ...parseType(type), from, to, value, input: input || undefined };
    const caller = open[level];
    const parsed = createFrame({ ...given, output: output || undefined }, caller?.frame);
    if (index > 0 && Object.keys(parsed.malformed).length > 0) isMalformed = true;
    caller?.calls.push(parsed.frame);
    open.push(parsed);
  }
  const [root] = open[0]?.calls ?? [];
  if (!root) return undefined;
  const isCut = result.length > MAX_CALLS;
  return { root: createRoot(transaction, root.calls), isCut, ...(isMalformed && { isMalformed }) };
}

const Page = z.object({ items: listField, next_page_params: cursorField });

const Item = z.object({
  index: z.int().check(z.nonnegative()),
  type: z.string(),
  from: partyField,
  to: optionalField(partyField),
  created_contract: optionalField(partyField),
  value: optionalField(uint256Field),
  gas_limit: optionalField(uint256Field),
  success: optionalField(z.boolean()),
  error: optionalField(z.string()),
});

/** Pages of 50, or more by later releases. */
const MAX_PAGES = 40;
/** No page is begun later, so that a caller who waits a few seconds more has those read so far. */
const MAX_PAGING_MS = 4_000;

/**
 * The calls of a transaction as an explorer lists them: one after another, without functions, results and logs, and
 * without telling which call made which. They stand below the outermost call. If a later page fails, or takes long, the
 * result is cut.
 *
 * @throws AppError as `ExplorerRest.get` does for the first page; `badResponse`.
 * @example (await fetchInternalTransactions(rest, transaction, { clock })).root.calls;
 */
export async function fetchInternalTransactions(
  rest: ExplorerRest,
  transaction: TracedTransaction,
  { clock, ...options }: UntilAborted & { readonly clock: Clock },
): Promise<ParsedFrames> {
  const byIndex = new Map<number, CallFrame>();
  let isMalformed = false;
  const start = clock.elapsed();
  let cursor: PageCursor | 'broken' | undefined = {};
  for (let page = 0; cursor && cursor !== 'broken' && page < MAX_PAGES; page++) {
    if (page > 0 && clock.elapsed() - start > MAX_PAGING_MS) break;
    const body: unknown = await fetchPage(rest, transaction.hash, cursor, options).catch((error: unknown) => {
      if (page === 0 || isAppError(error, 'aborted')) throw error;
      return undefined;
    });
    const parsed = Page.safeParse(body).data;
    if (!parsed && page === 0) throw malformedError();
    if (!parsed) break;
    const before = byIndex.size;
    for (const item of parsed.items) {
      const { index, frame } = parseItem(item) ?? {};
      if (index === undefined || !frame) isMalformed = true;
      else if (!byIndex.has(index)) byIndex.set(index, frame);
    }
    if (byIndex.size === 0 && isMalformed) throw malformedError();
    // A release that does not know a cursor sends the first page again.
    const isStuck = byIndex.size === before && parsed.items.length > 0;
    cursor = isStuck ? 'broken' : parsePageCursor(parsed.next_page_params);
  }
  const listed = [...byIndex].sort(([a], [b]) => a - b);
  const calls = listed.filter(([index, frame]) => index > 0 || !isOutermost(frame, transaction));
  return {
    root: createRoot(
      transaction,
      calls.map(([, frame]) => frame),
    ),
    isCut: cursor !== undefined,
    ...(isMalformed && { isMalformed }),
  };
}

function fetchPage(
  rest: ExplorerRest,
  hash: Hex,
  cursor: PageCursor,
  options: UntilAborted,
): Promise<unknown> {
  return rest.get(`/transactions/${hash}/internal-transactions`, cursor, options);
}

/** Undefined for a malformed one. */
function parseItem(wire: unknown): { readonly index: number; readonly frame: CallFrame } | undefined {
  const item = Item.safeParse(wire).data;
  if (!item) return undefined;
  const { index, type, from, to, created_contract: created, value, gas_limit: gas, success, error } = item;
  const failure = error ?? (success === false ? 'execution reverted' : undefined);
  const { frame } = createFrame({ ...parseType(type), from, to: created ?? to, error: failure }, undefined);
  return { index, frame: { ...frame, value: value ?? frame.value, gas } };
}

/** Some releases list the outermost call as well. */
function isOutermost(frame: CallFrame, { from, to, created }: TracedTransaction): boolean {
  return frame.from === from && frame.to === (isCreation(frame) ? created : to);
}
