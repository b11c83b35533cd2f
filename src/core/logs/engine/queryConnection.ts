import { type BackoffControl, type Clock, createBackoffControl } from '../../base/clock.ts';
import type { Abortable } from '../../base/concurrency.ts';
import type { AppError } from '../../base/errors.ts';
import { createWorkQueue, type WorkQueue } from '../../base/timeSlices.ts';
import { isLoopbackUrl } from '../../base/urls.ts';
import { createEtherscanRpc, parseEtherscanChain } from '../../etherscan/etherscanRpc.ts';
import type { HttpDeps, TimedResponse } from '../../http/exchange.ts';
import { createOriginGates } from '../../http/retry.ts';
import { parseDatasetUrl } from '../../networks/portalDatasets.ts';
import { createBatchedCall, createCallBatching } from '../../rpc/batching.ts';
import { type BlockAtRequest, createBlockTimesReader } from '../../rpc/blockTimes.ts';
import { fetchNewestHead, isFarBehind, type ReportedHeads } from '../../rpc/latestBlock.ts';
import { BLOCK_NUMBER_METHOD, isDecimalText, isSyncing, parseBlockNumber } from '../../rpc/methods.ts';
import { createRpcClient, SHORT_RESPONSE } from '../../rpc/rpcClient.ts';
import { getDirection, type LogOrder } from '../log.ts';
import { createLogTest, type LogFilter } from '../query/filter.ts';
import { createReasonList } from '../query/verdict.ts';
import { type BlockRange, getFirstUnsettledBlock, resolveTimes, type TimedBounds } from './blockRange.ts';
import { createBlockWitness } from './blockWitness.ts';
import { confirmFirstBlock } from './deploymentBlock.ts';
import { etherscanDialect } from './dialect.ts';
import { createBatchKnowledge, type DialectMemory } from './dialectMemory.ts';
import type { QueryContext, ReplicaHeads, RetryPolicy } from './getLogs.ts';
import { createConcurrency } from './limits.ts';
import { type LogStream, openLogStream } from './logStream.ts';
import { connectPortal } from './portalLogs.ts';
import { constantServer, watchServer } from './probeServer.ts';
import { createUnrequestedRows } from './rowChecks.ts';

export interface LogQueryOptions {
  readonly http: HttpDeps;
  readonly url: string;
  readonly memory: DialectMemory;
  readonly filter: LogFilter;
  /** Default: oldest first. */
  readonly order?: LogOrder | undefined;
  /** Waits before retries go through it, which reports them and lets the user skip them. */
  readonly waits?: BackoffControl | undefined;
  /** Called before each request. */
  readonly onRequest?: (() => void) | undefined;
  /** What the endpoint has reported to others; undefined to believe each head. */
  readonly heads?: ReportedHeads | undefined;
}

/** One query's connection to its server. Counts its requests and remembers what they show of the server. */
interface QueryConnection {
  /** Requests sent so far. */
  readonly requests: number;
  /** Queues the work on responses. */
  readonly turn: WorkQueue;
  /** Sets how persistently requests are retried from here on, and forgets a long wait that the server requested. */
  begin(retry: RetryPolicy): void;
  /** Fetches the number of the latest block, and starts probing the server. */
  fetchHead(options: Abortable): Promise<bigint>;
  /** Finds the blocks for the times of the filter, and confirms a first block that is not typed. */
  resolveTimes(head: bigint, options: Abortable): Promise<TimedBounds>;
  /** The newest reported head if the first one came from a replica that lags far behind it. */
  getNewerHead(): bigint | undefined;
  getNewestHead(): bigint;
  /** The newest reported head if no chain can have made so many blocks since this one was the newest. */
  getOvertaking(head: bigint): bigint | undefined;
  /** The head that any replica reported last. */
  getLastHead(): bigint;
  openStream(range: BlockRange): LogStream;
  /** The context for requests about `range` outside of a stream. */
  createContext(range: BlockRange): QueryContext;
}

/**
 * Creates the connection to the endpoint at `url`; sends nothing. `retry` applies until
 * {@link QueryConnection.begin}.
 */
