import {
  type AppError,
  asAppError,
  type ChainClient,
  type Clock,
  type ConfirmationPolicy,
  isLoopbackUrl,
  isTemporary,
  type Log,
  type LogFilter,
  type LogFollower,
  type Network,
  type RowSequence,
  type Verdict,
} from '../../../core/index.ts';

export type FollowClient = Pick<ChainClient, 'fetchLatestBlock' | 'followLogs' | 'url'>;

/** When to poll for a new block, and how. */
export interface FollowSchedule {
  /** Milliseconds until the next poll of that endpoint. */
  readonly intervalMs: (rpcUrl: string) => number;
  /** The newest block of that network. */
  readonly head: (
    network: Network,
    client: FollowClient,
    options: { readonly signal: AbortSignal },
  ) => Promise<bigint>;
  /** Called with the number of rows that are new. */
  readonly onRows: (count: number) => void;
}

interface FollowedResult {
  readonly client: FollowClient;
  readonly filter: LogFilter;
  readonly network: Network | undefined;
  /** The state at the end of the query. */
  readonly verdict: Verdict;
  readonly sequence: RowSequence;
}

interface FollowingOptions {
  readonly clock: Clock;
  readonly onDidChange: (what: 'state' | 'rows') => void;
  readonly schedule?: FollowSchedule | undefined;
}

/** Removed rows stay visible for this long, struck through. */
const STRUCK_SHOWN_MS = 3000;
/** A local chain has one node, which never lags behind itself. */
const LOCAL_CONFIRMATION: ConfirmationPolicy = { times: 1, ms: 0 };
const REMOTE_CONFIRMATION: ConfirmationPolicy = { times: 3, ms: 20_000 };
const MAX_BACKOFF_EXPONENT = 6;

/** Follows one result: adds the logs of new blocks, and removes those of a reorg. */
export class Following {
  readonly #options: FollowingOptions;
  readonly #result: FollowedResult;
  readonly #fresh: FreshRows;
  #follower: LogFollower | undefined;
  #running: AbortController | undefined;
  #sleep: AbortController | undefined;
  #sweeping: ReturnType<typeof setTimeout> | undefined;
  #error: AppError | undefined;
  #failures = 0;
  /** Settles when a new loop may start: a stopped one takes a moment to end. */
  #ending: Promise<void> = Promise.resolve();
  #polledAt: { readonly wall: number; readonly elapsed: number } | undefined;

  constructor(options: FollowingOptions, result: FollowedResult) {
    this.#options = options;
    this.#result = result;
    this.#fresh = createFreshRows(options.clock, () => options.onDidChange('rows'));
  }

  get isOn(): boolean {
    return this.#running !== undefined;
  }

  get verdict(): Verdict | undefined {
    return this.#follower?.verdict;
  }

  /** The error of the last poll. Polling goes on while {@link isOn}. */
  get error(): AppError | undefined {
    return this.#error;
  }

  /** When the last poll finished. */
  get polledAt(): { readonly wall: number; readonly elapsed: number } | undefined {
    return this.#polledAt;
  }

  /** Rows with this log number and above are new. */
  get freshFrom(): number | undefined {
    return this.#fresh.from;
  }

  start(): void {
    if (this.#running) {
      this.wake();
      return;
    }
    const running = new AbortController();
    this.#running = running;
    this.#error = undefined;
    this.#failures = 0;
    this.#options.onDidChange('state');
    this.#ending = this.#ending.then(() => this.#run(running));
  }

  /** Polls at once: the user looks at the panel, or a new block is known. */
  wake(): void {
    this.#sleep?.abort();
  }

  stop(): void {
    this.#running?.abort();
    this.#running = undefined;
    this.#error = undefined;
    this.sweep();
  }

