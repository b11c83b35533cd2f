import { MOST_BLOCK_TIMES, type Network } from '../../../core/index.ts';
import { isSameChain } from '../../../host/session/sameChain.ts';
import type { Connection } from '../../../host/session/session.ts';

/** Times that are held: those of some hundred screens. */
const MOST_KEPT = 10_000;
/** Blocks that wait: the rows in view, and those fetched ahead of them. */
const MOST_WANTED = 300;

/**
 * When blocks were made that are in view, by their headers, in the background, a question at a time. A block that the
 * endpoint did not give is not asked for again.
 */
export class BlockTimes {
  readonly #connection: () => Pick<Connection, 'client' | 'network' | 'signal'>;
  readonly #onDidChange: () => void;
  readonly #times = new Map<bigint, number>();
  readonly #asked = new Set<bigint>();
  #network: Network | undefined;
  #wanted: readonly bigint[] = [];
  #isAsking = false;
  #isOffered = true;
  #isDisposed = false;

  constructor(connection: () => Pick<Connection, 'client' | 'network' | 'signal'>, onDidChange: () => void) {
    this.#connection = connection;
    this.#onDidChange = onDidChange;
  }

  /** Whether any is known. */
  get areKnown(): boolean {
    return this.#times.size > 0;
  }

  /** In milliseconds since the Unix epoch. */
  timeOf(block: bigint): number | undefined {
    return this.#times.get(block);
  }

  /** Reads the times of these blocks of `network`, after those that were wanted shortly before. */
  want(blocks: Iterable<bigint>, network: Network): void {
    if (!this.#network || !isSameChain(network, this.#network)) this.clear();
    this.#network = network;
    const unknown = [...this.#wanted, ...blocks].filter((block) => !this.#asked.has(block));
    this.#wanted = [...new Set(unknown)].slice(-MOST_WANTED);
    if (!this.#isAsking) void this.#ask();
  }

  /** Forgets all, as for another network. */
  clear(): void {
    this.#times.clear();
    this.#asked.clear();
    this.#wanted = [];
    this.#isOffered = true;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.clear();
  }

  #isOf(network: Network): boolean {
    return this.#network !== undefined && isSameChain(network, this.#network);
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    try {
      while (await this.#askNext()) this.#onDidChange();
    } catch {
      // The column of times stays as it is: it is beside what was asked for.
    } finally {
      this.#isAsking = false;
    }
  }

  /** Whether times have come. */
  async #askNext(): Promise<boolean> {
    const { client, network, signal } = this.#connection();
    const blocks = this.#wanted.filter((block) => !this.#asked.has(block)).slice(0, MOST_BLOCK_TIMES);
    const isOver = this.#isDisposed || !this.#isOffered || !this.#isOf(network);
    if (isOver || blocks.length === 0) return false;
    for (const block of blocks) this.#asked.add(block);
    const times = await client.blockTimes(blocks, { signal });
    if (!this.#isOf(network) || this.#isDisposed) return false;
    this.#isOffered = times !== undefined;
    if (this.#times.size > MOST_KEPT) this.#times.clear();
    for (const [block, time] of times ?? []) this.#times.set(block, time);
    return this.#isOffered;
  }
}
