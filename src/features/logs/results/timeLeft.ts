import type { LoadProgress } from '../../../core/index.ts';

/** Blocks are not equally full: only the pace of the last stretch tells about the next one. */
const WINDOW_MS = 10_000;
const LEAST_MS = 1000;
const SAMPLE_MS = 250;

/** How long loading all will still take. */
interface TimeLeft {
  note(progress: LoadProgress): void;
  /** Milliseconds; undefined while there is too little to judge by. */
  ms(): number | undefined;
}

/** Judges by the blocks of the last ten seconds. `now` is in milliseconds of a clock that never goes back. */
export function createTimeLeft(now: () => number): TimeLeft {
  let samples: readonly { readonly at: number; readonly done: number; readonly left: number }[] = [];
  return {
    note({ blocksDone, blocks }) {
      const at = now();
      const sample = { at, done: Number(blocksDone), left: Number(blocks - blocksDone) };
      const before = samples[samples.length - 1];
      const kept = before && at - (samples.at(-2)?.at ?? 0) < SAMPLE_MS ? samples.slice(0, -1) : samples;
      samples = [...kept.filter((old) => at - old.at <= WINDOW_MS), sample];
    },
    ms() {
      const first = samples[0];
      const last = samples[samples.length - 1];
      if (!first || !last || last.at - first.at < LEAST_MS || last.done <= first.done) return undefined;
      return (last.left * (last.at - first.at)) / (last.done - first.done);
    },
  };
}
