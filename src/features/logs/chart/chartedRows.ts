import type { LogStore } from '../../../core/index.ts';
import type { LogResults } from '../results/logResults.ts';

/** What is drawn of rows, by their places in the order of the answer. */
export type ChartedRows = Pick<LogStore, 'blockNumberAt' | 'isTimed' | 'length' | 'order' | 'timeAt'>;

/** The rows that stand: of a followed answer some came on top, and others may be gone. */
export function chartedRows({ rows, sequence }: Pick<LogResults, 'rows' | 'sequence'>): ChartedRows {
  if (rows.upwardsFrom === undefined) return rows;
  const { length, numberAt, blockNumberAt } = sequence.now();
  return {
    ...{ length, blockNumberAt, isTimed: rows.isTimed },
    order: sequence.newestOnTop ? 'newestFirst' : 'oldestFirst',
    timeAt: (place) => rows.timeAt(numberAt(place)),
  };
}
