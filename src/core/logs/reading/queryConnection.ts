import type { Abortable } from '../../base/abortable.ts';
import type { AppError } from '../../base/errors.ts';
import { createTurns, type Turn } from '../../base/turns.ts';
import { createWaits, type Waits } from '../../base/waits.ts';
import type { HttpDeps, TimedAnswer } from '../../http/http.ts';
import { createOriginGates } from '../../http/originGate.ts';
import { datasetUrl } from '../../portal/portalUrl.ts';
import { createCallsTogether } from '../../rpc/callsTogether.ts';
import { gatherCalls } from '../../rpc/gatheredCalls.ts';
import { latestBlock } from '../../rpc/methods.ts';
import { createRpcClient } from '../../rpc/rpcClient.ts';
import { type BlockAtQuestion, createTimesReader } from '../../times/timesReader.ts';
import type { Effort } from '../asking/effort.ts';
import type { LogSource } from '../asking/logSource.ts';
import { settleTimes, type TimedBounds } from '../asking/timedBounds.ts';
import { createStrays } from '../guards/strays.ts';
import { connectPortal } from '../portal/connectPortal.ts';
import { directionOf, type LogOrder } from '../query/direction.ts';
import type { LogFilter } from '../query/logFilter.ts';
import { batchKnowledge, type DialectMemory } from '../server/dialectMemory.ts';
import { createPace } from '../server/pace.ts';
import { createSecondWitness } from '../server/secondWitness.ts';
import { watchServer } from '../server/serverWatch.ts';
import { type BlockRange, firstUnsettledBlock } from './blockRange.ts';
import { createHeads } from './heads.ts';
import { type LogStream, openLogStream } from './logStream.ts';

export interface LogQueryOptions {
  readonly http: HttpDeps;
  readonly url: string;
  readonly memory: DialectMemory;
  readonly filter: LogFilter;
  /** Default: oldest first. */
  readonly order?: LogOrder | undefined;
  /** What the query waits for before it asks again goes through these: to be told, and to be skipped. */
  readonly waits?: Waits | undefined;
}

/** The way of one query to its server: its requests are counted, and what they show of the server is kept. */
export interface QueryConnection {
  /** Requests sent so far. */
  readonly requests: number;
  /** Turns of the work on answers. */
  readonly turn: Turn;
  /** Says how hard is tried from here on. The pace begins anew. */
  begin(effort: Effort): void;
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
  sourceOf(range: BlockRange): LogSource;
}

/** Makes ready to ask the endpoint at `url`; asks nothing. `effort` holds until {@link QueryConnection.begin}. */
export function connectQuery(options: LogQueryOptions, effort: Effort): QueryConnection {
  const { memory, filter, order = 'oldestFirst' } = options;
  const direction = directionOf(order);
  const { clock } = options.http;
  const { wait } = options.waits ?? createWaits(clock);
  const pace = createPace(clock);
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
  const turn = createTurns(clock);
  const dataset = datasetUrl(options.url);
  const { rpc, server, askCovered } =
    dataset === undefined
      ? connectRpc()
      : connectPortal({ url: dataset, http, memory, turn, wait, onAnswer });

  function connectRpc() {
    const rpc = createRpcClient({
      ...{ ...http, url: options.url, turn, wait },
      // Times are compared of like requests: the head comes sooner than logs.
      onAnswer: (answer, { method, error }) => observe(answer, error, method === 'eth_getLogs'),
    });
    return { rpc, server: watchServer({ ...http, wait }, rpc, memory), askCovered: undefined };
  }

  function onAnswer(answer: TimedAnswer, error: AppError | undefined): void {
    observe(answer, error, true);
  }

  function observe(
    { status, headers, headMs }: TimedAnswer,
    error: AppError | undefined,
    isTimed: boolean,
  ): void {
    pace.observe({ status, headers, error, ms: isTimed ? headMs : undefined });
  }

  const { identify } = server;
  const heads = createHeads(clock);
  const sourceOf = (range: BlockRange): LogSource => ({
    ...{ rpc, askCovered, memory, filter, direction, pace, identify, wait },
    get effort() {
      return effortNow;
    },
    strays: createStrays(),
    witness: createSecondWitness({ ...http, wait }, options.url),
    unsettledFrom: firstUnsettledBlock(range),
    noteHead: heads.note,
  });

  return {
    turn,
    get requests() {
      return requests;
    },
    begin(next) {
      effortNow = next;
      pace.beginAnew();
    },
    async head({ signal }) {
      // Decides what a full page is worth. Whoever meets one waits for the answer, which by then is there.
      identify({ signal }).catch(() => undefined);
      const head = await latestBlock(rpc, { ...effortNow, signal });
      heads.note(head);
      return head;
    },
    settleTimes(head, { signal }) {
      const call = gatherCalls(createCallsTogether(rpc, batchKnowledge(memory)));
      const times = createTimesReader({ call, http: { ...http, wait }, url: options.url });
      const asked = { ...effortNow, signal };
      const blockAt = (question: BlockAtQuestion) => times.blockAt(question, asked);
      return settleTimes(filter, { head, now: clock.now(), blockAt });
    },
    newerHead: heads.ahead,
    lastHead: heads.last,
    sourceOf,
    openStream: (range) => openLogStream({ source: sourceOf(range), server, range }),
  };
}
