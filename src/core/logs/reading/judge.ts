import type { Log } from '../query/log.ts';
import type { FoundBounds, Verdict, VerdictReason } from '../query/verdict.ts';
import type { LogStream } from './logStream.ts';

/** What the answer is worth now; `waiting` is the first log that has been read and not given yet. */
export function judge(
  stream: LogStream,
  {
    rows,
    requests,
    waiting,
    found,
  }: Pick<Verdict, 'rows' | 'requests'> & {
    readonly waiting: Log | undefined;
    readonly found: FoundBounds | undefined;
  },
): Verdict {
  const doubts = stream.doubts();
  const ended = stream.finished() && !waiting;
  const { fromBlock, head } = stream.range;
  const empty: readonly VerdictReason[] = fromBlock > head ? [{ code: 'beyondHead', block: head }] : [];
  return {
    state: ended ? (doubts.length === 0 ? 'complete' : 'uncertain') : 'more',
    reasons: [...empty, ...doubts],
    ...stream.range,
    ...(found && { found }),
    order: stream.order,
    readThrough: waiting ? stream.readBefore(waiting) : stream.readThrough(),
    rows,
    requests,
  };
}
