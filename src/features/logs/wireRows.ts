import { type Log, type LogStore, toChecksumAddress } from '../../core/index.ts';
import type { Column, RowWindow, WireLog, WireRow } from './protocol.ts';

/** Data beyond this many characters stays in the host until a log is looked at: no column is that wide. */
const DATA_SHOWN = 514;

/** The rows of a window, shortened to what a grid shows. */
export function wireRows(
  rows: Pick<LogStore, 'slice'>,
  { start, count }: Pick<RowWindow, 'start' | 'count'>,
): readonly WireRow[] {
  return rows.slice(start, count).map((log) => wireRow(log, DATA_SHOWN));
}

export function wireLog(log: Log): WireLog {
  return {
    ...wireRow(log, Number.POSITIVE_INFINITY),
    blockHash: log.blockHash,
    transactionIndex: log.transactionIndex,
  };
}

function wireRow(log: Log, dataLength: number): WireRow {
  return {
    block: log.blockNumber.toString(),
    index: log.logIndex,
    transaction: log.transactionHash,
    address: toChecksumAddress(log.address),
    topics: log.topics,
    data: log.data.slice(0, dataLength),
    dataBytes: log.data.length / 2 - 1,
  };
}

/** The whole text of one cell, for the clipboard. */
export function cellText(log: Log, column: Column): string {
  switch (column) {
    case 'block':
      return log.blockNumber.toString();
    case 'index':
      return log.logIndex.toString();
    case 'transaction':
      return log.transactionHash;
    case 'address':
      return toChecksumAddress(log.address);
    case 'topics':
      return log.topics.join(' ');
    case 'data':
      return log.data;
  }
}
