import { type BackoffControl, type Clock, createBackoffControl } from '../../base/clock.ts';
import type { Abortable } from '../../base/concurrency.ts';
import type { AppError } from '../../base/errors.ts';
import { createWorkQueue, type WorkQueue } from '../../base/timeSlices.ts';
import type { HttpDeps, TimedResponse } from '../../http/exchange.ts';
import { createOriginGates } from '../../http/retry.ts';
import { parseDatasetUrl } from '../../networks/portalDatasets.ts';
import { createBatchedCall, createCallBatching } from '../../rpc/batching.ts';
import { type BlockAtRequest, createBlockTimesReader } from '../../rpc/blockTimes.ts';
import { getBlockNumber } from '../../rpc/methods.ts';
import { createRpcClient } from '../../rpc/rpcClient.ts';
import { getDirection, type LogOrder } from '../log.ts';
import type { LogFilter } from '../query/filter.ts';
import { type BlockRange, getFirstUnsettledBlock, resolveTimes, type TimedBounds } from './blockRange.ts';
import { createBlockWitness } from './blockWitness.ts';
import { createBatchKnowledge, type DialectMemory } from './dialectMemory.ts';
import type { QueryContext, RetryPolicy } from './getLogs.ts';
import { createConcurrency } from './limits.ts';
import { type LogStream, openLogStream } from './logStream.ts';
import { connectPortal } from './portalLogs.ts';
import { watchServer } from './probeServer.ts';
import { createUnrequestedRows } from './rowChecks.ts';

export interface LogQueryOptions {
  readonly http: HttpDeps;
  readonly url: string;
  readonly memory: DialectMemory;
  readonly filter: LogFilter;
  /** Default: oldest first. */
  readonly order?: LogOrder | undefined;
  /** What the query waits for before it asks again goes through these: to be told, and to be skipped. */
  readonly waits?: BackoffControl | undefined;
}

/** The way of one query to its server: its requests are counted, and what they show of the server is kept. */
export interface QueryConnection {
  /** Requests sent so far. */
  readonly requests: number;
  /** Turns of the work on answers. */
  readonly turn: WorkQueue;
  /** Says how hard is tried from here on. The pace begins anew. */
  begin(effort: RetryPolicy): void;
  /** Asks for the number of the latest block, and beside that what the server is. */
  head(options: Abortable): Promise<bigint>;
  /** Looks for the blocks that the moments of the filter stand for. */
  settleTimes(head: bigint, options: Abortable): Promise<TimedBounds>;
  /** The newest block that an answer has named, if the head came from a machine that is far behind it. */
  newerHead(): bigint | undefined;
  /** The newest block that was named last, by whichever machine. */
  lastHead(): bigint;
  openStream(range: BlockRange): LogStream;
  /** What requests for blocks of `range` are made with, where it is not read as a stream. */
  sourceOf(range: BlockRange): QueryContext;
}

/** Makes ready to ask the endpoint at `url`; asks nothing. `effort` holds until {@link QueryConnection.begin}. */
export function connectQuery(options: LogQueryOptions, effort: RetryPolicy): QueryConnection {
  const { memory, filter, order = 'oldestFirst' } = options;
  const direction = getDirection(order);
  const { clock } = options.http;
  const { wait } = options.waits ?? createBackoffControl(clock);
  const pace = createConcurrency(clock);
  let requests = 0;
  let effortNow = effort;
  const http: HttpDeps = {
    ...options.http,
    gates: options.http.gates ?? createOriginGates(clock),
    fetch(target, init) {
      requests++;
      return options.http.fetch(target, init);
    },
  };
  const turn = createWorkQueue(clock);
  const dataset = parseDatasetUrl(options.url);
  const { rpc, server, fetchWithCoverage } =
    dataset === undefined
      ? connectRpc()
      : connectPortal({ url: dataset, http, memory, turn, wait, onAnswer });

  function connectRpc() {
    const rpc = createRpcClient({
      ...{ ...http, url: options.url, turn, wait },
      // Times are compared of like requests: the head comes sooner than logs.
      onAnswer: (answer, { method, error }) => observe(answer, error, method === 'eth_getLogs'),
    });
    return { rpc, server: watchServer({ ...http, wait }, rpc, memory), fetchWithCoverage: undefined };
  }

  function onAnswer(answer: TimedResponse, error: AppError | undefined): void {
    observe(answer, error, true);
  }

  function observe(
    { status, headers, headMs }: TimedResponse,
    error: AppError | undefined,
    isTimed: boolean,
  ): void {
    pace.observe({ status, headers, error, ms: isTimed ? headMs : undefined });
  }

  const { identify } = server;
  const heads = createHeadEstimate(clock);
  const sourceOf = (range: BlockRange): QueryContext => ({
    ...{
      rpc,
      fetchWithCoverage: fetchWithCoverage,
      memory,
      filter,
      direction,
      concurrency: pace,
      identify,
      wait,
    },
    get retry() {
      return effortNow;
    },
    unrequestedRows: createUnrequestedRows(),
    blockWitness: createBlockWitness({ ...http, wait }, options.url),
    unsettledFrom: getFirstUnsettledBlock(range),
    noteHead: heads.note,
  });

  return {
    turn,
    get requests() {
      return requests;
    },
    begin(next) {
      effortNow = next;
      pace.restart();
    },
    async head({ signal }) {
      // Decides what a full page is worth. Whoever meets one waits for the answer, which by then is there.
      identify({ signal }).catch(() => undefined);
      const head = await getBlockNumber(rpc, { ...effortNow, signal });
      heads.note(head);
      return head;
    },
    settleTimes(head, { signal }) {
      const call = createBatchedCall(createCallBatching(rpc, createBatchKnowledge(memory)));
      const times = createBlockTimesReader({ call, http: { ...http, wait }, url: options.url });
      const asked = { ...effortNow, signal };
      const blockAt = (question: BlockAtRequest) => times.findBlockAt(question, asked);
      return resolveTimes(filter, { head, now: clock.now(), blockAt });
    },
    newerHead: heads.ahead,
    lastHead: heads.last,
    sourceOf,
    openStream: (range) => openLogStream({ source: sourceOf(range), server, range }),
  };
}

/** Newest blocks that the machines behind one address have named. */
interface HeadEstimate {
  note(head: bigint): void;
  /** The one that was named last. */
  last(): bigint;
  /** The newest, if it is so far ahead of the first that this was named by a machine that is behind. */
  ahead(): bigint | undefined;
}

/** A chain may be so many blocks further when the next answer comes, and one more for each of these milliseconds. */
const EXPECTED_NEW_BLOCKS = 2n;
const MIN_BLOCK_MS = 250;

function createHeadEstimate(clock: Clock): HeadEstimate {
  let first: { readonly head: bigint; readonly at: number } | undefined;
  let newest = 0n;
  let last = 0n;
  return {
    note(head) {
      first ??= { head, at: clock.elapsed() };
      if (head > newest) newest = head;
      last = head;
    },
    last: () => last,
    ahead() {
      if (!first) return undefined;
      const mayHaveCome =
        EXPECTED_NEW_BLOCKS + BigInt(Math.floor((clock.elapsed() - first.at) / MIN_BLOCK_MS));
      return newest > first.head + mayHaveCome ? newest : undefined;
    },
  };
}
