import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { type BackoffControl, type Clock, systemClock } from '../base/clock.ts';
import { createMessage, type Message } from '../base/text.ts';
import { createTimeSlices } from '../base/timeSlices.ts';
import { textBatch, toBatches } from '../export/columns.ts';
import { encodeNdjson } from '../export/textFormats.ts';
import type { Log, LogOrder } from '../logs/log.ts';
import type { LogFilter } from '../logs/query/filter.ts';
import type { LoadProgress, LogClient } from '../logs/query/logQuery.ts';
import { describeReasons, type Verdict } from '../logs/query/verdict.ts';
import type { LogStore } from '../logs/store/logStore.ts';
import type { Expectation } from './queryDefinition.ts';

/** The number of rows of a result, their hashes, and the verdict. */
export interface ResultDigest {
  readonly count: number;
  /** As {@link digestRows} computes it. */
  readonly sha256: string;
  /** As {@link digestContents} computes it. */
  readonly contentSha256: string;
  readonly verdict: Verdict;
}

interface DigestOptions {
  /** Reading stops after this many rows, with the verdict `more`. Default: all. */
  readonly maxRows?: number | undefined;
  readonly waits?: BackoffControl | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * Reads all logs of a filter and returns only their digest, so that a result of any size takes the same memory.
 *
 * @throws AppError as a {@link LogClient} does.
 * @example const { count, sha256, verdict } = await digestResult(client, filter);
 */
export async function digestResult(
  source: LogClient,
  filter: LogFilter,
  { maxRows = Number.POSITIVE_INFINITY, waits, signal, onProgress, clock = systemClock }: DigestOptions = {},
): Promise<ResultDigest> {
  const query = source.openLogQuery(filter, { order: 'oldestFirst', waits });
  const hash = sha256.create();
  const contentHash = sha256.create();
  const slices = createTimeSlices(clock);
  let count = 0;
  async function* pages() {
    for await (const { logs } of query.rest({ signal, onProgress })) {
      count += logs.length;
      yield logs;
      if (count >= maxRows) break;
    }
  }
  async function* rows() {
    for await (const logs of toBatches(pages(), textBatch)) {
      contentHash.update(encodeContents(logs));
      yield logs;
    }
  }
  for await (const chunk of encodeNdjson(rows())) {
    hash.update(chunk);
    if (slices.isOver()) await slices.rest({ signal });
  }
  const { verdict } = query;
  if (!verdict) throw new Error('A query that was read has a verdict.');
  return {
    count,
    sha256: bytesToHex(hash.digest()),
    contentSha256: bytesToHex(contentHash.digest()),
    verdict,
  };
}

/** A result compared with its expectation. `incomplete` means that the missing logs could change the comparison. */
export interface ExpectationResult {
  readonly state: 'ok' | 'differs' | 'incomplete';
  readonly reasons: readonly Message[];
  readonly different: readonly (keyof Expectation)[];
}

/**
 * Compares a result with its expectation. A result whose range the chain has not reached is incomplete.
 *
 * @example checkExpectation({ count: 2, sha256, verdict }, { count: 3 }).state; // 'differs'
 */
export function checkExpectation(
  { count, sha256, contentSha256, verdict }: ResultDigest,
  expect: Expectation = {},
): ExpectationResult {
  const missing = describeMissingLogs(verdict);
  if (missing.length > 0) return { state: 'incomplete', reasons: missing, different: [] };
  const reasons: Message[] = [];
  const different: (keyof Expectation)[] = [];
  if (expect.count !== undefined && expect.count !== count) {
    different.push('count');
    reasons.push(createMessage('Number of logs: {0}. Expected: {1}.', count, expect.count));
  }
  if (expect.sha256 !== undefined && expect.sha256 !== sha256) different.push('sha256');
  if (expect.contentSha256 !== undefined && expect.contentSha256 !== contentSha256)
    different.push('contentSha256');
  if (different.some((key) => key !== 'count'))
    reasons.push(createMessage('The logs differ from the expected ones.'));
  return { state: different.length > 0 ? 'differs' : 'ok', reasons, different };
}

/** Why a result does not have all logs of its range, or may not have them; empty if it has. */
function describeMissingLogs(verdict: Verdict): readonly Message[] {
  const reasons = describeReasons(verdict.reasons);
  return verdict.state === 'more'
    ? [...reasons, createMessage('There are more logs than were read.')]
    : reasons;
}

const ROWS_PER_SLICE = 1000;

interface RowsDigestOptions {
  readonly order: LogOrder;
  readonly clock?: Clock | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Receives each hashed piece, in order; the next piece waits for it. */
  readonly onPiece?: ((piece: Uint8Array) => void | Promise<void>) | undefined;
}

/**
 * The SHA-256 of a result, in lower-case hex: of its logs in the order of the chain, one a line, as JSON with the eight
 * keys of `eth_getLogs`. An NDJSON export without decoding, oldest first, has the same hash. Runs in time slices.
 *
 * @throws AppError `aborted`, and what `onPiece` throws.
 * @example await digestRows(store, { order: verdict.order }); // as '9f86d081884c7d65…'
 */
export async function digestRows(
  rows: Pick<LogStore, 'length' | 'slice'>,
  { order, clock = systemClock, signal, onPiece }: RowsDigestOptions,
): Promise<string> {
  const hash = sha256.create();
  const slices = createTimeSlices(clock);
  for await (const piece of encodeNdjson(inChainOrder(rows, order))) {
    hash.update(piece);
    await onPiece?.(piece);
    if (slices.isOver()) await slices.rest({ signal });
  }
  return bytesToHex(hash.digest());
}

/**
 * The SHA-256 of what the logs of a result say, in lower-case hex: their `address`, `topics` and `data` in the order of
 * the chain, one JSON object a line. Unlike {@link digestRows} it has no block and no transaction, so that the same
 * events on a fresh chain have the same hash. Runs in time slices.
 *
 * @throws AppError `aborted`.
 * @example await digestContents(store, { order: verdict.order }); // as '9f86d081884c7d65…'
 */
export async function digestContents(
  rows: Pick<LogStore, 'length' | 'slice'>,
  { order, clock = systemClock, signal }: Omit<RowsDigestOptions, 'onPiece'>,
): Promise<string> {
  const hash = sha256.create();
  const slices = createTimeSlices(clock);
  for await (const logs of toBatches(inChainOrder(rows, order), textBatch)) {
    hash.update(encodeContents(logs));
    if (slices.isOver()) await slices.rest({ signal });
  }
  return bytesToHex(hash.digest());
}

function encodeContents(logs: readonly Log[]): Uint8Array {
  const lines = logs.map(({ address, topics, data }) => `${JSON.stringify({ address, topics, data })}\n`);
  return new TextEncoder().encode(lines.join(''));
}

async function* inChainOrder(
  rows: Pick<LogStore, 'length' | 'slice'>,
  order: LogOrder,
): AsyncGenerator<readonly Log[]> {
  const { length } = rows;
  for (let done = 0; done < length; done += ROWS_PER_SLICE) {
    const count = Math.min(ROWS_PER_SLICE, length - done);
    yield order === 'oldestFirst'
      ? rows.slice(done, count)
      : rows.slice(length - done - count, count).toReversed();
  }
}
