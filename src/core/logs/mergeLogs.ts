import { compareLogs, type Log } from './log.ts';
import type { VerdictReason } from './verdict.ts';

/** Rows of several answers as one: in order, none twice; and where two blocks claimed the same height. */
export function mergeLogs(parts: readonly (readonly Log[])[]): {
  readonly logs: readonly Log[];
  readonly doubts: readonly VerdictReason[];
} {
  const [only, ...others] = parts;
  const all = others.length === 0 ? (only ?? []) : parts.flat().sort(compareLogs);
  const logs: Log[] = [];
  const doubts: VerdictReason[] = [];
  for (const log of all) {
    const previous = logs[logs.length - 1];
    if (previous?.blockNumber === log.blockNumber) {
      if (previous.logIndex === log.logIndex) {
        if (previous.blockHash !== log.blockHash) noteFork(doubts, log.blockNumber);
        continue;
      }
      if (previous.blockHash !== log.blockHash) noteFork(doubts, log.blockNumber);
    }
    logs.push(log);
  }
  return { logs, doubts };
}

function noteFork(doubts: VerdictReason[], block: bigint): void {
  if (doubts[doubts.length - 1]?.block !== block) doubts.push({ code: 'forkRows', block });
}
