import type { Verdict } from '../../logs/query/verdict.ts';
import { groupDigits } from '../../values/units.ts';
import type { JsonObject } from '../kit/answer.ts';
import type { Ending } from './effort.ts';

/** Why a call ended before the end of its range, and `goOn`, which says how to; nothing where it did not. */
export function endingReason(ending: Ending, goOn: string): string | undefined {
  switch (ending.kind) {
    case 'end':
      return undefined;
    case 'time':
      return `stopped after ${ending.seconds} seconds, which one call may take: ${goOn}`;
    case 'requests':
      return `stopped after ${ending.requests} requests, which one call may send: ${goOn}`;
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

/** How to go on with a call that can be made again for what is left, if anything was read at all. */
export function goOnWords(verdict: Verdict | undefined): string {
  return verdict
    ? 'go on with next_call'
    : 'nothing was read in that time. Narrow the range, or tell the user that the endpoint is slow';
}
