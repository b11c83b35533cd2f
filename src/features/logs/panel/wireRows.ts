import { type Log, toChecksumAddress } from '../../../core/index.ts';
import type { Column, WireLog, WireRow } from '../protocol/protocol.ts';
import type { NumberedLog } from '../results/arrangedRows.ts';

/** Data beyond this many characters stays in the host until a log is looked at: no column is that wide. */
const DATA_SHOWN = 514;

/** A log shortened to what a grid shows. */
export function wireRow(numbered: NumberedLog): WireRow {
  return shortened(numbered, DATA_SHOWN);
}

export function wireLog(numbered: NumberedLog): WireLog {
  const { blockHash, transactionIndex } = numbered.log;
  return { ...shortened(numbered, Number.POSITIVE_INFINITY), blockHash, transactionIndex };
}

function shortened({ number, log }: NumberedLog, dataLength: number): WireRow {
  return {
    log: number,
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
