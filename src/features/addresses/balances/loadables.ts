/** A figure on its way to the screen. A failure or a new request keeps the figure from before, if there was one. */
export type Loadable<T> =
  | { readonly state: 'none'; readonly before?: T | undefined }
  | { readonly state: 'loading'; readonly before: T | undefined }
  | { readonly state: 'loaded'; readonly value: T }
  | { readonly state: 'failed'; readonly error: unknown; readonly before: T | undefined };

const none = { state: 'none' } as const;

/** The figure at hand, the one from before included. */
export function figureAtHand<T>(loadable: Loadable<T>): T | undefined {
  switch (loadable.state) {
    case 'loaded':
      return loadable.value;
    default:
      return loadable.before;
  }
}

/** Figures by key, each loaded once until it is asked for again or all are forgotten. */
export class Loadables<Key, T> {
  readonly #entries = new Map<Key, Loadable<T>>();
  /** Ends of what is on its way. */
  readonly #arrivals = new WeakMap<Loadable<T>, Promise<void>>();
  readonly #onChange: (key: Key) => void;

  constructor(onChange: (key: Key) => void) {
    this.#onChange = onChange;
  }

  get(key: Key): Loadable<T> {
    return this.#entries.get(key) ?? none;
  }

  /** Runs `read` if there is nothing yet, not even a failure; with `again` unless one is on its way, which is then waited for. Never rejects. */
  async load(key: Key, read: () => Promise<T>, { again = false } = {}): Promise<void> {
    const current = this.get(key);
    if (current.state === 'loading') return this.#arrivals.get(current);
    if (current.state !== 'none' && !again) return;
    const before = figureAtHand(current);
    const loading: Loadable<T> = { state: 'loading', before };
    this.#set(key, loading);
    // What has taken the place of `loading` meanwhile is newer than this answer.
    const settle = (settled: Loadable<T>) => {
      if (this.get(key) === loading) this.#set(key, settled);
    };
    const arrival = read().then(
      (value) => settle({ state: 'loaded', value }),
      (error: unknown) => settle({ state: 'failed', error, before }),
    );
    this.#arrivals.set(loading, arrival);
    await arrival;
  }

  /** Makes everything due to be loaded again, with what is at hand kept until then. */
  expire(): void {
    for (const [key, entry] of this.#entries) {
      this.#entries.set(key, { state: 'none', before: figureAtHand(entry) });
    }
  }

  /** Every key that something was loaded for. */
  keys(): readonly Key[] {
    return [...this.#entries.keys()];
  }

  /** Forgets everything; an answer on its way is dropped when it comes. */
  clear(): void {
    this.#entries.clear();
  }

  #set(key: Key, entry: Loadable<T>): void {
    this.#entries.set(key, entry);
    this.#onChange(key);
  }
}
