import {
  errorOf,
  idle,
  type LoadState,
  toCancelled,
  toFailed,
  toIdle,
  toLoaded,
  toLoading,
  valueAtHand,
  withValue,
} from './loadState.ts';

/** `value` when only more of the same has come and more is to follow, which is often. */
export type LoadChange = 'state' | 'value';

interface ReadOptions {
  /** Aborts when the answer is not wanted any more. */
  readonly signal: AbortSignal;
}

/** Asks for it; each value takes the place of the one before. */
type ReadLoad<T> = (options: ReadOptions) => AsyncIterable<T>;

/** One thing that is asked for, one request at a time. What an older request still brings is dropped. */
export class Load<T> {
  readonly #onDidChange: (what: LoadChange) => void;
  #state: LoadState<T> = idle;
  #running: AbortController | undefined;
  #arrival: Promise<void> | undefined;

  /** `onDidChange` is called at every change but {@link clear} and {@link expire}. */
  constructor(onDidChange: (what: LoadChange) => void) {
    this.#onDidChange = onDidChange;
  }

  get state(): LoadState<T> {
    return this.#state;
  }

  /** What is at hand: the answer, what has come of it so far, or the one before. */
  get value(): T | undefined {
    return valueAtHand(this.#state);
  }

  /** What the last request failed with; undefined when it did not fail. */
  get error(): unknown {
    return errorOf(this.#state);
  }

  get isLoading(): boolean {
    return this.#state.state === 'loading';
  }

  /** Whether the last request was cancelled. */
  get isCancelled(): boolean {
    return this.#state.state === 'cancelled';
  }

  /** Settles when the last request is over. Never rejects. */
  get arrival(): Promise<void> | undefined {
    return this.#arrival;
  }

  /** Takes each value of `read` as it comes, in place of a request that is under way. Never rejects. */
  run(read: ReadLoad<T>): Promise<void> {
    this.#stop();
    const controller = new AbortController();
    this.#running = controller;
    this.#state = toLoading(this.#state);
    this.#onDidChange('state');
    const arrival = this.#take(read, controller);
    this.#arrival = arrival;
    return arrival;
  }

  /** Stops what runs. That shows at once, whatever the server does. */
  cancel(): void {
    if (!this.#running) return;
    this.#stop();
    this.#state = toCancelled(this.#state);
    this.#onDidChange('state');
  }

  /** Takes a value that came another way, unless one is being asked for; tells nobody. */
  put(value: T): void {
    this.#state = this.isLoading ? withValue(this.#state, value) : { state: 'loaded', value };
  }

  /** Notes that asking another way has failed, unless it is being asked for; tells nobody. */
  putError(error: unknown): void {
    if (!this.isLoading) this.#state = toFailed(this.#state, error);
  }

  /** Stops what runs; the value is kept until it is asked for again. */
  expire(): void {
    this.#stop();
    this.#state = toIdle(this.#state);
  }

  /** Stops what runs and forgets the value. */
  clear(): void {
    this.#stop();
    this.#state = idle;
  }

  async #take(read: ReadLoad<T>, { signal }: ReadOptions): Promise<void> {
    if (signal.aborted) return;
    try {
      for await (const value of read({ signal })) {
        if (signal.aborted) return;
        this.#state = withValue(this.#state, value);
        this.#onDidChange('value');
      }
      if (signal.aborted) return;
      this.#state = toLoaded(this.#state);
    } catch (error) {
      if (signal.aborted) return;
      this.#state = toFailed(this.#state, error);
    }
    this.#running = undefined;
    this.#onDidChange('state');
  }

  #stop(): void {
    this.#running?.abort();
    this.#running = undefined;
  }
}
