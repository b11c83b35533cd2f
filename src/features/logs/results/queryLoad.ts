import {
  type BackoffControl,
  type Clock,
  createBackoffControl,
  createLogStore,
  createTimeSlices,
  type LoadProgress,
  type LogPage,
  type LogQuery,
  type LogStore,
  untilAborted,
  type Verdict,
} from '../../../core/index.ts';
import {
  idleState,
  type LoadState,
  toCancelled,
  toFailed,
  toLoaded,
  toLoading,
  withValue,
} from '../../../host/loading.ts';
import type { FollowSchedule } from './following.ts';

export type Portion = 'page' | 'all';

/**
 * `begun`: the first page was requested, and may arrive at once; `rows`: more rows came, which is frequent.
 */
export type ResultsChange = 'state' | 'begun' | 'rows';

export interface ResultsOptions {
  readonly onDidChange: (what: ResultsChange) => void;
  readonly clock: Clock;
  /** Rows after which loading all logs stops to ask. */
  readonly loadAllLimit: () => number;
  /** Undefined: following is not available. */
  readonly schedule?: FollowSchedule | undefined;
}

/** `msLeft`: the estimated time left, if there is an estimate. */
export interface LoadAllProgress extends LoadProgress {
  readonly msLeft: number | undefined;
}

/** Loads the rows of one query, one request at a time. Rows stay after errors and cancelling. */
export class QueryLoad {
  readonly rows: LogStore = createLogStore();
  readonly query: LogQuery;
  /** The backoff before the next request. */
  readonly waits: BackoffControl;
  readonly #options: ResultsOptions;
  readonly #ended = new AbortController();
  #state: LoadState<number> = idleState;
  #portion: Portion = 'page';
  #running: AbortController | undefined;
  /** Settles when the query is free again: a cancelled request takes a moment to end. */
  #reading: Promise<void> | undefined;
  #progress: LoadAllProgress | undefined;
  #atLimit = false;
  #lastPageAt: number | undefined;

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

  /** When the last page came, in milliseconds of a monotonic clock. */
  get lastPageAt(): number | undefined {
    return this.#lastPageAt;
  }

  /** The last requested portion. */
  get portion(): Portion {
    return this.#portion;
  }

  /** Set while all logs are loading. */
  get progress(): LoadAllProgress | undefined {
    return this.#progress;
  }

  /** Whether loading stopped at the limit, and the user has not decided yet whether to continue. */
  get isAtLimit(): boolean {
    return this.#atLimit;
  }

  get hasMore(): boolean {
    return this.query.verdict?.state === 'more';
  }

  /** Loads the next page, or retries the first one. */
  nextPage(): Promise<void> {
    return this.#load('page', readPage);
  }

  /** Loads the rest, up to the limit if blocks are left to read; the next call continues. */
  loadAll(): Promise<void> {
    const { clock, loadAllLimit, onDidChange } = this.#options;
    const onStop = () => {
      this.#atLimit = true;
    };
    const onProgress = (progress: LoadAllProgress) => {
      this.#progress = progress;
      onDidChange('rows');
    };
    const limit = { rows: this.rows, maxRows: loadAllLimit(), clock, onStop };
    return this.#load('all', readAll({ limit, onProgress }));
  }

  /** Stops loading. The state changes at once, whatever the server does; the rows stay. */
  cancel(): void {
    const running = this.#running;
    if (!running) return;
    this.#end(toCancelled(this.#state));
    running.abort();
    this.#options.onDidChange('state');
  }

  /** Does not continue past the limit for now. */
  dismissLimit(): void {
    if (!this.#atLimit) return;
    this.#atLimit = false;
    this.#options.onDidChange('state');
  }

  /** Stops loading, without further callbacks. */
  dispose(): void {
    this.#ended.abort();
    this.#running?.abort();
    this.#running = undefined;
  }

  async #load(portion: Portion, read: ReadPortion): Promise<void> {
    const isFirst = this.query.verdict === undefined;
    if (this.#running || !(this.hasMore || isFirst)) return;
    const running = new AbortController();
    this.#running = running;
    this.#portion = portion;
    this.#progress = undefined;
    this.#atLimit = false;
    this.#state = toLoading(this.#state);
    this.#options.onDidChange(portion === 'page' && isFirst ? 'begun' : 'state');
    const reading = this.#readPages(running, { portion, read }).finally(() => {
      if (this.#reading === reading) this.#reading = undefined;
    });
    this.#reading = reading;
    await untilAborted(reading, running.signal).catch(() => undefined);
  }

