import { AppError, throwIfAborted } from '../errors.ts';
import type { HttpDeps } from '../http.ts';
import { latestBlock } from '../rpc/methods.ts';
import { createRpcClient } from '../rpc/rpcClient.ts';
import { type DialectMemory, PAGE_LIMIT } from './dialect.ts';
import type { LogSource } from './fetchLogs.ts';
import type { Log } from './log.ts';
import type { BlockTag, LogFilter } from './logFilter.ts';
import type { LogPage, LogQuery } from './logQuery.ts';
import { type LogStream, openLogStream } from './logStream.ts';
import type { Verdict } from './verdict.ts';

export interface LogQueryOptions {
  readonly http: HttpDeps;
  readonly url: string;
  readonly memory: DialectMemory;
  readonly filter: LogFilter;
}

/** Answers that go into one page at most: a sparse filter on a dense contract still shows that it moves. */
const MOST_STEPS_A_PAGE = 16;

/** Begins a query over the endpoint at `url`. Nothing is asked before the first page is. */
export function openLogQuery({ http, url, memory, filter }: LogQueryOptions): LogQuery {
  let requests = 0;
  const counted: HttpDeps = {
    ...http,
    fetch: (target, init) => {
      requests++;
      return http.fetch(target, init);
    },
  };
  const source: LogSource = { rpc: createRpcClient({ ...counted, url }), memory, filter };
  let stream: LogStream | undefined;
  let waiting: readonly Log[] = [];
  let rows = 0;
  let verdict: Verdict | undefined;

  async function begin(signal: AbortSignal | undefined): Promise<LogStream> {
    const head = await latestBlock(source.rpc, { signal });
    return openLogStream({ source, http: counted, range: resolveRange(filter, head) });
  }

  async function nextPage(signal: AbortSignal | undefined): Promise<LogPage> {
    throwIfAborted(signal);
    stream ??= await begin(signal);
    for (
      let step = 0;
      waiting.length < PAGE_LIMIT && !stream.finished() && step < MOST_STEPS_A_PAGE;
      step++
    ) {
      waiting = [...waiting, ...(await stream.next(signal))];
    }
    const logs = waiting.slice(0, PAGE_LIMIT);
    waiting = waiting.slice(PAGE_LIMIT);
    rows += logs.length;
    verdict = judge(stream, rows, requests, waiting.length === 0);
    return { logs, verdict };
  }

  let busy = false;
  return {
    get verdict() {
      return verdict;
    },
    async nextPage({ signal } = {}) {
      if (busy) throw new AppError('badInput', 'A page of this query is being loaded already.');
      busy = true;
      try {
        return await nextPage(signal);
      } finally {
        busy = false;
      }
    },
  };
}

/** The range in numbers. No server is asked beyond its head, which nodes refuse. */
function resolveRange(filter: LogFilter, head: bigint) {
  const height = (tag: BlockTag) => (tag === 'earliest' ? 0n : tag === 'latest' ? head : tag);
  const toBlock = height(filter.toBlock);
  return { fromBlock: height(filter.fromBlock), toBlock: toBlock < head ? toBlock : head, head };
}

function judge(stream: LogStream, rows: number, requests: number, allGiven: boolean): Verdict {
  const reasons = stream.doubts();
  const ended = stream.finished() && allGiven;
  return {
    state: ended ? (reasons.length === 0 ? 'complete' : 'uncertain') : 'more',
    reasons,
    ...stream.range,
    readThrough: stream.readThrough(),
    rows,
    requests,
  };
}
