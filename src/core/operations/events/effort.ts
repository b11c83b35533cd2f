import { throwIfAborted } from '../../base/errors.ts';
import type { LoadProgress, LogPage, LogQuery } from '../../logs/query/logQuery.ts';
import { nextPages } from '../../logs/query/nextPages.ts';
import type { Verdict } from '../../logs/query/verdict.ts';
import type { OperationDeps, OperationOptions } from '../kit/operation.ts';

/** What one call may take before it ends with what it has. */
interface EffortLimit {
  readonly ms: number;
  readonly requests: number;
}

/** Most clients of MCP give a call a minute. */
const LIMIT: EffortLimit = { ms: 45_000, requests: 400 };
/** Of a call that was confirmed after an estimate. */
const CONFIRMED: EffortLimit = { ms: 300_000, requests: 10_000 };
/** Requests in all above which a call ends with an estimate, and waits to be confirmed. */
export const DEAR_REQUESTS = 200;
/** Requests after which the rest can be judged by the blocks that are read. */
const JUDGED_AFTER = 24;

/** What it would take to read on to the end, judged by what was read. */
export interface Estimate {
  readonly requests: number;
  readonly seconds: number;
}

/** Why reading ended: at its end, or before. */
export type Ending =
  | { readonly kind: 'end' }
  | { readonly kind: 'time'; readonly seconds: number }
  | { readonly kind: 'requests'; readonly requests: number }
  | { readonly kind: 'dear'; readonly estimate: Estimate };

interface Effort extends OperationOptions {
  readonly confirm: boolean;
  /** `all` reads ahead; `some` goes page by page, as who asks will stop soon. */
  readonly wanted: 'all' | 'some';
}

/** Reads a query within the limits of one call. What a cut leaves behind is told by `ending`. */
export function readWithinLimits(
  query: LogQuery,
  deps: Pick<OperationDeps, 'clock' | 'sent'>,
  { confirm, wanted, signal, onProgress }: Effort,
): {
  readonly pages: AsyncGenerator<LogPage>;
  readonly ending: () => Ending;
  readonly requests: () => number;
} {
  const { clock, sent } = deps;
  const limit = confirm ? CONFIRMED : LIMIT;
  const started = clock.elapsed();
  const before = sent();
  const stopped = new AbortController();
  const done = new AbortController();
  let ending: Ending = { kind: 'end' };
  const requests = () => sent() - before;

  function stop(why: Ending): void {
    if (stopped.signal.aborted) return;
    ending = why;
    stopped.abort();
  }

  function judge(share: number): void {
    const spent = requests();
    if (spent >= limit.requests) stop({ kind: 'requests', requests: spent });
    if (confirm || spent < JUDGED_AFTER || share <= 0) return;
    const whole = Math.ceil(spent / share);
    if (whole <= DEAR_REQUESTS) return;
    const seconds = Math.ceil((clock.elapsed() - started) / 1000 / share);
    stop({ kind: 'dear', estimate: { requests: whole, seconds } });
  }

  async function* pages(): AsyncGenerator<LogPage> {
    const asked = signal ? AbortSignal.any([signal, stopped.signal]) : stopped.signal;
    void clock.sleep(limit.ms, { signal: done.signal }).then(
      () => stop({ kind: 'time', seconds: limit.ms / 1000 }),
      () => undefined,
    );
    let rows = 0;
    const tell = (share: number) => {
      onProgress?.({ share, words: `${rows} rows, ${requests()} requests` });
      judge(share);
    };
    try {
      const read =
        wanted === 'all'
          ? query.rest({ signal: asked, onProgress: (done) => tell(shareOf(done)) })
          : nextPages(query, { signal: asked });
      for await (const page of read) {
        rows += page.logs.length;
        yield page;
        if (wanted === 'some') tell(shareRead(page.verdict));
        // What was stopped meanwhile begins no further page.
        if (page.verdict.state === 'more') throwIfAborted(stopped.signal);
      }
      ending = { kind: 'end' };
    } catch (error) {
      // The caller's own cancel is an error; a limit is an end like another.
      throwIfAborted(signal);
      if (!stopped.signal.aborted) throw error;
    } finally {
      done.abort();
    }
  }

  return { pages: pages(), ending: () => ending, requests };
}

function shareOf({ blocksDone, blocks }: LoadProgress): number {
  return blocks > 0n ? Number((blocksDone * 10_000n) / blocks) / 10_000 : 1;
}

function shareRead({ readThrough, fromBlock, toBlock, order }: Verdict): number {
  if (readThrough === undefined) return 0;
  const blocksDone = order === 'oldestFirst' ? readThrough - fromBlock + 1n : toBlock - readThrough + 1n;
  return shareOf({ blocksDone, blocks: toBlock - fromBlock + 1n });
}
