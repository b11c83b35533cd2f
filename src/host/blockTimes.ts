import {
  type BlockTime,
  type ChainClient,
  type LogsInBlocks,
  MAX_BLOCK_TIMES,
  type Network,
} from '../core/index.ts';
import { isSameChain } from './session/networks.ts';

/**
 * Fetches the times of visible blocks in the background, one request at a time. What failed or was left out is
 * requested again only on next use.
 */
export class BlockTimes {
  readonly #connection: () => TimesConnection;
  readonly #onDidChange: () => void;
  readonly #times = new Map<bigint, number>();
  readonly #requested = new Set<bigint>();
  #network: Network | undefined;
  #pending: readonly bigint[] = [];
  #logs: LogsInBlocks | undefined;
  #isFetching = false;
  /** Increases on each clear, so that pending results are dropped. */
  #round = 0;
  #state: TimesState = 'asked';
  #isDisposed = false;

  constructor(connection: () => TimesConnection, onDidChange: () => void) {
    this.#connection = connection;
    this.#onDidChange = onDidChange;
  }

  get areKnown(): boolean {
    return this.#times.size > 0;
  }

  get state(): TimesState {
    return this.#state;
  }

  /** Milliseconds since the Unix epoch. */
  timeOf(block: bigint): number | undefined {
    return this.#times.get(block);
  }

  /**
   * Fetches the times of these blocks of `network`, after those that were requested shortly before.
   *
   * @param logs the logs in these blocks, if known for all of them.
   */
  prefetch(blocks: Iterable<bigint>, network: Network, logs?: LogsInBlocks): void {
    if (!this.#network || !isSameChain(network, this.#network)) this.clear();
    this.#network = network;
    this.#logs = logs;
    const missing = [...this.#pending, ...blocks].filter((block) => !this.#requested.has(block));
    this.#pending = [...new Set(missing)].slice(-MAX_PENDING_BLOCKS);
    if (!this.#isFetching) void this.#fetchAll();
  }

  /** Drops all times, for example when the network changes. */
  clear(): void {
    this.#round++;
    this.#times.clear();
    this.#requested.clear();
    this.#pending = [];
    this.#state = 'asked';
  }

  dispose(): void {
    this.#isDisposed = true;
    this.clear();
  }

  #isCurrent(network: Network): boolean {
    return this.#network !== undefined && isSameChain(network, this.#network);
  }

  async #fetchAll(): Promise<void> {
    this.#isFetching = true;
    const round = this.#round;
    try {
      while (await this.#fetchNext(round)) this.#onDidChange();
    } catch {
      // The rows stay without times; the column shows the failure.
      if (round === this.#round) this.#setState('failed');
    } finally {
      this.#isFetching = false;
    }
    // Blocks of another network that were requested meanwhile.
    if (round !== this.#round && !this.#isDisposed && this.#pending.length > 0) await this.#fetchAll();
  }

  /** Returns whether times were fetched. */
  async #fetchNext(round: number): Promise<boolean> {
    const connection = this.#connection();
    const { network } = connection;
    const blocks = this.#pending.filter((block) => !this.#requested.has(block)).slice(0, MAX_BLOCK_TIMES);
    const mustStop =
      round !== this.#round || this.#isDisposed || this.#state === 'notTold' || !this.#isCurrent(network);
    if (mustStop || blocks.length === 0) return false;
    const times = await this.#fetch(connection, blocks);
    if (round !== this.#round || this.#isDisposed) return false;
    this.#setState(times ? 'asked' : 'notTold');
    if (this.#times.size > MAX_CACHED_TIMES) {
      this.#times.clear();
      this.#requested.clear();
    }
    for (const [block, { time }] of times ?? []) this.#times.set(block, time);
    this.#dequeue(blocks, times ?? new Map());
    return times !== undefined;
  }

  /** After a failure the blocks can be requested again. */
  async #fetch({ client, signal }: TimesConnection, blocks: readonly bigint[]) {
    const round = this.#round;
    for (const block of blocks) this.#requested.add(block);
    try {
      return await client.fetchBlockTimes(blocks, { signal, logs: this.#logs });
    } catch (error) {
      if (this.#round === round) for (const block of blocks) this.#requested.delete(block);
      throw error;
    }
  }

  /** Removes the blocks from the queue. Those that a partial response left out can be requested again. */
  #dequeue(blocks: readonly bigint[], times: ReadonlyMap<bigint, BlockTime>): void {
    this.#pending = this.#pending.filter((block) => !blocks.includes(block));
    if (times.size === 0) return;
    for (const block of blocks) if (!times.has(block)) this.#requested.delete(block);
  }

  #setState(state: TimesState): void {
    if (state === this.#state || this.#isDisposed) return;
    this.#state = state;
    if (state !== 'asked') this.#onDidChange();
  }
}

/** The client that fetches times. */
interface TimesConnection {
  readonly client: Pick<ChainClient, 'fetchBlockTimes'>;
  readonly network: Network;
  readonly signal: AbortSignal;
}

/**
 * `notTold`: the endpoint does not provide times; `failed`: the last request failed, and the next blocks are
 * requested regardless.
 */
export type TimesState = 'asked' | 'failed' | 'notTold';

/** Enough for some hundred screens. */
const MAX_CACHED_TIMES = 10_000;
/** Pending blocks: the visible rows, and those fetched ahead. */
const MAX_PENDING_BLOCKS = 300;
