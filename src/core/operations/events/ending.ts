import { groupDigits } from '../../values/units.ts';
import type { JsonObject } from '../kit/answer.ts';
import type { Ending } from './effort.ts';

/** Why a call ended before the end of its range, in words that say how to go on; nothing where it did not. */
export function endingReason(ending: Ending): string | undefined {
  switch (ending.kind) {
    case 'end':
      return undefined;
    case 'time':
      return `stopped after ${ending.seconds} seconds, which one call may take: go on with next_call`;
    case 'requests':
      return `stopped after ${ending.requests} requests, which one call may send: go on with next_call`;
    case 'dear': {
      const { requests, seconds } = ending.estimate;
      return `not read to the end: that takes about ${groupDigits(BigInt(requests))} requests and ${seconds} seconds. Narrow the range or the filter, or call again with confirm: true`;
    }
  }
}

/** The estimate that an answer carries. */
export function estimateJson(ending: Ending): JsonObject {
  return ending.kind === 'dear' ? { estimate: { ...ending.estimate } } : {};
}