  /** Adds each page, also one that arrives after a cancel: the query has moved past it. Never rejects. */
  async #readPages(
    running: AbortController,
    { portion, read }: { readonly portion: Portion; readonly read: ReadPortion },
  ): Promise<void> {
    const ended = this.#ended.signal;
    try {
      if (this.#reading) await this.#reading;
      running.signal.throwIfAborted();
      for await (const page of read(this.query, { signal: running.signal })) {
        if (ended.aborted) return;
        this.rows.append(page.logs);
        this.#lastPageAt = this.#options.clock.elapsed();
        this.#state = withValue(this.#state, this.#options.clock.now());
        // A single page is reported with its end: one message to the view instead of two.
        if (portion === 'all') this.#options.onDidChange('rows');
      }
      if (ended.aborted) return;
      if (this.#running === running) this.#end(toLoaded(this.#state));
      // The query finished before the cancel took effect.
      else if (this.#state.state === 'cancelled' && !this.hasMore) this.#state = toLoaded(this.#state);
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

type ReadPortion = (query: LogQuery, options: { readonly signal: AbortSignal }) => AsyncIterable<LogPage>;

const readPage: ReadPortion = async function* (query, { signal }) {
  yield await query.nextPage({ signal });
};

interface ReadAllOptions {
  readonly limit: LoadLimit;
  readonly onProgress: (progress: LoadAllProgress) => void;
}

/** Loads the rest, up to the limit if blocks are left to read. */
function readAll({ limit, onProgress }: ReadAllOptions): ReadPortion {
  return (query, { signal }) => {
    const progress = withTimeLeft(limit.clock, (estimate) => {
      if (!signal.aborted) onProgress(estimate);
    });
    const onStop = () => {
      if (!signal.aborted) limit.onStop();
    };
    return limitPages({ ...limit, onStop }, query.rest({ signal, onProgress: progress }));
  };
}

/**
 * The row limit also bounds memory, at this many bytes per row. A log in which nothing repeats takes about
 * 250.
 */
const BYTES_PER_ROW = 512;
const MIN_BYTES = 64 * 1024 * 1024;

interface LoadLimit {
  /** The store that the pages are added to. */
  readonly rows: Pick<LogStore, 'length' | 'bytes'>;
  /** Loading stops at each multiple of this many rows, or at the memory that this many typical rows take. */
  readonly maxRows: number;
  readonly clock: Clock;
  /** Called if it stops before the last block is read. */
  readonly onStop: () => void;
}

/** The pages up to the limit. Yields to the event loop between them. */
async function* limitPages(limit: LoadLimit, pages: AsyncIterable<LogPage>): AsyncGenerator<LogPage> {
  const { rows, maxRows } = limit;
  const stopAt = (Math.floor(rows.length / maxRows) + 1) * maxRows;
  const stopAtBytes = rows.bytes + Math.max(MIN_BYTES, maxRows * BYTES_PER_ROW);
  const slices = createTimeSlices(limit.clock);
  for await (const page of pages) {
    yield page;
    const isOverLimit = rows.length >= stopAt || rows.bytes >= stopAtBytes;
    if (isOverLimit && hasBlocksToRead(page.verdict)) return limit.onStop();
    if (slices.isOver()) await slices.rest();
  }
}

/** Otherwise at most the final check near the head is left, which adds no rows. */
function hasBlocksToRead({ state, order, fromBlock, toBlock, readThrough }: Verdict): boolean {
  const last = order === 'newestFirst' ? fromBlock : toBlock;
  return state === 'more' && readThrough !== last;
}

function withTimeLeft(clock: Clock, report: (progress: LoadAllProgress) => void) {
  const timeLeft = createTimeEstimate(clock.elapsed);
  return (progress: LoadProgress) => {
    timeLeft.add(progress);
    report({ ...progress, msLeft: timeLeft.ms() });
  };
}

/** Blocks are not equally full: only the recent rate predicts the next one. */
const WINDOW_MS = 10_000;
const MIN_ELAPSED_MS = 1000;
const SAMPLE_MS = 250;

interface TimeLeft {
  add(progress: LoadProgress): void;
  /** Milliseconds; undefined while there is too little data. */
  ms(): number | undefined;
}

/** Estimates by the blocks of the last ten seconds. `now` is in milliseconds of a monotonic clock. */
export function createTimeEstimate(now: () => number): TimeLeft {
  let samples: readonly { readonly at: number; readonly done: number; readonly left: number }[] = [];
  return {
    add({ blocksDone, blocks }) {
      const at = now();
      const sample = { at, done: Number(blocksDone), left: Number(blocks - blocksDone) };
      const before = samples[samples.length - 1];
      const recent = before && at - (samples.at(-2)?.at ?? 0) < SAMPLE_MS ? samples.slice(0, -1) : samples;
      samples = [...recent.filter((old) => at - old.at <= WINDOW_MS), sample];
    },
    ms() {
      const first = samples[0];
      const last = samples[samples.length - 1];
      if (!first || !last || last.at - first.at < MIN_ELAPSED_MS || last.done <= first.done) return undefined;
      return (last.left * (last.at - first.at)) / (last.done - first.done);
    },
  };
}