export function connectQuery(options: LogQueryOptions, retry: RetryPolicy): QueryConnection {
  const { memory, filter, order = 'oldestFirst' } = options;
  const direction = getDirection(order);
  const { clock } = options.http;
  const { wait } = options.waits ?? createBackoffControl(clock);
  const concurrency = createConcurrency(clock);
  let requests = 0;
  let currentRetry = retry;
  let isSyncingAtFirst = false;
  const http: HttpDeps = {
    ...options.http,
    gates: options.http.gates ?? createOriginGates(clock),
    fetch(target, init) {
      requests++;
      options.onRequest?.();
      return options.http.fetch(target, init);
    },
  };
  const turn = createWorkQueue(clock);
  const { rpc, server, fetchWithCoverage, hasReplicas } = connect();
  // Etherscan lacks logs of its newest blocks, so a query ends below the head that the client knows.
  const reportedHeads = parseEtherscanChain(options.url) === undefined ? options.heads : undefined;
  const isLocal = isLoopbackUrl(options.url);

  function connect() {
    const { url } = options;
    const dataset = parseDatasetUrl(url);
    if (dataset !== undefined) {
      const portal = connectPortal({ url: dataset, http, memory, turn, wait, onResponse: onAnswer });
      return { ...portal, hasReplicas: false };
    }
    const chainId = parseEtherscanChain(url);
    return chainId === undefined ? connectRpc() : connectEtherscan(chainId);
  }

  function connectEtherscan(chainId: number) {
    memory.learn(etherscanDialect);
    const rpc = createEtherscanRpc({
      ...{ ...http, url: options.url, chainId, wait, lagBlocks: ETHERSCAN_LAG_BLOCKS },
      onResponse: (answer, { params, error }) => observe(answer, error, params.module === 'logs'),
    });
    return { rpc, server: constantServer, fetchWithCoverage: undefined, hasReplicas: false };
  }

  function connectRpc() {
    const rpc = createRpcClient({
      ...http,
      url: options.url,
      turn,
      wait,
      // Only times of similar requests are compared: a head arrives sooner than logs.
      onResponse: (answer, { method, error }) => observe(answer, error, method === 'eth_getLogs'),
    });
    const server = watchServer({ ...http, wait }, rpc, memory);
    return { rpc, server, fetchWithCoverage: undefined, hasReplicas: true };
  }

  function onAnswer(answer: TimedResponse, error: AppError | undefined): void {
    observe(answer, error, true);
  }

  function observe(
    { status, headers, headMs }: TimedResponse,
    error: AppError | undefined,
    isTimed: boolean,
  ): void {
    concurrency.observe({ status, headers, error, ms: isTimed ? headMs : undefined });
  }

  const { identify } = server;
  const heads = createHeadEstimate(clock, reportedHeads);
  const createContext = (range: BlockRange): QueryContext => ({
    rpc,
    fetchWithCoverage,
    memory,
    filter,
    matches: createLogTest(filter),
    direction,
    concurrency,
    identify,
    wait,
    get retry() {
      return currentRetry;
    },
    unrequestedRows: createUnrequestedRows(),
    responseReasons: createReasonList(),
    blockWitness: createBlockWitness({ ...http, wait }, options.url),
    unsettledFrom: getFirstUnsettledBlock(range),
    headNeededFrom: range.head - FAR_BEHIND_BLOCKS,
    head: range.head,
    heads,
    clock,
  });

  return {
    turn,
    get requests() {
      return requests;
    },
    begin(next) {
      currentRetry = next;
      concurrency.restart();
    },
    async fetchHead({ signal }) {
      // The result determines how far a full page can be trusted. It usually arrives before the first full page.
      identify({ signal }).catch(() => undefined);
      const callOptions = { ...SHORT_RESPONSE, ...currentRetry, signal };
      const reported: bigint[] = [];
      const fetchOne = async () => {
        const result = await rpc.call(BLOCK_NUMBER_METHOD, [], callOptions);
        const head = parseBlockNumber(result);
        if (isDecimalText(result)) memory.learn({ writesDecimals: true });
        reported.push(head);
        return head;
      };
      const head = reportedHeads
        ? await fetchNewestHead(fetchOne, reportedHeads, { isLocal, hasReplicas })
        : await fetchOne();
      // Requests at the same time may be answered in any order.
      for (const each of reported.filter((one) => one < head)) heads.note(each);
      heads.note(head);
      isSyncingAtFirst = head === 0n && (await isSyncing(rpc, { ...currentRetry, signal }));
      return head;
    },
    async resolveTimes(head, { signal }) {
      const retryOptions = { retry: currentRetry, signal };
      const start = await confirmFirstBlock({ filter, head, rpc, memory, identify, ...retryOptions });
      const call = createBatchedCall(createCallBatching(rpc, createBatchKnowledge(memory)));
      const times = createBlockTimesReader({ call, http: { ...http, wait }, url: options.url });
      const callOptions = { ...currentRetry, signal };
      const blockAt = (request: BlockAtRequest) => times.findBlockAt(request, callOptions);
      const bounds = { fromBlock: start.fromBlock, toBlock: filter.toBlock };
      return {
        ...(await resolveTimes(bounds, { head, now: clock.now(), blockAt })),
        reasons: start.reasons,
      };
    },
    getNewerHead: heads.getAhead,
    getNewestHead: heads.getNewest,
    // A node on this machine can make any number of blocks at once.
    getOvertaking: (head) => (isLocal ? undefined : heads.getOvertaking(head)),
    getLastHead: heads.getLast,
    createContext,
    openStream(range) {
      const stream = openLogStream({ query: createContext(range), server, range });
      if (isSyncingAtFirst) stream.addReason({ code: 'nodeSyncing' });
      return stream;
    },
  };
}

