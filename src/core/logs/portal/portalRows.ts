import { AppError } from '../../base/errors.ts';
import { isRecord } from '../../base/records.ts';
import type { PortalBlock } from '../../portal/blockLines.ts';
import type { PortalLogItem } from '../../portal/portal.ts';
import { toQuantity } from '../../values/hex.ts';
import { readLogs } from '../asking/readLogs.ts';
import { MOST_BLOCK_ROWS } from '../guards/room.ts';
import type { Log } from '../query/log.ts';
import type { ServerFilter } from '../server/serverFilters.ts';

/** Rows that are read at once: as many as one answer of a node may have. */
const AT_ONCE = 20_000;
const TOPICS = ['topic0', 'topic1', 'topic2', 'topic3'] as const;

/** A filter as a portal takes it. What is any is left out: an empty list there matches nothing. */
export function itemOf({ address, topics = [] }: ServerFilter): PortalLogItem {
  const item: Record<string, readonly string[]> = {};
  if (address !== undefined) item.address = [address].flat();
  for (const [place, values] of topics.entries()) {
    const name = TOPICS[place];
    if (name !== undefined && values !== null) item[name] = [values].flat();
  }
  return item;
}

/**
 * The rows of blocks, in order.
 *
 * @throws AppError `badLogs` for a row that is no log, `tooLarge` for more of one block than a block can hold.
 */
export function rowsOf(blocks: readonly PortalBlock[]): readonly Log[] {
  const rows: unknown[] = [];
  const logs: Log[] = [];
  const readThem = () => {
    for (const log of readLogs(rows.splice(0)).logs) logs.push(log);
  };
  for (const block of blocks) {
    if (block.logs.length > MOST_BLOCK_ROWS) {
      throw new AppError('tooLarge', `Block ${block.number} has over ${MOST_BLOCK_ROWS} logs.`);
    }
    const blockNumber = toQuantity(block.number);
    const time = block.timestamp === undefined ? {} : { blockTimestamp: toQuantity(block.timestamp) };
    for (const row of block.logs) {
      // The block is that of the line, whatever a row says of itself.
      rows.push(isRecord(row) ? { ...row, blockNumber, blockHash: block.hash, ...time } : row);
      if (rows.length === AT_ONCE) readThem();
    }
  }
  if (rows.length > 0) readThem();
  return logs;
}
