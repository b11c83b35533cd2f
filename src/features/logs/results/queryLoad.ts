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

/** The limit in rows bounds memory too, at this many bytes a row: a log of which nothing repeats takes some 250. */
const BYTES_PER_ROW = 512;
const MIN_BYTES = 64 * 1024 * 1024;

interface LoadLimit {
  /** The store that the pages go into. */
  readonly rows: Pick<LogStore, 'length' | 'bytes'>;
  /** Loading stops at every multiple of so many rows, and after what so many usual ones take. */
  readonly most: number;
  readonly clock: Clock;
  /** Called when it stops there, before the last block was read. */
  readonly onStop: () => void;
}

/** The pages up to the limit, with breaks between them for everything else that runs on this thread. */
async function* limitPages(limit: LoadLimit, pages: AsyncIterable<LogPage>): AsyncGenerator<LogPage> {
  const { rows, most } = limit;
  const stopAt = (Math.floor(rows.length / most) + 1) * most;
  const stopAtBytes = rows.bytes + Math.max(MIN_BYTES, most * BYTES_PER_ROW);
  const slices = createTimeSlices(limit.clock);
  for await (const page of pages) {
    yield page;
    const isMuch = rows.length >= stopAt || rows.bytes >= stopAtBytes;
    if (isMuch && hasBlocksToRead(page.verdict)) return limit.onStop();
    if (slices.isOver()) await slices.rest();
  }
}

/** Otherwise what is missing is at most the look back at the end, which brings no rows. */
function hasBlocksToRead({ state, order, fromBlock, toBlock, readThrough }: Verdict): boolean {
  const last = order === 'newestFirst' ? fromBlock : toBlock;
  return state === 'more' && readThrough !== last;
}

/** What is asked for at once: the next page, or all that remains. */
export type Portion = 'page' | 'all';

/** How far loading all has come; `msLeft` is how long it still takes, if that can be told. */
export interface LoadAllProgress extends LoadProgress {
  readonly msLeft: number | undefined;
}

/** Reads one portion of a query. */
type ReadPortion = (query: LogQuery, options: { readonly signal: AbortSignal }) => AsyncIterable<LogPage>;

const readPage: ReadPortion = async function* (query, { signal }) {
  yield await query.nextPage({ signal });
};

interface ReadAllOptions {
  /** Where loading stops to ask. */
  readonly limit: LoadLimit;
  readonly onProgress: (progress: LoadAllProgress) => void;
}

/** Reads what remains, up to the limit if blocks are left to read. */
function readAll({ limit, onProgress }: ReadAllOptions): ReadPortion {
  return (query, { signal }) => {
    const progress = withTimeLeft(limit.clock, (told) => {
      if (!signal.aborted) onProgress(told);
    });
    const onStop = () => {
      if (!signal.aborted) limit.onStop();
    };
    return limitPages({ ...limit, onStop }, query.rest({ signal, onProgress: progress }));
  };
}

function withTimeLeft(clock: Clock, tell: (progress: LoadAllProgress) => void) {
  const timeLeft = createTimeEstimate(clock.elapsed);
  return (progress: LoadProgress) => {
    timeLeft.note(progress);
    tell({ ...progress, msLeft: timeLeft.ms() });
  };
}

/** The rows of one query, one request at a time. Holds what is loaded through errors and cancelling. */
export class QueryLoad {
  readonly rows: LogStore = createLogStore();
  readonly query: LogQuery;
  /** What the query waits for before it asks the server again. */
  readonly waits: BackoffControl;
  readonly #options: ResultsOptions;
  readonly #ended = new AbortController();
  #state: LoadState<number> = idleState;
  #portion: Portion = 'page';
  #running: AbortController | undefined;
  /** Settles when the query may be asked again: a cancelled request is a little later on its way out than it shows. */
  #taking: Promise<void> | undefined;
  #progress: LoadAllProgress | undefined;
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
  get progress(): LoadAllProgress | undefined {
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
    const onProgress = (progress: LoadAllProgress) => {
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

/** `begun` when the first page is asked for, which may be there in no time; `rows` when more has come, which is often. */
export type ResultsChange = 'state' | 'begun' | 'rows';

export interface ResultsOptions {
  /** Told of every change. */
  readonly onDidChange: (what: ResultsChange) => void;
  readonly clock: Clock;
  /** Rows after which loading all stops to ask. */
  readonly loadAllLimit: () => number;
  /** When a followed answer is looked after; where it is left out, none is followed. */
  readonly pace?: FollowSchedule | undefined;
}

/** Blocks are not equally full: only the pace of the last stretch tells about the next one. */
const WINDOW_MS = 10_000;
const MIN_ELAPSED_MS = 1000;
const SAMPLE_MS = 250;

/** How long loading all will still take. */
interface TimeLeft {
  note(progress: LoadProgress): void;
  /** Milliseconds; undefined while there is too little to judge by. */
  ms(): number | undefined;
}

/** Judges by the blocks of the last ten seconds. `now` is in milliseconds of a clock that never goes back. */
export function createTimeEstimate(now: () => number): TimeLeft {
  let samples: readonly { readonly at: number; readonly done: number; readonly left: number }[] = [];
  return {
    note({ blocksDone, blocks }) {
      const at = now();
      const sample = { at, done: Number(blocksDone), left: Number(blocks - blocksDone) };
      const before = samples[samples.length - 1];
      const kept = before && at - (samples.at(-2)?.at ?? 0) < SAMPLE_MS ? samples.slice(0, -1) : samples;
      samples = [...kept.filter((old) => at - old.at <= WINDOW_MS), sample];
    },
    ms() {
      const first = samples[0];
      const last = samples[samples.length - 1];
      if (!first || !last || last.at - first.at < MIN_ELAPSED_MS || last.done <= first.done) return undefined;
      return (last.left * (last.at - first.at)) / (last.done - first.done);
    },
  };
}
