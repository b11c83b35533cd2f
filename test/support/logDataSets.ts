import { MemoryIndex, type NewTransaction } from '../../localnet/index/memoryIndex.ts';
import type { Hex } from '../../src/core/index.ts';

/** A chain made up for tests: what an explorer has indexed of it, and its true logs. */
export interface LogDataSet {
  readonly index: MemoryIndex;
  readonly head: number;
  /** Logs of the main chain, in order. */
  readonly truth: readonly TrueLog[];
}

export interface TrueLog {
  readonly blockNumber: number;
  readonly logIndex: number;
  readonly address: Hex;
  readonly topics: readonly Hex[];
}

export const toHex = (value: number, bytes: number): Hex =>
  `0x${value.toString(16).padStart(bytes * 2, '0')}`;

export const addresses = [0xa1, 0xb2, 0xc3].map((value) => toHex(value, 20));
export const topics = Array.from({ length: 8 }, (_, index) => toHex(0x7000 + index, 32));

/** A small generator of repeatable numbers (xorshift), so that a failure can be run again. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const LOGS_A_TRANSACTION = 7;

/**
 * A chain with the given number of logs in each block, by block number; blocks not named hold none.
 * Log indices leave gaps, as when only some logs of a block match.
 */
export function buildDataSet(
  logsByBlock: ReadonlyMap<number, number>,
  options: {
    readonly seed?: number;
    readonly head?: number;
    /** Logs of a second block at the height, never of the main chain. */
    readonly orphans?: (block: number) => number;
    /** Whether the block's transactions were mined before in a block that was then orphaned. */
    readonly minedAgain?: (block: number) => boolean;
  } = {},
): LogDataSet {
  const random = createRandom(options.seed ?? 42);
  const index = new MemoryIndex();
  const truth: TrueLog[] = [];
  const numbers = [...logsByBlock.keys()].sort((a, b) => a - b);
  const head = options.head ?? numbers.at(-1) ?? 0;
  for (const number of new Set([0, ...numbers, head])) {
    addBlock(index, random, number, logsByBlock.get(number) ?? 0, truth, options.minedAgain?.(number));
    const orphaned = options.orphans?.(number) ?? 0;
    if (orphaned > 0) addBlock(index, random, number, orphaned, undefined);
  }
  return { index, head, truth };
}

/** A chain of so many blocks with logs in each. */
export function buildChain(
  blocks: number,
  logsAt: number | ((block: number) => number),
  options?: Parameters<typeof buildDataSet>[1],
): LogDataSet {
  const countAt = typeof logsAt === 'number' ? () => logsAt : logsAt;
  const counts = Array.from({ length: blocks }, (_, block) => [block, countAt(block)] as const);
  return buildDataSet(new Map(counts), options);
}

function addBlock(
  index: MemoryIndex,
  random: (below: number) => number,
  number: number,
  count: number,
  truth: TrueLog[] | undefined,
  minedAgain = false,
): void {
  const consensus = truth !== undefined;
  const salt = consensus ? 1 : 2;
  const logs = Array.from({ length: count }, (_, position) => ({
    logIndex: position * 2 + random(2),
    address: addresses[random(10) < 8 ? 0 : 1 + random(2)] ?? '0x',
    topics: Array.from({ length: random(5) }, (_unused, slot) => topics[slot * 2 + random(2)] ?? '0x'),
    data: toHex(position, 32),
  }));
  const transactions = Array.from({ length: Math.ceil(count / LOGS_A_TRANSACTION) }, (_, position) => ({
    hash: toHex(number * 1_000_000 + position * 10 + salt, 32),
    logs: logs.slice(position * LOGS_A_TRANSACTION, (position + 1) * LOGS_A_TRANSACTION),
  }));
  if (minedAgain) {
    const hash = toHex(number * 10 + 3, 32);
    index.addBlock({ number, hash, transactions: transactions.map(shiftLogs) });
    index.orphan(hash);
  }
  index.addBlock({ number, hash: toHex(number * 10 + salt, 32), consensus, transactions });
  for (const log of consensus ? logs : []) truth?.push({ blockNumber: number, ...log });
}

/** The transaction as it stood in a block where others came before it. */
function shiftLogs(transaction: NewTransaction): NewTransaction {
  return { ...transaction, logs: transaction.logs.map((log) => ({ ...log, logIndex: log.logIndex + 5 })) };
}

/** Data sets that have tripped log readers. */
export const dataSets = {
  empty: () => buildDataSet(new Map(), { head: 50 }),
  small: () =>
    buildDataSet(
      new Map([
        [3, 5],
        [4, 1],
        [9, 20],
      ]),
      { head: 12 },
    ),
  uneven: () => {
    const random = createRandom(7);
    return buildChain(210, () => (random(10) === 0 ? random(200) : random(12)), { seed: 3 });
  },
  dense: () =>
    buildDataSet(
      new Map([
        [2, 10],
        [3, 2500],
        [4, 10],
        [5, 1300],
        [9, 1],
      ]),
      { head: 10 },
    ),
  forked: () => {
    const random = createRandom(11);
    const orphans = (block: number) => (block % 9 === 4 ? 12 : 0);
    return buildChain(120, () => 5 + random(40), { seed: 5, orphans });
  },
  'exactly a page': () =>
    buildDataSet(
      new Map([
        [5, 400],
        [6, 600],
      ]),
      { head: 20 },
    ),
  'multiples of a page': () =>
    buildDataSet(
      new Map([
        [1, 1000],
        [2, 1000],
        [3, 500],
        [4, 500],
        [7, 1000],
      ]),
      { head: 9 },
    ),
  'around a page': () =>
    buildDataSet(
      new Map([
        [10, 999],
        [20, 1000],
        [30, 1001],
      ]),
      { head: 40 },
    ),
  'near 2^31': () => {
    const top = 2 ** 31 - 2;
    return buildDataSet(
      new Map([
        [top - 900, 700],
        [top - 3, 900],
        [top - 1, 800],
        [top, 3],
      ]),
    );
  },
  'mined again': () => {
    const random = createRandom(13);
    return buildChain(90, () => 5 + random(40), { seed: 6, minedAgain: (block) => block % 11 === 6 });
  },
} as const satisfies Record<string, () => LogDataSet>;
