import {
  type ChainClient,
  type Clock,
  createLogStore,
  createWaits,
  type LoadProgress,
  type LogFilter,
  type LogPage,
  type LogQuery,
  type LogStore,
  type Network,
  type ToldWait,
  untilAborted,
  type Verdict,
  type Waits,
} from '../../../core/index.ts';
import { pagesUpTo } from './loadLimit.ts';
import { createTimeLeft, type TimeLeft } from './timeLeft.ts';

export type Loading = 'first' | 'next' | 'all';
export type Notice = 'cancelled' | 'limit' | 'networkChanged' | 'restored';

/** `begun` when the first page is asked for, which may be there in no time; `rows` when more has come, which is often. */
export type ResultsChange = 'state' | 'begun' | 'rows';

export interface LogResultsOptions {
  /** Told of every change. */
  readonly onDidChange: (what: ResultsChange) => void;
  readonly clock: Clock;
  /** Rows after which loading all stops to ask. */
  readonly loadAllLimit: () => number;
}

type ReadPages = (query: LogQuery, signal: AbortSignal) => AsyncIterable<LogPage>;

interface Running {
  readonly what: 'page' | 'all';
  readonly controller: AbortController;
}

/**
 * The answer of one panel: its rows, what it is worth, and what is going on. Belongs to the network that it was
 * asked from. Holds what is loaded through errors and cancelling, until the next run.
 */
export class LogResults {
  readonly #options: LogResultsOptions;
  #answer = crypto.randomUUID();
  #network: Network | undefined;
  #query: LogQuery | undefined;
  #waits: Waits | undefined;
  #rows = createLogStore();
  #running: Running | undefined;
  /** Settles when the query may be asked again: a cancelled request is a little later on its way out than it shows. */
  #taking: Promise<void> | undefined;
  #progress: LoadProgress | undefined;
  #timeLeft: TimeLeft | undefined;
  #failed: Running['what'] | undefined;
  #error: unknown;
  #notice: Notice | undefined;
  #loadedAt: number | undefined;

  constructor(options: LogResultsOptions) {
    this.#options = options;
  }

  /** Changes when another answer takes the place of this one. */
  get answer(): string {
    return this.#answer;
  }

  get rows(): LogStore {
    return this.#rows;
  }

  /** The network that was asked; undefined before the first run. */
  get network(): Network | undefined {
    return this.#network;
  }

  get verdict(): Verdict | undefined {
    return this.#query?.verdict;
  }

  get loading(): Loading | undefined {
    if (!this.#running) return undefined;
    if (this.#running.what === 'all') return 'all';
    return this.verdict ? 'next' : 'first';
  }

  /** How far loading all has come, while it runs. */
  get progress(): (LoadProgress & { readonly msLeft: number | undefined }) | undefined {
    return this.#progress && { ...this.#progress, msLeft: this.#timeLeft?.ms() };
  }

  /** What the loading waits for, if that takes a while; it can be skipped. */
  get waiting(): ToldWait | undefined {
    return this.#running && this.#waits?.told;
  }

  /** Whether more can be asked for. */
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
    const waits: Waits = createWaits(this.#options.clock, () => {
      if (this.#waits === waits) this.#options.onDidChange('rows');
    });
    this.#waits = waits;
    this.#query = client.openLogQuery(filter, waits);
    return this.#load('page', onePage);
  }

  /** Loads the next page, or the first one if it has failed or was cancelled. */
  async nextPage(): Promise<void> {
    if (this.#canLoad()) await this.#load('page', onePage);
  }

  /**
   * Loads what remains. Stops with the notice `limit` at every multiple of the limit if blocks are left to read;
   * called once more it goes on.
   */
  async loadAll(): Promise<void> {
    if (!this.#canLoad()) return;
    await this.#load('all', (query, signal) => {
      const onProgress = (progress: LoadProgress) => {
        if (!signal.aborted) this.#noteProgress(progress);
      };
      return query.rest({ signal, onProgress });
    });
  }

  /** Goes on with what has failed. */
  tryAgain(): Promise<void> {
    return this.#failed === 'all' ? this.loadAll() : this.nextPage();
  }

  /** Stops what runs. That shows at once, whatever the server does; what has come by then is kept. */
  cancel(): void {
    const running = this.#running;
    if (!running) return;
    this.#end();
    this.#notice = 'cancelled';
    running.controller.abort();
    this.#options.onDidChange('state');
  }

  /** Asks the server at once, whatever it is waited for. */
  skipWait(): void {
    this.#waits?.skip();
  }

  /** Takes the answer to the question that the notice `limit` asks: no more for now. */
  dismissQuestion(): void {
    if (this.#notice !== 'limit') return;
    this.#notice = undefined;
    this.#options.onDidChange('state');
  }

  /** Stops what runs and forgets the answer, for the reason that `notice` gives. */
  clear(notice: Notice): void {
    this.#reset();
    this.#notice = notice;
    this.#options.onDidChange('state');
  }

  dispose(): void {
    this.#reset();
  }

  #canLoad(): boolean {
    const unasked = this.#query !== undefined && this.verdict === undefined;
    return !this.#running && (this.more || unasked);
  }

  #reset(): void {
    this.#running?.controller.abort();
    this.#running = undefined;
    this.#taking = undefined;
    this.#answer = crypto.randomUUID();
    this.#network = undefined;
    this.#query = undefined;
    this.#waits = undefined;
    this.#rows = createLogStore();
    this.#forgetOutcome();
    this.#loadedAt = undefined;
  }