/** A replica is seldom further behind: eight minutes on a chain with four blocks a second. */
const FAR_BEHIND_BLOCKS = 2048n;

/** Etherscan does not say up to which block its logs are indexed. The newest ones are left out. */
const ETHERSCAN_LAG_BLOCKS = 12n;

interface HeadEstimate extends ReplicaHeads {
  getLast(): bigint;
  getNewest(): bigint;
  /** The newest head, if it is so far ahead of the first one that a lagging replica must have reported the first. */
  getAhead(): bigint | undefined;
  getOvertaking(head: bigint): bigint | undefined;
}

/** More blocks than the fastest chains make in this time. */
const MAX_NEW_BLOCKS = 16n;
const MAX_BLOCKS_PER_MS = 0.1;

function createHeadEstimate(clock: Clock, reported: ReportedHeads | undefined): HeadEstimate {
  let first: { readonly head: bigint; readonly at: number } | undefined;
  let newest = 0n;
  let newestAt = 0;
  let overtaken: bigint | undefined;
  let last = 0n;
  let lowest: bigint | undefined;
  let headlessTo = 0n;
  let differ = false;
  return {
    note(head) {
      reported?.note(head);
      const now = clock.elapsed();
      const newBlocks = MAX_NEW_BLOCKS + BigInt(Math.floor((now - newestAt) * MAX_BLOCKS_PER_MS));
      if (first && head > newest + newBlocks) overtaken = newest;
      first ??= { head, at: now };
      if (head >= newest) newestAt = now;
      if (head > newest) newest = head;
      differ ||= head < newest;
      if (lowest === undefined || head < lowest) lowest = head;
      last = head;
    },
    noteDifference() {
      differ = true;
    },
    get differ() {
      return differ;
    },
    get lowest() {
      return lowest;
    },
    noteHeadless(toBlock) {
      if (toBlock > headlessTo) headlessTo = toBlock;
    },
    getMissingFrom: () => (lowest !== undefined && lowest < headlessTo ? lowest + 1n : undefined),
    getLast: () => last,
    getNewest: () => newest,
    getOvertaking: (head) => (overtaken !== undefined && head <= overtaken ? newest : undefined),
    getAhead() {
      return first && isFarBehind(first.head, newest, clock.elapsed() - first.at) ? newest : undefined;
    },
  };
}
