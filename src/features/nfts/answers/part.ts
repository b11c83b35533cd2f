import { isAppError } from '../../../core/index.ts';

/**
 * One thing that is asked for, and what came of it. A new request, a failure and a cancel keep the value that was
 * there before.
 */
export class Part<T> {
  readonly #onDidChange: (what: 'state' | 'value') => void;
  #value: T | undefined;
  #error: unknown;
  #cancelled = false;
  #loading: AbortController | undefined;

  /** `onDidChange` is told of every change; `value` when more of the same came and more is to follow. */
  constructor(onDidChange: (what: 'state' | 'value') => void) {
    this.#onDidChange = onDidChange;
  }

  get value(): T | undefined {
    return this.#value;
  }

  /** What the last request failed with; undefined when it did not fail. */
  get error(): unknown {
    return this.#error;
  }

  get isLoading(): boolean {
    return this.#loading !== undefined;
  }

  /** Whether the last request was cancelled. */
  get isCancelled(): boolean {
    return this.#cancelled;
  }

  /** Takes each value of `read` as it comes, in place of a request that is under way. Never rejects. */
  async load(read: (signal: AbortSignal) => AsyncIterable<T>): Promise<void> {
    this.#loading?.abort();
    const loading = new AbortController();
    this.#begin(loading);
    try {
      for await (const value of read(loading.signal)) {
        if (this.#loading !== loading) return;
        this.#value = value;
        this.#onDidChange('value');
      }
    } catch (error) {
      if (this.#loading !== loading) return;
      // Not by `cancel`, but by what it is asked with: the key of the data API is gone.
      if (isAppError(error, 'aborted')) this.#cancelled = true;
      else this.#error = error;
    }
    if (this.#loading !== loading) return;
    this.#loading = undefined;
    this.#onDidChange('state');
  }

  /** Stops what runs. That shows at once, whatever the server does; what comes later goes unheard. */
  cancel(): void {
    const loading = this.#loading;
    if (!loading) return;
    this.#loading = undefined;
    this.#cancelled = true;
    loading.abort();
    this.#onDidChange('state');
  }

  /** Stops what runs and forgets the value. */
  clear(): void {
    this.#loading?.abort();
    this.#loading = undefined;
    this.#value = undefined;
    this.#error = undefined;
    this.#cancelled = false;
  }

  #begin(loading: AbortController): void {
    this.#loading = loading;
    this.#error = undefined;
    this.#cancelled = false;
    this.#onDidChange('state');
  }
}
