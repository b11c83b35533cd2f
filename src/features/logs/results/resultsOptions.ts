import type { Clock } from '../../../core/index.ts';

/** `begun` when the first page is asked for, which may be there in no time; `rows` when more has come, which is often. */
export type ResultsChange = 'state' | 'begun' | 'rows';

export interface ResultsOptions {
  /** Told of every change. */
  readonly onDidChange: (what: ResultsChange) => void;
  readonly clock: Clock;
  /** Rows after which loading all stops to ask. */
  readonly loadAllLimit: () => number;
}
