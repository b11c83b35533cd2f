import { type Clock, isAppError } from '../../../core/index.ts';
import { KeyedLoads, type LoadState } from '../../../host/loading.ts';

interface BalanceCacheDeps<Key, Figure> {
  readonly clock: Clock;
  /** In smallest units; undefined if unknown. */
  readonly amountOf: (figure: Figure) => bigint | undefined;
  /** Whether a row need not be redrawn for the newer figure; default: the amount is equal. */
  readonly isSame?: (before: Figure, figure: Figure) => boolean;
  /** Called when the row of a key has to be redrawn. */
  readonly onChange: (key: Key) => void;
}

/** Balances of one network by key, each with its recent change. */
export class BalanceCache<Key, Figure> {
  readonly #loads: KeyedLoads<Key, Figure>;
  readonly #amounts = new Map<Key, bigint>();
  readonly #changes: RecentChanges<Key>;
  readonly #deps: BalanceCacheDeps<Key, Figure>;
  /** Replaced by each {@link clear}: marks which results are still wanted. */
  #generation = {};

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

  /** By how much the amount changed a moment ago. */
  change(key: Key): bigint | undefined {
    return this.#changes.get(key);
  }

  /** As {@link KeyedLoads.load}. */
  load(key: Key, read: () => Promise<Figure>, options: { readonly again?: boolean } = {}): Promise<void> {
    return this.#loads.load(key, read, options);
  }

  /**
   * Stores the result of a background request: what is shown stays until another result is there. On failure the last
   * value stays, marked as outdated. Never rejects.
   *
   * @returns the error of the endpoint, if it failed.
   */
  async set(key: Key, result: Promise<Figure>): Promise<unknown> {
    const generation = this.#generation;
    try {
      const figure = await result;
      if (generation === this.#generation) this.#put(key, figure);
      return undefined;
    } catch (error) {
      if (generation !== this.#generation || isAppError(error, 'aborted')) return undefined;
      const { state } = this.get(key);
      this.#loads.putError(key, error);
      if (state !== 'failed') this.#deps.onChange(key);
      return error;
    }
  }

  /** Redraws the rows that show the age of a value that could not be refreshed. */
  showAges(): void {
    for (const key of this.keys()) if (this.get(key).state === 'failed') this.#deps.onChange(key);
  }

  keys(): readonly Key[] {
    return this.#loads.keys();
  }

  /** Pending results are dropped. */
  clear(): void {
    this.#generation = {};
    this.#loads.clear();
    this.#amounts.clear();
    this.#changes.clear();
  }

  #put(key: Key, figure: Figure): void {
    const { amountOf, onChange } = this.#deps;
    const { isSame = (one, other) => amountOf(one) === amountOf(other) } = this.#deps;
    const before = this.get(key);
    this.#loads.put(key, figure);
    this.#compare(key);
    if (before.state !== 'loaded' || !isSame(before.value, figure)) onChange(key);
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

/** Long enough to notice that an amount has changed, and by how much. */
const CHANGE_SHOWN_MS = 8_000;

class RecentChanges<Key> {
  readonly #changes = new Map<Key, { readonly by: bigint; readonly end: AbortController }>();
  readonly #clock: Clock;
  readonly #onEnd: (key: Key) => void;

  /** `onEnd` is called when a change is no longer recent. */
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
