import type { LogRow } from './logQuery.ts';

export type LogEntry = Readonly<Record<string, unknown>>;

/** The entry as nodes write it, since v6.3.0. A dropped transaction has no block to tell. */
export function renderEntry({ log, block, transactionIndex }: LogRow): LogEntry {
  return {
    address: log.address,
    blockHash: block?.hash ?? '',
    blockNumber: block ? `0x${block.number.toString(16)}` : null,
    data: log.data,
    logIndex: `0x${log.logIndex.toString(16)}`,
    removed: block?.consensus !== true,
    topics: log.topics,
    transactionHash: log.transactionHash,
    transactionIndex: `0x${transactionIndex.toString(16)}`,
  };
}

/** The entry of v2.0.1 to v5.4: bare upper-case hex, and indexes that are JSON integers. */
export function renderOldEntry({ log, block, transactionIndex }: LogRow): LogEntry {
  return {
    address: log.address,
    blockHash: block?.hash ?? '',
    blockNumber: (block?.number ?? log.blockNumber).toString(16).toUpperCase(),
    data: log.data,
    logIndex: log.logIndex.toString(16).toUpperCase(),
    removed: block?.consensus !== true,
    topics: log.topics,
    transactionHash: log.transactionHash,
    transactionIndex,
    transactionLogIndex: log.logIndex,
    type: 'mined',
  };
}
