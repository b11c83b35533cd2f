import type { RowTimes } from '../../src/features/logs/decoded/rowTimes.ts';
import type { TimesState } from '../../src/host/times/blockTimes.ts';

/** Times of rows by their blocks, in milliseconds. */
export function rowTimes(
  times: ReadonlyMap<bigint, number> = new Map(),
  state: TimesState = 'asked',
): RowTimes {
  return {
    state,
    timeOf: ({ time, blockNumber }) => time ?? times.get(blockNumber),
    words: (time) => ({ text: `at ${time}`, hint: `exactly ${time}` }),
  };
}
