import type { Clock } from '../../../core/index.ts';

/** As long as a person needs to see that a figure has changed, and by how much. */
const SHOWN_MS = 8_000;

/** By how much figures have changed a moment ago. */
export class RecentChanges<Key> {
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
    this.#clock.sleep(SHOWN_MS, end).then(
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