  /** Drops removed rows at once. */
  sweep(): void {
    clearTimeout(this.#sweeping);
    if (this.#result.sequence.struck.size === 0) return;
    this.#result.sequence.sweep();
    this.#options.onDidChange('rows');
  }

  dispose(): void {
    this.#running?.abort();
    this.#running = undefined;
    clearTimeout(this.#sweeping);
    this.#fresh.dispose();
  }

  async #run(running: AbortController): Promise<void> {
    const { signal } = running;
    const { clock, schedule } = this.#options;
    while (schedule && !signal.aborted) {
      try {
        await this.#poll(schedule, signal);
        if (signal.aborted) return;
        const hadFailed = this.#error !== undefined;
        this.#error = undefined;
        this.#failures = 0;
        if (hadFailed) this.#options.onDidChange('state');
        if (this.#follower?.ended) break;
      } catch (cause) {
        if (signal.aborted) return;
        this.#error = asAppError(cause);
        this.#failures++;
        this.#options.onDidChange('state');
        if (!isTemporary(this.#error)) break;
      }
      this.#sleep = new AbortController();
      const interval = schedule.intervalMs(this.#result.client.url);
      const wait = interval * 2 ** Math.min(Math.max(0, this.#failures - 1), MAX_BACKOFF_EXPONENT);
      await clock
        .sleep(wait, { signal: AbortSignal.any([signal, this.#sleep.signal]) })
        .catch(() => undefined);
    }
    if (this.#running === running) this.#running = undefined;
    if (!signal.aborted) this.#options.onDidChange('state');
  }

  async #poll(schedule: FollowSchedule, signal: AbortSignal): Promise<void> {
    const { client, filter, network, verdict, sequence } = this.#result;
    const { clock } = this.#options;
    if (!network) return;
    const head = await schedule.head(network, client, { signal });
    const confirmation = isLoopbackUrl(client.url) ? LOCAL_CONFIRMATION : REMOTE_CONFIRMATION;
    const getLoadedRows = (fromBlock: bigint) => sequence.keysFrom(fromBlock);
    this.#follower ??= await client.followLogs(filter, { verdict, loadedRows: getLoadedRows, confirmation });
    for await (const { removedFrom, logs } of this.#follower.advance(head, { signal })) {
      const gone = removedFrom === undefined ? 0 : sequence.takeBack(removedFrom);
      this.#fresh.add(sequence, logs);
      if (gone > 0) this.#sweepSoon();
      if (logs.length > gone) schedule.onRows(logs.length - gone);
      if (gone + logs.length > 0) this.#options.onDidChange('rows');
    }
    if (signal.aborted) return;
    this.#polledAt = { wall: clock.now(), elapsed: clock.elapsed() };
    this.#options.onDidChange('rows');
  }

  #sweepSoon(): void {
    clearTimeout(this.#sweeping);
    this.#sweeping = setTimeout(() => this.sweep(), STRUCK_SHOWN_MS);
  }
}

/** New rows, which are highlighted for a while. */
interface FreshRows {
  /** The first log number of them; those above are as new, or newer. */
  readonly from: number | undefined;
  add(sequence: RowSequence, logs: readonly Log[]): void;
  dispose(): void;
}

const FRESH_SHOWN_MS = 15_000;

/** @param onDidFade called when some rows are no longer new. */
function createFreshRows(clock: Clock, onDidFade: () => void): FreshRows {
  let entries: { readonly number: number; readonly at: number }[] = [];
  let fading: ReturnType<typeof setTimeout> | undefined;

  function fade(): void {
    fading = undefined;
    const before = entries.length;
    entries = entries.filter(({ at }) => clock.elapsed() - at < FRESH_SHOWN_MS);
    if (entries.length < before) onDidFade();
    if (entries.length > 0) fading = setTimeout(fade, FRESH_SHOWN_MS / 5);
  }

  return {
    get from() {
      return entries[0]?.number;
    },
    add(sequence, logs) {
      if (logs.length === 0) return;
      sequence.add(logs);
      const number = sequence.newest;
      if (number === undefined) return;
      entries.push({ number: number - logs.length + 1, at: clock.elapsed() });
      fading ??= setTimeout(fade, FRESH_SHOWN_MS / 5);
    },
    dispose: () => clearTimeout(fading),
  };
}
