import { type Behaviour, logsOf, rangeOf } from './hostileServer.ts';

/** A node that takes ten blocks at once, has `inEach` logs in each of these ranges, and takes its time to tell. */
export function manyLogs(inEach: number, pauseMs: number): Behaviour {
  return (question) => {
    if (question.method !== 'eth_getLogs') return undefined;
    const { fromBlock, toBlock } = rangeOf(question);
    if (toBlock - fromBlock >= 10) {
      return { error: { code: -32005, message: 'block range is too wide, maximum is 10' } };
    }
    return { result: logsOf(fromBlock, 0, inEach), pauseMs };
  };
}