  #forgetOutcome(): void {
    this.#progress = undefined;
    this.#timeLeft = undefined;
    this.#failed = undefined;
    this.#error = undefined;
    this.#notice = undefined;
  }

  async #load(what: Running['what'], read: ReadPages): Promise<void> {
    const query = this.#query;
    if (!query) return;
    const running = { what, controller: new AbortController() };
    this.#forgetOutcome();
    this.#running = running;
    this.#options.onDidChange(this.loading === 'first' ? 'begun' : 'state');
    const taking = this.#take(query, running, read).finally(() => {
      if (this.#taking === taking) this.#taking = undefined;
    });
    this.#taking = taking;
    await untilAborted(taking, running.controller.signal).catch(() => undefined);
  }

  /** Takes every page that comes, after a cancel too: the query goes on behind it. Never rejects. */
  async #take(query: LogQuery, running: Running, read: ReadPages): Promise<void> {
    const { signal } = running.controller;
    try {
      if (this.#taking) await this.#taking;
      signal.throwIfAborted();
      for await (const page of this.#bounded(running, read(query, signal))) {
        if (this.#query !== query) return;
        this.#rows.append(page.logs);
        this.#loadedAt = this.#options.clock.now();
        this.#options.onDidChange('rows');
      }
    } catch (error) {
      if (this.#running !== running) return;
      this.#failed = running.what;
      this.#error = error;
    }
    if (this.#running === running) this.#end();
    else if (this.#query === query) this.#lookAtEnd();
    else return;
    this.#options.onDidChange('state');
  }

  #end(): void {
    this.#running = undefined;
    this.#progress = undefined;
  }

  /** A query that came to its end while it was being cancelled was not cancelled. */
  #lookAtEnd(): void {
    if (this.#notice === 'cancelled' && !this.more) this.#notice = undefined;
  }

  #bounded(running: Running, pages: AsyncIterable<LogPage>): AsyncIterable<LogPage> {
    if (running.what !== 'all') return pages;
    const { clock, loadAllLimit } = this.#options;
    const onStop = () => {
      if (this.#running === running) this.#notice = 'limit';
    };
    return pagesUpTo({ rows: this.#rows, most: loadAllLimit(), clock, onStop }, pages);
  }

  #noteProgress(progress: LoadProgress): void {
    this.#timeLeft ??= createTimeLeft(this.#options.clock.elapsed);
    this.#timeLeft.note(progress);
    this.#progress = progress;
    this.#options.onDidChange('rows');
  }
}

async function* onePage(query: LogQuery, signal: AbortSignal): AsyncGenerator<LogPage> {
  yield await query.nextPage({ signal });
}
