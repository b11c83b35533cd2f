import { createFloat64List, type GrowingArray } from '../../../values/growingArray.ts';

/** Times of blocks in the order in which they were put in: 8 bytes each from the first that has one, none before. */
export interface BlockTimeList {
  push(time: number | undefined): void;
  at(block: number): number | undefined;
  /** Whether none is missing. */
  readonly isWhole: boolean;
}

export function createBlockTimes(): BlockTimeList {
  let untimed = 0;
  let isWhole = true;
  let times: GrowingArray | undefined;
  return {
    get isWhole() {
      return isWhole;
    },
    push(time) {
      if (time === undefined) isWhole = false;
      if (time === undefined && !times) {
        untimed++;
        return;
      }
      times ??= createFloat64List();
      times.push(time ?? Number.NaN);
    },
    at(block) {
      const time = block < untimed ? undefined : times?.at(block - untimed);
      return time === undefined || Number.isNaN(time) ? undefined : time;
    },
  };
}
