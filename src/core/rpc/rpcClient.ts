import { type AppError, asAppError, safeUrl, throwIfAborted } from '../base/errors.ts';
import { createTurns, type Turn } from '../base/turns.ts';
import type { Wait } from '../base/waits.ts';
import { exchange, type HttpDeps, redacted, type TimedAnswer } from '../http/http.ts';
import { LARGE_ANSWER, parseJson } from '../http/httpAnswer.ts';
import { createOriginGates } from '../http/originGate.ts';
import { type RetryOptions, withRetry } from '../http/retry.ts';
import { type Answered, httpError, readResult } from './rpcAnswer.ts';
import { batchBody, batchFailure, type RpcCall, type RpcOutcome, readBatch } from './rpcBatch.ts';

export interface RpcCallOptions
  extends Pick<RetryOptions, 'longestHoldMs' | 'longestWaitMs' | 'persistent' | 'retries' | 'signal'> {
  /** An answer of more bytes than this is `tooLarge`; default 16 MiB. */
  readonly maxBytes?: number | undefined;
}

interface RpcBatchOptions extends RpcCallOptions {
  /** Whether the server takes batches is not known: what may come of that is not tried again. */
  readonly isTrial?: boolean;
}

/** A JSON-RPC 2.0 endpoint. */
export interface RpcClient {
  readonly url: string;
  /**
   * Calls `method` and returns `result`, unvalidated.
   *
   * @throws AppError of any network kind; `rpc` when the server refuses the call, with its words.
   */
  call(method: string, params: readonly unknown[], options?: RpcCallOptions): Promise<unknown>;
  /**
   * Sends `calls` in one request, which one machine behind a server's address answers.
   *
   * @returns what became of each, in their order.
   * @throws AppError as {@link call} does; `rpc`, `badResponse` or an HTTP kind when the server takes no batches.
   */
  callBatch(calls: readonly RpcCall[], options?: RpcBatchOptions): Promise<readonly RpcOutcome[]>;
}

type PostLimits = Pick<RpcCallOptions, 'maxBytes' | 'signal'>;

interface RpcClientOptions extends HttpDeps {
  readonly url: string;
  readonly timeoutMs?: number;
  /** In which large answers are read; default: the client's own turns. */
  readonly turn?: Turn;
  /** Waits before a second try; default: by the clock, unseen. */
  readonly wait?: Wait;
  /** Told of each answer, and of one that may be a refusal when it has been read. */
  readonly onAnswer?: (answer: TimedAnswer, about: AboutAnswer) => void;
}

/** What an answer was to, and what became of it. */
interface AboutAnswer {
  readonly method: string;
  readonly error: AppError | undefined;
}

/** Half of what others may send, as many of these are on their way at once; 20,000 logs are some 12 MiB. */
const MOST_BYTES = 16 * 1024 * 1024;
/** 20,000 logs have 300,000 at the most. */
const MOST_VALUES = 400_000;
/** Most that is read of an answer to a question whose answer is short. */
export const SHORT_ANSWER = { maxBytes: 1024 * 1024 } as const;

/** A client for the endpoint at `url`. Ids are positive integers, the only ones every Blockscout echoes rightly. */
export function createRpcClient(options: RpcClientOptions): RpcClient {
  let lastId = 0;
  const origin = safeUrl(options.url);
  const { clock } = options;
  const turn = options.turn ?? createTurns(clock);
  const deps = { ...options, gates: options.gates ?? createOriginGates(clock) };
  const gate = deps.gates.of(options.url);

  async function callOnce({ method, params }: RpcCall, limits: PostLimits) {
    const id = ++lastId;
    const read = (body: unknown, answered: Answered) => readResult(body, { id, origin, ...answered });
    return post({ jsonrpc: '2.0', id, method, params }, { method, read }, limits);
  }

  async function batchOnce(calls: readonly RpcCall[], limits: PostLimits) {
    const ids = { firstId: lastId + 1, count: calls.length };
    lastId += calls.length;
    const read = (body: unknown, answered: Answered) => {
      const readOne = (entry: unknown, id: number) => readResult(entry, { id, origin, ...answered });
      // What refuses a batch as a whole is one answer.
      if (!Array.isArray(body)) readOne(body, 0);
      return readBatch(Array.isArray(body) ? body : [], ids, readOne);
    };
    // What is asked beside the others is what takes the time.
    const method = calls.at(-1)?.method ?? '';
    return post(batchBody(calls, ids.firstId), { method, read }, limits);
  }

  async function post<T>(
    body: object,
    { method, read: readBody }: Question<T>,
    { signal, maxBytes = MOST_BYTES }: PostLimits,
  ): Promise<T> {
    const answer = await exchange(deps, {
      url: options.url,
      method: 'POST',
      // Blockscout does not decode a body of another content type.
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      signal,
      ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
      maxBytes,
    });
    const read = async () => {
      throwIfAborted(signal);
      const now = clock.now();
      if (answer.status < 200 || answer.status > 299) throw httpError(answer, { origin, now });
      const parsed = await parseJson(answer, { origin, clock, signal, maxValues: MOST_VALUES });
      return readBody(parsed, { answer, now });
    };
    if (answer.body.length >= LARGE_ANSWER) {
      // So large is no refusal: nothing of it has to be read before others are asked.
      options.onAnswer?.(answer, { method, error: undefined });
      return await turn(read).catch(async (cause) => {
        throw await redacted(deps, asAppError(cause));
      });
    }
    try {
      const result = await read();
      options.onAnswer?.(answer, { method, error: undefined });
      return result;
    } catch (cause) {
      const error = await redacted(deps, asAppError(cause));
      options.onAnswer?.(answer, { method, error });
      throw error;
    }
  }

  async function redactedOutcome(outcome: RpcOutcome): Promise<RpcOutcome> {
    return 'refusal' in outcome ? { refusal: await redacted(deps, outcome.refusal) } : outcome;
  }

  return {
    url: options.url,
    call: (method, params, { maxBytes, ...effort } = {}) =>
      withRetry({ clock, wait: options.wait, gate, ...effort }, () =>
        callOnce({ method, params }, { maxBytes, signal: effort.signal }),
      ),
    async callBatch(calls, { maxBytes, isTrial = false, ...effort } = {}) {
      let failure: unknown;
      const outcomes = await withRetry({ clock, wait: options.wait, gate, ...effort }, async () => {
        try {
          return await batchOnce(calls, { maxBytes, signal: effort.signal });
        } catch (error) {
          if (!isTrial || !batchFailure(error)) throw error;
          failure = error;
          return undefined;
        }
      });
      if (!outcomes) throw failure;
      return deps.redact ? Promise.all(outcomes.map(redactedOutcome)) : outcomes;
    },
  };
}

interface Question<T> {
  readonly method: string;
  readonly read: (body: unknown, answered: Answered) => T;
}
