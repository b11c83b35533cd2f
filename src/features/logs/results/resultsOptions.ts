import type { Clock } from '../../../core/index.ts';
import type { FollowPace } from '../follow/following.ts';

/** `begun` when the first page is asked for, which may be there in no time; `rows` when more has come, which is often. */
export type ResultsChange = 'state' | 'begun' | 'rows';

export interface ResultsOptions {
  /** Told of every change. */
  readonly onDidChange: (what: ResultsChange) => void;
  readonly clock: Clock;
  /** Rows after which loading all stops to ask. */
  readonly loadAllLimit: () => number;
  /** When a followed answer is looked after; where it is left out, none is followed. */
  readonly pace?: FollowPace | undefined;
}
