import { toChecksumAddress } from '../../../core/index.ts';
import { cellsOf } from '../protocol/columns.ts';
import type { WireLog, WireRow } from '../protocol/logsSnapshot.ts';
import type { NumberedLog } from '../results/arrangedRows.ts';

/** Text beyond this many characters stays in the host until a log is looked at: no column is that wide. */
const TEXT_SHOWN = 514;

/** A log shortened to what a grid shows. */
export function wireRow({ number, log }: NumberedLog): WireRow {
  return { log: number, cells: cellsOf(log, TEXT_SHOWN) };
}

export function wireLog({ number, log }: NumberedLog): WireLog {
  return {
    log: number,
    block: log.blockNumber.toString(),
    blockHash: log.blockHash,
    index: log.logIndex,
    transaction: log.transactionHash,
    transactionIndex: log.transactionIndex,
    address: toChecksumAddress(log.address),
    topics: log.topics,
    data: log.data,
    dataBytes: log.data.length / 2 - 1,
  };
}
