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
  #state: LoadState<T> = idleState;
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
    return getAvailableValue(this.#state);
  }

  /** What the last request failed with; undefined when it did not fail. */
  get error(): unknown {
    return getLoadError(this.#state);
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
    this.#state = idleState;
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

/**
 * Something that is asked for, as far as it has come. What was there before, or has come so far, stays at hand until
 * something newer is whole.
 */
export type LoadState<T> =
  | { readonly state: 'idle'; readonly previous?: T | undefined }
  | { readonly state: 'loading'; readonly previous: T | undefined }
  | { readonly state: 'loaded'; readonly value: T }
  | { readonly state: 'failed'; readonly error: unknown; readonly previous: T | undefined }
  | { readonly state: 'cancelled'; readonly previous: T | undefined };

/** Never asked for. */
export const idleState = { state: 'idle' } as const;

/** What there is to show, in whichever state. */
export function getAvailableValue<T>(load: LoadState<T>): T | undefined {
  return load.state === 'loaded' ? load.value : load.previous;
}

/** What the last request failed with; undefined when it did not fail. */
export function getLoadError(load: LoadState<unknown>): unknown {
  return load.state === 'failed' ? load.error : undefined;
}

/** To be asked for again, as soon as somebody wants it. */
export function toIdle<T>(load: LoadState<T>): LoadState<T> {
  return { state: 'idle', previous: getAvailableValue(load) };
}

/** The same state with more at hand: a part of an answer has come. */
export function withValue<T>(load: LoadState<T>, value: T): LoadState<T> {
  return load.state === 'loaded' ? { state: 'loaded', value } : { ...load, previous: value };
}

export function toLoading<T>(load: LoadState<T>): LoadState<T> {
  return { state: 'loading', previous: getAvailableValue(load) };
}

/** Over: all of it has come. A request that brought nothing leaves what there was. */
export function toLoaded<T>(load: LoadState<T>): LoadState<T> {
  const value = getAvailableValue(load);
  return value === undefined ? idleState : { state: 'loaded', value };
}

export function toFailed<T>(load: LoadState<T>, error: unknown): LoadState<T> {
  return { state: 'failed', error, previous: getAvailableValue(load) };
}

export function toCancelled<T>(load: LoadState<T>): LoadState<T> {
  return { state: 'cancelled', previous: getAvailableValue(load) };
}

/** Things by key, each asked for once until it is asked for again or all are forgotten. */
export class KeyedLoads<Key, T> {
  readonly #loads = new Map<Key, Load<T>>();
  readonly #onChange: (key: Key) => void;

  constructor(onChange: (key: Key) => void) {
    this.#onChange = onChange;
  }

  get(key: Key): LoadState<T> {
    return this.#loads.get(key)?.state ?? idleState;
  }

  /** Runs `read` if there is nothing yet, not even a failure; with `again` unless one is on its way, which is then waited for. Never rejects. */
  async load(
    key: Key,
    read: (options: { readonly signal: AbortSignal }) => Promise<T>,
    options: { readonly again?: boolean } = {},
  ): Promise<void> {
    const load = this.#loadOf(key);
    if (load.isLoading) return load.arrival;
    if (load.state.state !== 'idle' && !options.again) return;
    await load.run(async function* (options) {
      yield await read(options);
    });
  }

  /** Takes a value that came another way for something that was asked for before; tells nobody. */
  put(key: Key, value: T): void {
    this.#loads.get(key)?.put(value);
  }

  /** The same of a failure. */
  putError(key: Key, error: unknown): void {
    this.#loads.get(key)?.putError(error);
  }

  /** Makes everything due to be loaded again, with what is at hand kept until then. */
  expire(): void {
    for (const load of this.#loads.values()) load.expire();
  }

  /** Every key that something was loaded for. */
  keys(): readonly Key[] {
    return [...this.#loads.keys()];
  }

  /** Forgets everything; an answer on its way is dropped when it comes. */
  clear(): void {
    for (const load of this.#loads.values()) load.clear();
    this.#loads.clear();
  }

  #loadOf(key: Key): Load<T> {
    const known = this.#loads.get(key);
    if (known) return known;
    const load = new Load<T>((what) => {
      if (what === 'state') this.#onChange(key);
    });
    this.#loads.set(key, load);
    return load;
  }
}
