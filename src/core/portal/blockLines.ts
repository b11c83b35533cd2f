import type { Abortable } from '../base/abortable.ts';
import type { Clock } from '../base/clock.ts';
import { AppError, throwIfAborted } from '../base/errors.ts';
import { isRecord } from '../base/records.ts';
import { createTimeSlices } from '../base/timeSlices.ts';
import { type HttpAnswer, parseJson } from '../http/httpAnswer.ts';
import { type Hex, parseHexData } from '../values/hex.ts';

/** A block in the answer of a portal. */
export interface PortalBlock {
  readonly number: bigint;
  readonly hash: Hex;
  readonly parentHash: Hex | undefined;
  /** Seconds since the Unix epoch. */
  readonly timestamp: number | undefined;
  /** Rows of it, as they came. */
  readonly logs: readonly unknown[];
}

interface LinesOptions extends Abortable {
  /** The server, as an error may name it. */
  readonly origin: string;
  readonly clock: Clock;
  /** The last line may be a part of one, and is left out. */
  readonly isCut: boolean;
}

const NEWLINE = 0x0a;
/** Blocks of one answer: of fewer bytes a line cannot be, and an answer has 16 MiB at the most. */
const MOST_LINES = 200_000;
/** Bytes of a line from which on it is read in slices of time. */
const LONG_LINE = 512 * 1024;

/**
 * The blocks in an answer of a portal: JSON, one a line. Read in slices of time.
 *
 * @throws AppError `badResponse` for a line that is no block, or blocks that are not in order; `tooLarge` for one that
 *   was cut in its first line, or of over 200,000 lines; `aborted`.
 */
export async function readBlockLines(
  answer: HttpAnswer,
  options: LinesOptions,
): Promise<readonly PortalBlock[]> {
  const { origin, clock, isCut, signal } = options;
  const { body } = answer;
  const slices = createTimeSlices(clock);
  const decoder = new TextDecoder();
  const blocks: PortalBlock[] = [];
  for (let start = 0; start < body.length; ) {
    const newline = body.indexOf(NEWLINE, start);
    if (newline < 0 && isCut) break;
    const end = newline < 0 ? body.length : newline;
    const line = body.subarray(start, end);
    start = end + 1;
    if (line.length === 0) continue;
    const isLong = line.length >= LONG_LINE;
    const value = isLong
      ? await parseJson({ ...answer, body: line }, { origin, clock, signal })
      : parseLine(decoder.decode(line), origin);
    const block = readBlock(value, origin);
    const before = blocks[blocks.length - 1];
    if (before && block.number <= before.number) throw broken(origin, 'blocks that are not in order');
    blocks.push(block);
    if (blocks.length > MOST_LINES)
      throw new AppError('tooLarge', `The answer has over ${MOST_LINES} lines.`);
    if (slices.isOver()) {
      await slices.rest();
      throwIfAborted(signal);
    }
  }
  if (blocks.length === 0 && isCut)
    throw new AppError('tooLarge', 'A block of the answer is over the limit.');
  return blocks;
}

function parseLine(text: string, origin: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw broken(origin, 'a line that is no JSON', cause);
  }
}

function readBlock(value: unknown, origin: string): PortalBlock {
  const header = isRecord(value) ? value.header : undefined;
  if (!isRecord(value) || !isRecord(header)) throw broken(origin, 'a line without a block');
  const { number, hash, parentHash, timestamp } = header;
  const isNumber = typeof number === 'number' && Number.isSafeInteger(number) && number >= 0;
  const blockHash = parseHexData(hash, 32);
  if (!isNumber || !blockHash) throw broken(origin, 'a block without number and hash');
  const logs = value.logs ?? [];
  if (!Array.isArray(logs)) throw broken(origin, 'logs that are no list');
  const isTime = typeof timestamp === 'number' && Number.isSafeInteger(timestamp) && timestamp >= 0;
  return {
    number: BigInt(number),
    hash: blockHash,
    parentHash: parseHexData(parentHash, 32),
    timestamp: isTime ? timestamp : undefined,
    logs,
  };
}

function broken(origin: string, what: string, cause?: unknown): AppError {
  return new AppError('badResponse', `${origin} answered with ${what}.`, { cause });
}
