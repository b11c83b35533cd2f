import type { Log } from '../logs/query/log.ts';

export interface BatchSize {
  readonly rows: number;
  /** Characters of `data` after which a batch ends with fewer rows: one log's data can be many kilobytes. */
  readonly dataLength: number;
}

/** What a text format turns into bytes at a time. */
export const textBatch: BatchSize = { rows: 1000, dataLength: 1 << 20 };

/**
 * The same logs in the same order, in batches that are full but for the last. No batch is empty.
 *
 * @example for await (const logs of batches(rows, { rows: 1000, dataLength: 1 << 20 })) write(logs);
 */
export async function* batches(
  rows: AsyncIterable<readonly Log[]>,
  size: BatchSize,
): AsyncGenerator<readonly Log[]> {
  let batch: Log[] = [];
  let dataLength = 0;
  for await (const logs of rows) {
    for (const log of logs) {
      batch.push(log);
      dataLength += log.data.length;
      if (batch.length < size.rows && dataLength < size.dataLength) continue;
      yield batch;
      batch = [];
      dataLength = 0;
    }
  }
  if (batch.length > 0) yield batch;
}
