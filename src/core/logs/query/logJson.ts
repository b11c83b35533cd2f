import type { Address } from '../../values/address.ts';
import { type Hex, toQuantity } from '../../values/hex.ts';
import type { Log } from './log.ts';

/**
 * A log as JSON-RPC writes it: every quantity a `0x` string, all hex in lower case. The same keys of every server: a
 * time that only some give with a row has a field of its own where it is wanted.
 */
export interface LogJson {
  readonly address: Address;
  readonly blockHash: Hex;
  readonly blockNumber: Hex;
  readonly data: Hex;
  readonly logIndex: Hex;
  readonly topics: readonly Hex[];
  readonly transactionHash: Hex;
  readonly transactionIndex: Hex;
}

/**
 * The JSON form of `log`.
 *
 * @example logToJson({ ...log, blockNumber: 16n }).blockNumber; // as '0x10'
 */
export function logToJson(log: Log): LogJson {
  return {
    address: log.address,
    blockHash: log.blockHash,
    blockNumber: toQuantity(log.blockNumber),
    data: log.data,
    logIndex: toQuantity(log.logIndex),
    topics: log.topics,
    transactionHash: log.transactionHash,
    transactionIndex: toQuantity(log.transactionIndex),
  };
}
