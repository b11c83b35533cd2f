import { type BytePattern, hasPattern } from '../../../values/bytePattern.ts';
import type { HashList } from './hashList.ts';
import { type LogColumns, remembered } from './logColumns.ts';

/**
 * Whether transaction hash, address, a topic or the data of a row hold one of the patterns. What repeats is looked
 * through once, as long as the search lives.
 */
export function createRowSearch(
  { addresses, topics, transactions, bodies, transactionOf }: LogColumns,
  patterns: readonly BytePattern[],
): (row: number) => boolean {
  const inAddress = searchOf(addresses, patterns);
  const inTopic = searchOf(topics, patterns);
  let transaction = -1;
  let inTransaction = false;

  return (row) => {
    const number = transactionOf(row);
    if (number !== transaction) {
      transaction = number;
      inTransaction = patterns.some((pattern) => transactions.holds(number, pattern));
    }
    if (inTransaction || inAddress(bodies.addressAt(row))) return true;
    const count = bodies.topicCountAt(row);
    for (let slot = 0; slot < count; slot++) if (inTopic(bodies.topicAt(row, slot))) return true;
    const data = bodies.dataBytesAt(row);
    for (const pattern of patterns) if (hasPattern(pattern, data)) return true;
    return false;
  };
}

function searchOf(list: HashList, patterns: readonly BytePattern[]): (number: number) => boolean {
  return remembered(list, (number) => patterns.some((pattern) => list.holds(number, pattern)));
}
