import type { Clock, Log, RowSequence } from '../../../core/index.ts';

/** Rows that came a moment ago, which are marked. */
export interface FreshRows {
  /** The first number of them: those above are as new, or newer. */
  readonly from: number | undefined;
  add(sequence: RowSequence, logs: readonly Log[]): void;
  dispose(): void;
}

const FRESH_MS = 15_000;

/** @param onDidFade called when some are no longer new. */
export function createFreshRows(clock: Clock, onDidFade: () => void): FreshRows {
  let came: { readonly number: number; readonly at: number }[] = [];
  let fading: ReturnType<typeof setTimeout> | undefined;

  function fade(): void {
    fading = undefined;
    const before = came.length;
    came = came.filter(({ at }) => clock.elapsed() - at < FRESH_MS);
    if (came.length < before) onDidFade();
    if (came.length > 0) fading = setTimeout(fade, FRESH_MS / 5);
  }

  return {
    get from() {
      return came[0]?.number;
    },
    add(sequence, logs) {
      if (logs.length === 0) return;
      sequence.add(logs);
      const number = sequence.newest;
      if (number === undefined) return;
      came.push({ number: number - logs.length + 1, at: clock.elapsed() });
      fading ??= setTimeout(fade, FRESH_MS / 5);
    },
    dispose: () => clearTimeout(fading),
  };
}
