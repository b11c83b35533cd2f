import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { type Clock, systemClock } from '../base/clock.ts';
import { createTimeSlices } from '../base/timeSlices.ts';
import { encodeNdjson } from '../export/json.ts';
import type { LogOrder } from '../logs/query/direction.ts';
import type { Log } from '../logs/query/log.ts';
import type { LogStore } from '../logs/store/logStore.ts';

const AT_ONCE = 1000;

interface DigestOptions {
  /** The order in which the rows stand. */
  readonly order: LogOrder;
  readonly clock?: Clock | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Given each piece of what is hashed, in order; the next is made once it has been taken. */
  readonly onPiece?: ((piece: Uint8Array) => void | Promise<void>) | undefined;
}

/**
 * SHA-256 of an answer, in lower-case hex: of its logs as `eth_getLogs` writes them, one JSON object a line with eight
 * keys, in the order of the chain, whichever end was read first. An export as NDJSON that is not decoded, oldest first,
 * has the same one. Made in slices of time.
 *
 * @throws AppError `aborted`, and what `onPiece` does.
 * @example await rowsDigest(store, { order: verdict.order }); // as '9f86d081884c7d65…'
 */
export async function rowsDigest(
  rows: Pick<LogStore, 'length' | 'slice'>,
  { order, clock = systemClock, signal, onPiece }: DigestOptions,
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

async function* inChainOrder(
  rows: Pick<LogStore, 'length' | 'slice'>,
  order: LogOrder,
): AsyncGenerator<readonly Log[]> {
  const { length } = rows;
  for (let done = 0; done < length; done += AT_ONCE) {
    const count = Math.min(AT_ONCE, length - done);
    yield order === 'oldestFirst'
      ? rows.slice(done, count)
      : rows.slice(length - done - count, count).toReversed();
  }
}
