import { type BytePattern, hasPattern } from '../../values/bytePattern.ts';
import type { HashList } from './hashList.ts';
import type { RowBodies } from './rowBodies.ts';

/** Where a row's values are. */
interface SearchedColumns {
  readonly addresses: HashList;
  readonly topics: HashList;
  readonly transactions: HashList;
  readonly bodies: RowBodies;
  /** The number of a row's transaction. */
  transactionOf(row: number): number;
}

const NOT_HELD = 1;
const HELD = 2;

/**
 * Whether transaction hash, address, a topic or the data of a row hold one of the patterns. What repeats is looked
 * through once, as long as the search lives.
 */
export function createRowSearch(
  { addresses, topics, transactions, bodies, transactionOf }: SearchedColumns,
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

/** What comes to the list later is looked through each time. */
function searchOf(list: HashList, patterns: readonly BytePattern[]): (number: number) => boolean {
  const known = new Uint8Array(list.length);
  return (number) => {
    const before = known[number];
    if (before === HELD || before === NOT_HELD) return before === HELD;
    const held = patterns.some((pattern) => list.holds(number, pattern));
    if (before !== undefined) known[number] = held ? HELD : NOT_HELD;
    return held;
  };
}
