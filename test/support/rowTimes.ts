import type { RowTimes } from '../../src/features/logs/decoded/rowReader.ts';
import type { TimesState } from '../../src/host/blockTimes.ts';

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
