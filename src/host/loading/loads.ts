import { Load } from './load.ts';
import { idle, type LoadState } from './loadState.ts';

/** Things by key, each asked for once until it is asked for again or all are forgotten. */
export class Loads<Key, T> {
  readonly #loads = new Map<Key, Load<T>>();
  readonly #onChange: (key: Key) => void;

  constructor(onChange: (key: Key) => void) {
    this.#onChange = onChange;
  }

  get(key: Key): LoadState<T> {
    return this.#loads.get(key)?.state ?? idle;
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
