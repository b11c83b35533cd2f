import {
  type BlockTime,
  type ChainClient,
  type LogsInBlocks,
  MAX_BLOCK_TIMES,
  type Network,
} from '../core/index.ts';
import { isSameChain } from './session/networks.ts';

/** Whom times are asked of. */
export interface TimesConnection {
  readonly client: Pick<ChainClient, 'fetchBlockTimes'>;
  readonly network: Network;
  readonly signal: AbortSignal;
}

/**
 * How times are had. `notTold`: the endpoint has nothing that tells; `failed`: the last question failed, and the next
 * blocks are asked for all the same.
 */
export type TimesState = 'asked' | 'failed' | 'notTold';

/** Times that are held: those of some hundred screens. */
const MAX_CACHED_TIMES = 10_000;
/** Blocks that wait: the rows in view, and those fetched ahead of them. */
const MAX_PENDING_BLOCKS = 300;

/**
 * When blocks were made that are in view, in the background, a question at a time. What failed or
 * was not given is asked for again only when it is wanted again.
 */
export class BlockTimes {
  readonly #connection: () => TimesConnection;
  readonly #onDidChange: () => void;
  readonly #times = new Map<bigint, number>();
  readonly #asked = new Set<bigint>();
  #network: Network | undefined;
  #wanted: readonly bigint[] = [];
  #logs: LogsInBlocks | undefined;
  #isAsking = false;
  /** Counts up when all is forgotten: what is on its way then is of nobody any more. */
  #round = 0;
  #state: TimesState = 'asked';
  #isDisposed = false;

  constructor(connection: () => TimesConnection, onDidChange: () => void) {
    this.#connection = connection;
    this.#onDidChange = onDidChange;
  }

  /** Whether any is known. */
  get areKnown(): boolean {
    return this.#times.size > 0;
  }

  get state(): TimesState {
    return this.#state;
  }

  /** In milliseconds since the Unix epoch. */
  timeOf(block: bigint): number | undefined {
    return this.#times.get(block);
  }

  /**
   * Reads the times of these blocks of `network`, after those that were wanted shortly before.
   *
   * @param logs which logs they are known to have, where that can be said of all.
   */
  prefetch(blocks: Iterable<bigint>, network: Network, logs?: LogsInBlocks): void {
    if (!this.#network || !isSameChain(network, this.#network)) this.clear();
    this.#network = network;
    this.#logs = logs;
    const unknown = [...this.#wanted, ...blocks].filter((block) => !this.#asked.has(block));
    this.#wanted = [...new Set(unknown)].slice(-MAX_PENDING_BLOCKS);
    if (!this.#isAsking) void this.#ask();
  }

  /** Forgets all, as for another network. */
  clear(): void {
    this.#round++;
    this.#times.clear();
    this.#asked.clear();
    this.#wanted = [];
    this.#state = 'asked';
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
    const round = this.#round;
    try {
      while (await this.#askNext(round)) this.#onDidChange();
    } catch {
      // What was asked for stands without its times; the column says that they could not be had.
      if (round === this.#round) this.#turn('failed');
    } finally {
      this.#isAsking = false;
    }
    // What was wanted meanwhile, of another network.
    if (round !== this.#round && !this.#isDisposed && this.#wanted.length > 0) await this.#ask();
  }

  /** Whether times have come. */
  async #askNext(round: number): Promise<boolean> {
    const connection = this.#connection();
    const { network } = connection;
    const blocks = this.#wanted.filter((block) => !this.#asked.has(block)).slice(0, MAX_BLOCK_TIMES);
    const isOver =
      round !== this.#round || this.#isDisposed || this.#state === 'notTold' || !this.#isOf(network);
    if (isOver || blocks.length === 0) return false;
    const times = await this.#read(connection, blocks);
    if (round !== this.#round || this.#isDisposed) return false;
    this.#turn(times ? 'asked' : 'notTold');
    if (this.#times.size > MAX_CACHED_TIMES) {
      this.#times.clear();
      this.#asked.clear();
    }
    for (const [block, { time }] of times ?? []) this.#times.set(block, time);
    this.#leave(blocks, times ?? new Map());
    return times !== undefined;
  }

  /** What failed may be asked for again, when it is wanted with other blocks. */
  async #read({ client, signal }: TimesConnection, blocks: readonly bigint[]) {
    const round = this.#round;
    for (const block of blocks) this.#asked.add(block);
    try {
      return await client.fetchBlockTimes(blocks, { signal, logs: this.#logs });
    } catch (error) {
      if (this.#round === round) for (const block of blocks) this.#asked.delete(block);
      throw error;
    }
  }

  /** Some answers are of a part of what was asked: the rest may be wanted again, if it is looked at again. */
  #leave(blocks: readonly bigint[], times: ReadonlyMap<bigint, BlockTime>): void {
    this.#wanted = this.#wanted.filter((block) => !blocks.includes(block));
    if (times.size === 0) return;
    for (const block of blocks) if (!times.has(block)) this.#asked.delete(block);
  }

  #turn(state: TimesState): void {
    if (state === this.#state || this.#isDisposed) return;
    this.#state = state;
    if (state !== 'asked') this.#onDidChange();
  }
}
