import type { Abortable } from '../../base/concurrency.ts';
import { bigintMax, bigintMin } from '../../base/values.ts';
import { QUORUM } from '../engine/fetchLogs.ts';
import { UNSETTLED_BLOCKS } from '../log.ts';
import { readAlike } from './pieces.ts';
import type { Snapshot, SnapshotRange, SnapshotReader } from './snapshots.ts';

/** Requests at once. */
const MAX_REQUESTS = 8;
/** A range with fewer rows may be wider next time. */
const FEW_ROWS = 200;

/**
 * Reads blocks that are far below the head, several ranges at once. A response counts up to 128 blocks below the head
 * of its own replica: no reorg replaces those, so it does not matter which replica responded.
 *
 * Ends early if no replica has the blocks now.
 */
export async function* readSettledBlocks(
  reader: SnapshotReader,
  { fromBlock, toBlock }: SnapshotRange,
  options: Abortable,
): AsyncGenerator<Snapshot> {
  let width = toBlock - fromBlock + 1n;
  for (let next = fromBlock; next <= toBlock; ) {
    const requestedWidth = width;
    width = bigintMin(width, reader.getMaxBlocks() ?? width);
    // Responses that are compared follow one another, so that different replicas give them.
    const maxRanges = reader.reportsHeads() ? MAX_REQUESTS : 1;
    const ranges = splitRange({ fromBlock: next, toBlock }, width, maxRanges);
    const responses = await Promise.all(ranges.map((range) => readSettled(reader, range, options)));
    for (const [at, response] of responses.entries()) {
      if (response === undefined) return;
      if (response === 'tooMuch') {
        const isRefusedWidth = (reader.getMaxBlocks() ?? width) < width;
        if (!isRefusedWidth) width = bigintMax(1n, width / 2n);
        break;
      }
      yield response;
      next = response.coveredTo + 1n;
      if (response.coveredTo < (ranges[at]?.toBlock ?? toBlock)) break;
      if (response.logs.length < FEW_ROWS && at === responses.length - 1) width = requestedWidth * 2n;
    }
  }
}

function splitRange(
  { fromBlock, toBlock }: SnapshotRange,
  width: bigint,
  maxRanges: number,
): readonly SnapshotRange[] {
  const ranges: SnapshotRange[] = [];
  for (let first = fromBlock; first <= toBlock && ranges.length < maxRanges; first += width)
    ranges.push({ fromBlock: first, toBlock: bigintMin(toBlock, first + width - 1n) });
  return ranges;
}

async function readSettled(
  reader: SnapshotReader,
  range: SnapshotRange,
  options: Abortable,
): Promise<Snapshot | 'tooMuch' | undefined> {
  for (let attempt = 0; attempt < QUORUM; attempt++) {
    const response = await reader.read(range, options);
    if (response === 'unseen') continue;
    if (response === 'unrequested' || response === 'tooMuch') {
      if (response === 'tooMuch' && range.fromBlock < range.toBlock) return response;
      return reader.readLarge(range, options);
    }
    if (!response.isReported) {
      const alike = await readAlike(reader, range, {
        ...options,
        above: undefined,
        chainEnd: range.toBlock,
        isOnly: false,
      });
      return typeof alike === 'object' ? alike : undefined;
    }
    const { head = response.coveredTo + UNSETTLED_BLOCKS } = response;
    const coveredTo = bigintMin(response.coveredTo, head - UNSETTLED_BLOCKS);
    if (coveredTo < range.fromBlock) continue;
    return {
      ...response,
      coveredTo,
      logs: response.logs.filter(({ blockNumber }) => blockNumber <= coveredTo),
    };
  }
  return undefined;
}
