import type Mocha from 'mocha';
import type { TestRun } from '../../../test/support/runMocha.ts';

/** Which tests a lane runs, and with what. */
export interface LaneStart {
  readonly kind: 'e2e' | 'attack';
  /** The packaged extension. */
  readonly vsix: string;
  readonly grep: string | undefined;
  /** Whether it may print as it goes, as it is the only one. */
  readonly live: boolean;
}

/** How tests of one kind are run. */
export interface LaneTests {
  readonly options: Mocha.MochaOptions;
  /** Ends what the files share; returns what there is to say of all. */
  end(): Promise<string>;
}

/** What a lane is told: how to begin, a file to run, or that there are no more. */
export type LaneOrder = { readonly start: LaneStart } | { readonly file: string } | { readonly end: true };

/** What a lane tells: that it waits for a file, what came of one, or what it has to say at the end. */
export type LaneReport =
  | { readonly ready: true }
  | { readonly run: TestRun; readonly output: string }
  | { readonly words: string };
