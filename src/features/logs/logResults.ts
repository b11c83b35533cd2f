import {
  type ChainClient,
  createLogStore,
  type Log,
  type LogFilter,
  type LogQuery,
  type LogStore,
  type Network,
  type Verdict,
} from '../../core/index.ts';

export type Notice = 'cancelled' | 'networkChanged' | 'restored';

/**
 * The answer of one panel: its rows, what it is worth, and what is going on. Belongs to the network that it was
 * asked from. Holds what is loaded through errors and cancelling, until the next run.
 */
export class LogResults {
  readonly #onDidChange: () => void;
  readonly #now: () => number;
  #answer = crypto.randomUUID();
  #network: Network | undefined;
  #query: LogQuery | undefined;
  #rows = createLogStore();
  #running: AbortController | undefined;
  #error: unknown;
  #notice: Notice | undefined;
  #loadedAt: number | undefined;

  constructor(onDidChange: () => void, now: () => number = Date.now) {
    this.#onDidChange = onDidChange;
    this.#now = now;
  }

  /** Changes when row numbers begin to mean other rows. */
  get answer(): string {
    return this.#answer;
  }

  get rows(): Pick<LogStore, 'length' | 'get' | 'slice'> {
    return this.#rows;
  }

  /** The network that was asked; undefined before the first run. */
  get network(): Network | undefined {
    return this.#network;
  }

  get verdict(): Verdict | undefined {
    return this.#query?.verdict;
  }

  get loading(): 'first' | 'next' | undefined {
    if (!this.#running) return undefined;
    return this.verdict ? 'next' : 'first';
  }

  /** Whether a next page can be asked for. */
  get more(): boolean {
    return this.verdict?.state === 'more';
  }

  /** What the last request failed with; undefined when it did not fail. */
  get error(): unknown {
    return this.#error;
  }

  get notice(): Notice | undefined {
    return this.#notice;
  }

  /** When the last page came, in milliseconds since the Unix epoch. */
  get loadedAt(): number | undefined {
    return this.#loadedAt;
  }

  /** Drops the old answer and loads the first page of a new one. Settles when it has come, failed or been cancelled. */
  run(network: Network, client: ChainClient, filter: LogFilter): Promise<void> {
    this.#reset();
    this.#network = network;
    this.#query = client.openLogQuery(filter);
    return this.#load();
  }

  /** Loads the next page, or tries again the one that failed or was cancelled. */
  async nextPage(): Promise<void> {
    const unasked = this.#query !== undefined && this.verdict === undefined;
    if (!this.#running && (this.more || unasked)) await this.#load();
  }

  cancel(): void {
    this.#running?.abort();
  }

  /** Stops what runs and forgets the answer, for the reason that `notice` gives. */
  clear(notice: Notice): void {
    this.#reset();
    this.#notice = notice;
    this.#onDidChange();
  }

  dispose(): void {
    this.#reset();
  }

  #reset(): void {
    this.#running?.abort();
    this.#running = undefined;
    this.#answer = crypto.randomUUID();
    this.#network = undefined;
    this.#query = undefined;
    this.#rows = createLogStore();
    this.#error = undefined;
    this.#notice = undefined;
    this.#loadedAt = undefined;
  }

  async #load(): Promise<void> {
    const running = new AbortController();
    this.#running = running;
    this.#error = undefined;
    this.#notice = undefined;
    this.#onDidChange();
    let logs: readonly Log[] = [];
    let error: unknown;
    try {
      logs = (await this.#query?.nextPage({ signal: running.signal }))?.logs ?? [];
    } catch (cause) {
      error = cause;
    }
    if (this.#running !== running) return;
    this.#running = undefined;
    if (error === undefined) {
      this.#rows.append(logs);
      this.#loadedAt = this.#now();
    } else if (running.signal.aborted) {
      this.#notice = 'cancelled';
    } else {
      this.#error = error;
    }
    this.#onDidChange();
  }
}
