import {
  type BackoffControl,
  createBackoffControl,
  createLogStore,
  type LogQuery,
  type LogStore,
  untilAborted,
} from '../../../core/index.ts';
import {
  idle,
  type LoadState,
  toCancelled,
  toFailed,
  toLoaded,
  toLoading,
  withValue,
} from '../../../host/loading/loadState.ts';
import { type AllProgress, type Portion, type ReadPortion, readAll, readPage } from './portions.ts';
import type { ResultsOptions } from './resultsOptions.ts';

/** The rows of one query, one request at a time. Holds what is loaded through errors and cancelling. */
export class QueryLoad {
  readonly rows: LogStore = createLogStore();
  readonly query: LogQuery;
  /** What the query waits for before it asks the server again. */
  readonly waits: BackoffControl;
  readonly #options: ResultsOptions;
  readonly #ended = new AbortController();
  #state: LoadState<number> = idle;
  #portion: Portion = 'page';
  #running: AbortController | undefined;
  /** Settles when the query may be asked again: a cancelled request is a little later on its way out than it shows. */
  #taking: Promise<void> | undefined;
  #progress: AllProgress | undefined;
  #atLimit = false;
  #cameAt: number | undefined;

  constructor(open: (waits: BackoffControl) => LogQuery, options: ResultsOptions) {
    this.#options = options;
    this.waits = createBackoffControl(options.clock, () => {
      if (!this.#ended.signal.aborted) options.onDidChange('rows');
    });
    this.query = open(this.waits);
  }

  /** Its value is when the last page came, in milliseconds since the Unix epoch. */
  get state(): LoadState<number> {
    return this.#state;
  }

  /** When the last page came, in milliseconds of the clock that never goes back. */
  get cameAt(): number | undefined {
    return this.#cameAt;
  }

  /** What was asked for last. */
  get portion(): Portion {
    return this.#portion;
  }

  /** How far loading all has come, while it runs. */
  get progress(): AllProgress | undefined {
    return this.#progress;
  }

  /** Whether loading all has stopped at the limit, and nobody has said since whether to go on. */
  get isAtLimit(): boolean {
    return this.#atLimit;
  }

  /** Whether more can be asked for. */
  get more(): boolean {
    return this.query.verdict?.state === 'more';
  }

  /** Loads the next page, or the first one if it has failed or was cancelled. */
  nextPage(): Promise<void> {
    return this.#load('page', readPage);
  }

  /** Loads what remains, up to the limit if blocks are left to read; called once more it goes on. */
  loadAll(): Promise<void> {
    const { clock, loadAllLimit, onDidChange } = this.#options;
    const onStop = () => {
      this.#atLimit = true;
    };
    const onProgress = (progress: AllProgress) => {
      this.#progress = progress;
      onDidChange('rows');
    };
    const limit = { rows: this.rows, most: loadAllLimit(), clock, onStop };
    return this.#load('all', readAll({ limit, onProgress }));
  }

  /** Stops what runs. That shows at once, whatever the server does; what has come by then is kept. */
  cancel(): void {
    const running = this.#running;
    if (!running) return;
    this.#end(toCancelled(this.#state));
    running.abort();
    this.#options.onDidChange('state');
  }

  /** Takes the answer to the question at the limit: no more for now. */
  dismissLimit(): void {
    if (!this.#atLimit) return;
    this.#atLimit = false;
    this.#options.onDidChange('state');
  }

  /** Stops what runs. It calls nobody from now on. */
  dispose(): void {
    this.#ended.abort();
    this.#running?.abort();
    this.#running = undefined;
  }

  async #load(portion: Portion, read: ReadPortion): Promise<void> {
    const isFirst = this.query.verdict === undefined;
    if (this.#running || !(this.more || isFirst)) return;
    const running = new AbortController();
    this.#running = running;
    this.#portion = portion;
    this.#progress = undefined;
    this.#atLimit = false;
    this.#state = toLoading(this.#state);
    this.#options.onDidChange(portion === 'page' && isFirst ? 'begun' : 'state');
    const taking = this.#take(running, { portion, read }).finally(() => {
      if (this.#taking === taking) this.#taking = undefined;
    });
    this.#taking = taking;
    await untilAborted(taking, running.signal).catch(() => undefined);
  }

  /** Takes every page that comes, after a cancel too: the query goes on behind it. Never rejects. */
  async #take(
    running: AbortController,
    { portion, read }: { readonly portion: Portion; readonly read: ReadPortion },
  ): Promise<void> {
    const ended = this.#ended.signal;
    try {
      if (this.#taking) await this.#taking;
      running.signal.throwIfAborted();
      for await (const page of read(this.query, { signal: running.signal })) {
        if (ended.aborted) return;
        this.rows.append(page.logs);
        this.#cameAt = this.#options.clock.elapsed();
        this.#state = withValue(this.#state, this.#options.clock.now());
        // Of one page the end is told at once, rows and all: one message to the view in place of two.
        if (portion === 'all') this.#options.onDidChange('rows');
      }
      if (ended.aborted) return;
      if (this.#running === running) this.#end(toLoaded(this.#state));
      // What came to its end while it was being cancelled was not cancelled.
      else if (this.#state.state === 'cancelled' && !this.more) this.#state = toLoaded(this.#state);
    } catch (error) {
      if (ended.aborted || this.#running !== running) return;
      this.#end(toFailed(this.#state, error));
    }
    this.#options.onDidChange('state');
  }

  #end(state: LoadState<number>): void {
    this.#state = state;
    this.#running = undefined;
    this.#progress = undefined;
  }
}
