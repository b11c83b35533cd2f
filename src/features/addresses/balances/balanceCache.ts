import { type Clock, isAppError } from '../../../core/index.ts';
import { KeyedLoads, type LoadState } from '../../../host/loading.ts';

interface BalanceCacheDeps<Key, Figure> {
  readonly clock: Clock;
  /** In smallest units; undefined where the figure has none. */
  readonly amountOf: (figure: Figure) => bigint | undefined;
  /** Called with a key whose row looks otherwise than before. */
  readonly onChange: (key: Key) => void;
}

/** Figures of one network by key, each with its last change for a moment. */
export class BalanceCache<Key, Figure> {
  readonly #loads: KeyedLoads<Key, Figure>;
  readonly #amounts = new Map<Key, bigint>();
  readonly #changes: RecentChanges<Key>;
  readonly #deps: BalanceCacheDeps<Key, Figure>;
  /** Another object for each network. */
  #era = {};

  constructor(deps: BalanceCacheDeps<Key, Figure>) {
    this.#deps = deps;
    this.#changes = new RecentChanges(deps.clock, deps.onChange);
    this.#loads = new KeyedLoads((key) => {
      this.#compare(key);
      deps.onChange(key);
    });
  }

  get(key: Key): LoadState<Figure> {
    return this.#loads.get(key);
  }

  /** By how much the amount has changed a moment ago. */
  change(key: Key): bigint | undefined {
    return this.#changes.get(key);
  }

  /** As {@link Loads.load}. */
  load(key: Key, read: () => Promise<Figure>, options: { readonly again?: boolean } = {}): Promise<void> {
    return this.#loads.load(key, read, options);
  }

  /**
   * Takes the answer to a question that no row shows: what is shown stays until there is another figure. A failure
   * keeps the last one and marks it. Never rejects.
   *
   * @returns the failure, if it is one of the endpoint.
   */
  async set(key: Key, answer: Promise<Figure>): Promise<unknown> {
    const era = this.#era;
    try {
      const figure = await answer;
      if (era === this.#era) this.#put(key, figure);
      return undefined;
    } catch (error) {
      if (era !== this.#era || isAppError(error, 'aborted')) return undefined;
      const { state } = this.get(key);
      this.#loads.putError(key, error);
      if (state !== 'failed') this.#deps.onChange(key);
      return error;
    }
  }

  /** Has the rows of figures that could not be read again drawn anew, as their age is in their words. */
  showAges(): void {
    for (const key of this.keys()) if (this.get(key).state === 'failed') this.#deps.onChange(key);
  }

  keys(): readonly Key[] {
    return this.#loads.keys();
  }

  /** Forgets everything; an answer on its way is dropped when it comes. */
  clear(): void {
    this.#era = {};
    this.#loads.clear();
    this.#amounts.clear();
    this.#changes.clear();
  }

  #put(key: Key, figure: Figure): void {
    const { amountOf, onChange } = this.#deps;
    const before = this.get(key);
    this.#loads.put(key, figure);
    this.#compare(key);
    if (before.state !== 'loaded' || amountOf(before.value) !== amountOf(figure)) onChange(key);
  }

  #compare(key: Key): void {
    const now = this.get(key);
    const amount = now.state === 'loaded' ? this.#deps.amountOf(now.value) : undefined;
    if (amount === undefined) return;
    const before = this.#amounts.get(key) ?? amount;
    this.#amounts.set(key, amount);
    if (before !== amount) this.#changes.note(key, amount - before);
  }
}

/** As long as a person needs to see that a figure has changed, and by how much. */
const CHANGE_SHOWN_MS = 8_000;

/** By how much figures have changed a moment ago. */
class RecentChanges<Key> {
  readonly #changes = new Map<Key, { readonly by: bigint; readonly end: AbortController }>();
  readonly #clock: Clock;
  readonly #onEnd: (key: Key) => void;

  /** `onEnd` is called when a change is no longer of this moment. */
  constructor(clock: Clock, onEnd: (key: Key) => void) {
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  get(key: Key): bigint | undefined {
    return this.#changes.get(key)?.by;
  }

  note(key: Key, by: bigint): void {
    this.#changes.get(key)?.end.abort();
    const end = new AbortController();
    this.#changes.set(key, { by, end });
    this.#clock.sleep(CHANGE_SHOWN_MS, end).then(
      () => {
        this.#changes.delete(key);
        this.#onEnd(key);
      },
      () => undefined,
    );
  }

  clear(): void {
    for (const { end } of this.#changes.values()) end.abort();
    this.#changes.clear();
  }
}
