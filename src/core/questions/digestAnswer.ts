import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { type Clock, systemClock } from '../base/clock.ts';
import { createTimeSlices } from '../base/timeSlices.ts';
import type { Waits } from '../base/waits.ts';
import { encodeNdjson } from '../export/json.ts';
import type { LogFilter } from '../logs/query/logFilter.ts';
import type { LoadProgress, LogSource } from '../logs/query/logQuery.ts';
import type { Verdict } from '../logs/query/verdict.ts';

/** How many rows an answer has, which, and what they are worth. */
export interface AnswerDigest {
  readonly count: number;
  /** As {@link rowsDigest} gives it. */
  readonly sha256: string;
  readonly verdict: Verdict;
}

interface DigestOptions {
  /** Rows after which reading ends: the verdict says `more` then. Default: all. */
  readonly mostRows?: number | undefined;
  readonly waits?: Waits | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * Reads everything that a filter asks for, and keeps of it only the digest: an answer of any size takes the same memory.
 *
 * @throws AppError as a {@link LogSource} does.
 * @example const { count, sha256, verdict } = await digestAnswer(client, filter);
 */
export async function digestAnswer(
  source: LogSource,
  filter: LogFilter,
  { mostRows = Number.POSITIVE_INFINITY, waits, signal, onProgress, clock = systemClock }: DigestOptions = {},
): Promise<AnswerDigest> {
  const query = source.openLogQuery(filter, { order: 'oldestFirst', waits });
  const hash = sha256.create();
  const slices = createTimeSlices(clock);
  let count = 0;
  async function* rows() {
    for await (const { logs } of query.rest({ signal, onProgress })) {
      count += logs.length;
      yield logs;
      if (count >= mostRows) break;
    }
  }
  for await (const chunk of encodeNdjson(rows())) {
    hash.update(chunk);
    if (slices.isOver()) await slices.rest({ signal });
  }
  const { verdict } = query;
  if (!verdict) throw new Error('A query that was read says what it is worth.');
  return { count, sha256: bytesToHex(hash.digest()), verdict };
}
