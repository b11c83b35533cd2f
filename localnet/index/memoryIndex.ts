import type { Hex } from 'ox';
import type {
  BlockRange,
  ExplorerIndex,
  IndexedBlock,
  IndexedLog,
  IndexedTransaction,
} from './explorerIndex.ts';
import { SortedLogs } from './sortedLogs.ts';

/** A block as it was first seen, with what happened in it. */
export type NewBlock = {
  readonly number: number;
  readonly hash: Hex.Hex;
  /** False for a block that was never in the main chain. Default true. */
  readonly consensus?: boolean;
  /** Seconds since the Unix epoch. Default two for each block. */
  readonly timestamp?: number;
  readonly transactions: readonly NewTransaction[];
};

export type NewTransaction = {
  readonly hash: Hex.Hex;
  readonly logs: readonly Pick<IndexedLog, 'logIndex' | 'address' | 'topics' | 'data'>[];
};

type BalanceAt = { readonly blockNumber: number; readonly wei: bigint };

/** An index held in memory, filled by hand or by following a chain. */
export class MemoryIndex implements ExplorerIndex {
  readonly #blocks = new Map<Hex.Hex, IndexedBlock>();
  readonly #heights = new Map<number, IndexedBlock[]>();
  readonly #transactions = new Map<Hex.Hex, { blockHash: Hex.Hex | undefined; index: number }>();
  readonly #logs = new SortedLogs();
  readonly #logsByAddress = new Map<Hex.Hex, SortedLogs>();
  readonly #logsByTransaction = new Map<Hex.Hex, IndexedLog[]>();
  readonly #displaced = new Set<IndexedLog>();
  readonly #balances = new Map<Hex.Hex, BalanceAt[]>();
  #head: number | undefined;

  /** A transaction that is already known moves here, as when it is mined again after a reorg. */
  addBlock(block: NewBlock): void {
    const { number, hash, consensus = true, timestamp = number * 2 } = block;
    const indexed = { number, hash, consensus, timestamp };
    this.#blocks.set(hash, indexed);
    this.#heights.set(number, [...this.blocksAt(number), indexed]);
    if (consensus && (this.#head === undefined || number > this.#head)) this.#head = number;
    for (const [index, transaction] of block.transactions.entries()) {
      this.#addTransaction(indexed, index, transaction);
    }
  }

  /** Takes the block out of the main chain. Its transactions stay with it until they are mined again. */
  orphan(hash: Hex.Hex): void {
    const block = this.#blocks.get(hash);
    if (!block) return;
    const orphaned = { ...block, consensus: false };
    this.#blocks.set(hash, orphaned);
    this.#heights.set(
      block.number,
      this.blocksAt(block.number).map((other) => (other.hash === hash ? orphaned : other)),
    );
    if (block.number === this.#head) this.#head = this.#highest((other) => other.consensus)?.number;
  }

  /** Leaves the transaction without a block, as an explorer does until it is mined again. */
  drop(transactionHash: Hex.Hex): void {
    const transaction = this.#transactions.get(transactionHash);
    if (!transaction) return;
    this.#transactions.set(transactionHash, { ...transaction, blockHash: undefined });
    for (const log of this.#logsByTransaction.get(transactionHash) ?? []) this.#displaced.add(log);
  }

  recordBalance(address: Hex.Hex, blockNumber: number, wei: bigint): void {
    const known = this.#balances.get(address) ?? [];
    const others = known.filter((balance) => balance.blockNumber !== blockNumber);
    others.push({ blockNumber, wei });
    others.sort((a, b) => a.blockNumber - b.blockNumber);
    this.#balances.set(address, others);
  }

  head(): number | undefined {
    return this.#head;
  }

  block(hash: Hex.Hex): IndexedBlock | undefined {
    return this.#blocks.get(hash);
  }

  blocksAt(number: number): readonly IndexedBlock[] {
    return this.#heights.get(number) ?? [];
  }

  highestOrphan(): IndexedBlock | undefined {
    return this.#highest((block) => !block.consensus);
  }

  transaction(hash: Hex.Hex): IndexedTransaction | undefined {
    const transaction = this.#transactions.get(hash);
    if (!transaction) return undefined;
    const { blockHash, index } = transaction;
    return { hash, index, block: blockHash && this.#blocks.get(blockHash) };
  }

  logs(range: BlockRange, address?: Hex.Hex): Iterable<IndexedLog> {
    const logs = address === undefined ? this.#logs : this.#logsByAddress.get(address);
    return logs ? logs.between(range) : [];
  }

  displacedLogs(): readonly IndexedLog[] {
    return [...this.#displaced];
  }

  latestBalance(address: Hex.Hex): bigint | undefined {
    return this.#balances.get(address)?.at(-1)?.wei;
  }

  balanceIn(address: Hex.Hex, { from, to }: BlockRange): bigint | undefined {
    return this.#balances
      .get(address)
      ?.findLast(({ blockNumber }) => blockNumber >= from && blockNumber <= to)?.wei;
  }

  #highest(wanted: (block: IndexedBlock) => boolean): IndexedBlock | undefined {
    let highest: IndexedBlock | undefined;
    for (const block of this.#blocks.values()) {
      if (wanted(block) && (!highest || block.number > highest.number)) highest = block;
    }
    return highest;
  }

  #addTransaction(block: IndexedBlock, index: number, { hash, logs }: NewTransaction): void {
    const earlier = this.#logsByTransaction.get(hash) ?? [];
    const added = logs.map((log) => ({
      ...log,
      ...{ blockNumber: block.number, blockHash: block.hash, transactionHash: hash },
    }));
    const movesHere = block.consensus || !this.#transactions.has(hash);
    if (movesHere) this.#transactions.set(hash, { blockHash: block.hash, index });
    for (const log of movesHere ? earlier : added) this.#displaced.add(log);

    this.#logsByTransaction.set(hash, [...earlier, ...added]);
    for (const log of added) {
      this.#logs.add(log);
      let ofAddress = this.#logsByAddress.get(log.address);
      if (!ofAddress) {
        ofAddress = new SortedLogs();
        this.#logsByAddress.set(log.address, ofAddress);
      }
      ofAddress.add(log);
    }
  }
}
