import type { DecodedLog } from '../abi/decode/logDecoder.ts';
import type { Log } from '../logs/query/log.ts';
import { isoTime } from '../times/timeText.ts';

/** A log of an export, with what is known of it where that is asked for. */
export interface ExportRow {
  readonly log: Log;
  readonly decoded: DecodedLog | undefined;
}

/**
 * A column of an exported table. Integers are bigint or number, hex is text in lower case with `0x`, and what a log does
 * not have is undefined.
 */
export interface ExportColumn {
  readonly name: string;
  readonly type: 'integer' | 'hex' | 'optionalText' | 'optionalInteger' | 'optionalBoolean';
  readonly value: (row: ExportRow) => bigint | number | string | boolean | undefined;
}

/** The columns of what logs are made of, in order, named as public data sets of Ethereum logs name them. */
export const logColumns: readonly ExportColumn[] = [
  { name: 'block_number', type: 'integer', value: ({ log }) => log.blockNumber },
  { name: 'block_hash', type: 'hex', value: ({ log }) => log.blockHash },
  { name: 'transaction_hash', type: 'hex', value: ({ log }) => log.transactionHash },
  { name: 'transaction_index', type: 'integer', value: ({ log }) => log.transactionIndex },
  { name: 'log_index', type: 'integer', value: ({ log }) => log.logIndex },
  { name: 'address', type: 'hex', value: ({ log }) => log.address },
  { name: 'topic0', type: 'optionalText', value: ({ log }) => log.topics[0] },
  { name: 'topic1', type: 'optionalText', value: ({ log }) => log.topics[1] },
  { name: 'topic2', type: 'optionalText', value: ({ log }) => log.topics[2] },
  { name: 'topic3', type: 'optionalText', value: ({ log }) => log.topics[3] },
  { name: 'data', type: 'hex', value: ({ log }) => log.data },
];

/** When the block of a log was made, in ISO 8601, where logs are written with their times. */
export const timeColumn: ExportColumn = {
  name: 'block_timestamp',
  type: 'optionalText',
  value: ({ log }) => isoTime(log.time),
};
