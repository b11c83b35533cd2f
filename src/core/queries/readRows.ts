import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { type Clock, systemClock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { createTimeSlices } from '../base/timeSlices.ts';
import { parseLogs } from '../logs/engine/parseLogs.ts';
import { compareLogs, type Log } from '../logs/log.ts';
import { createLogStore, type LogStore } from '../logs/store/logStore.ts';

/** Lines that are read at once. */
const LINES_PER_SLICE = 1000;
/** A log of a block that is full of one log's data has some 8 million digits. */
const MAX_LINE_CHARS = 16 * 1024 * 1024;

interface ReadOptions {
  /** The {@link digestRows} that the rows must have. */
  readonly sha256: string;
  readonly mostRows: number;
  readonly mostBytes: number;
  readonly clock?: Clock | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Logs as {@link digestRows} hashes them, out of the pieces of such a text: each is checked as one of a server is, and all
 * of them against their digest. Read in slices of time.
 *
 * @throws AppError `badLogs` where they are none, are not in the order of the chain or have another digest; `tooLarge`;
 *   `aborted`.
 * @example const rows = await readRows(pieces, { sha256, mostRows: 100_000, mostBytes: 1 << 27 });
 */
export async function readRows(
  pieces: AsyncIterable<Uint8Array>,
  { sha256: wanted, mostRows, mostBytes, clock = systemClock, signal }: ReadOptions,
): Promise<LogStore> {
  const hash = sha256.create();
  const slices = createTimeSlices(clock);
  const decoder = new TextDecoder();
  const rows = createLogStore();
  let bytes = 0;
  let begun = '';
  let lines: string[] = [];
  let last: Log | undefined;

  async function take(): Promise<void> {
    if (rows.length + lines.length > mostRows) throw new AppError('tooLarge', `Over ${mostRows} logs.`);
    const { logs, count, inOrder } = parseLogs(parsed(lines));
    const first = logs[0];
    const follows = !last || !first || compareLogs(last, first) < 0;
    if (!inOrder || !follows || logs.length !== count)
      throw broken('They are not in the order of the chain.');
    rows.append(logs);
    last = logs.at(-1) ?? last;
    lines = [];
    if (slices.isOver()) await slices.rest({ signal });
  }

  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > mostBytes) throw new AppError('tooLarge', `Over ${mostBytes} bytes of logs.`);
    hash.update(piece);
    const [head = '', ...others] = decoder.decode(piece, { stream: true }).split('\n');
    const whole = [begun + head, ...others];
    begun = whole.pop() ?? '';
    if (begun.length > MAX_LINE_CHARS) throw new AppError('tooLarge', 'A line is too long to be a log.');
    for (const line of whole) {
      lines.push(line);
      if (lines.length >= LINES_PER_SLICE) await take();
    }
  }
  await take();
  if (begun !== '' || bytesToHex(hash.digest()) !== wanted)
    throw broken('They are not those that were kept.');
  return rows;
}

function parsed(lines: readonly string[]): unknown {
  try {
    return JSON.parse(`[${lines.join(',')}]`);
  } catch (cause) {
    throw new AppError('badLogs', 'The kept logs are broken.', { cause });
  }
}

function broken(why: string): AppError {
  return new AppError('badLogs', `The kept logs are broken. ${why}`);
}
