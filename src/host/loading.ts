/** One value that is loaded, with one request at a time. Results of an older request are dropped. */
export class Load<T> {
  readonly #onDidChange: (what: LoadChange) => void;
  #state: LoadState<T> = idleState;
  #running: AbortController | undefined;
  #arrival: Promise<void> | undefined;

  /**
   * `onDidChange` is called for each change other than by {@link clear}, {@link expire}, {@link put} and {@link
   * putError}.
   */
  constructor(onDidChange: (what: LoadChange) => void) {
    this.#onDidChange = onDidChange;
  }

  get state(): LoadState<T> {
    return this.#state;
  }

  /** The best available value: the result, a partial one, or the previous one. */
  get value(): T | undefined {
    return getAvailableValue(this.#state);
  }

  /** The error of the last request; undefined unless it failed. */
  get error(): unknown {
    return getLoadError(this.#state);
  }

  get isLoading(): boolean {
    return this.#state.state === 'loading';
  }

  get isCancelled(): boolean {
    return this.#state.state === 'cancelled';
  }

  /** Settles when the last request ends. Never rejects. */
  get arrival(): Promise<void> | undefined {
    return this.#arrival;
  }

  /** Loads the values of `read` as they come, in place of a request that is pending. Never rejects. */
  run(read: ReadLoad<T>): Promise<void> {
    this.#stop();
    const controller = new AbortController();
    this.#running = controller;
    this.#state = toLoading(this.#state);
    this.#onDidChange('state');
    const arrival = this.#consume(read, controller);
    this.#arrival = arrival;
    return arrival;
  }

  /** Cancels the request. The state changes at once, whatever the server does. */
  cancel(): void {
    if (!this.#running) return;
    this.#stop();
    this.#state = toCancelled(this.#state);
    this.#onDidChange('state');
  }

  /** Sets a value that was obtained otherwise. A pending request still replaces it. Does not notify. */
  put(value: T): void {
    this.#state = this.isLoading ? withValue(this.#state, value) : { state: 'loaded', value };
  }

  /** Records an error from elsewhere, unless a request is pending. Does not notify. */
  putError(error: unknown): void {
    if (!this.isLoading) this.#state = toFailed(this.#state, error);
  }

  /** Cancels the request; the value stays available until the next one. */
  expire(): void {
    this.#stop();
    this.#state = toIdle(this.#state);
  }

  /** Cancels the request and drops the value. */
  clear(): void {
    this.#stop();
    this.#state = idleState;
  }

  async #consume(read: ReadLoad<T>, { signal }: ReadOptions): Promise<void> {
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

/** `value` for a partial result that more follows, which is frequent; `state` for all other changes. */
export type LoadChange = 'state' | 'value';

/** Yields results; each replaces the one before. */
type ReadLoad<T> = (options: ReadOptions) => AsyncIterable<T>;

interface ReadOptions {
  /** Aborts when the result is no longer needed. */
  readonly signal: AbortSignal;
}

/** The state of a load. The previous or partial value stays available until a newer one is complete. */
export type LoadState<T> =
  | { readonly state: 'idle'; readonly previous?: T | undefined }
  | { readonly state: 'loading'; readonly previous: T | undefined }
  | { readonly state: 'loaded'; readonly value: T }
  | { readonly state: 'failed'; readonly error: unknown; readonly previous: T | undefined }
  | { readonly state: 'cancelled'; readonly previous: T | undefined };

/** Not requested yet. */
export const idleState = { state: 'idle' } as const;

/** The value to show in any state. */
export function getAvailableValue<T>(load: LoadState<T>): T | undefined {
  return load.state === 'loaded' ? load.value : load.previous;
}

/** The error of the last request; undefined unless it failed. */
export function getLoadError(load: LoadState<unknown>): unknown {
  return load.state === 'failed' ? load.error : undefined;
}

/** To be requested again on next use. */
export function toIdle<T>(load: LoadState<T>): LoadState<T> {
  return { state: 'idle', previous: getAvailableValue(load) };
}

/** The same state with a partial result. */
export function withValue<T>(load: LoadState<T>, value: T): LoadState<T> {
  return load.state === 'loaded' ? { state: 'loaded', value } : { ...load, previous: value };
}

export function toLoading<T>(load: LoadState<T>): LoadState<T> {
  return { state: 'loading', previous: getAvailableValue(load) };
}

/** The request has ended. If it yielded nothing, the previous value stays. */
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

/** Values by key, each loaded once until it is reloaded or all are dropped. */
export class KeyedLoads<Key, T> {
  readonly #loads = new Map<Key, Load<T>>();
  readonly #onChange: (key: Key) => void;

  constructor(onChange: (key: Key) => void) {
    this.#onChange = onChange;
  }

  get(key: Key): LoadState<T> {
    return this.#loads.get(key)?.state ?? idleState;
  }

  /**
   * Runs `read` unless there is a value or an error already; with `again`, unless a request is pending, which is
   * awaited. Never rejects.
   */
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

  /** Sets a value that was obtained otherwise, for a key that was loaded before. Does not notify. */
  put(key: Key, value: T): void {
    this.#loads.get(key)?.put(value);
  }

  /** As {@link put}, for an error. */
  putError(key: Key, error: unknown): void {
    this.#loads.get(key)?.putError(error);
  }

  /** Makes every value due for reloading; the values stay available until then. */
  expire(): void {
    for (const load of this.#loads.values()) load.expire();
  }

  keys(): readonly Key[] {
    return [...this.#loads.keys()];
  }

  /** Drops everything, pending results included. */
  clear(): void {
    for (const load of this.#loads.values()) load.clear();
    this.#loads.clear();
  }

  #loadOf(key: Key): Load<T> {
    const existing = this.#loads.get(key);
    if (existing) return existing;
    const load = new Load<T>((what) => {
      if (what === 'state') this.#onChange(key);
    });
    this.#loads.set(key, load);
    return load;
  }
}
